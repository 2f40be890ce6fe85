import type { ZodType } from "zod";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { CheckOptions, RequestAdapter } from "../request-adapter";
import { explainIssue } from "./explain-issue";
import { scanBody } from "./scan-body";

/** What validation depends on besides the body. */
export interface ValidateOptions extends CheckOptions {
  /** A request to count tokens, which needs no output limit. */
  countTokens?: boolean;
}

// Where a request goes, and with whose credential, is not for its body to say.
const routingFields = [
  "api_base",
  "base_url",
  "api_key",
  "api_version",
  "extra_headers",
  "extra_body",
  "extra_query",
  "default_headers",
  "custom_llm_provider",
  "azure_endpoint",
  "azure_ad_token",
  "vertex_credentials",
  "aws_access_key_id",
  "aws_secret_access_key",
  "aws_session_token",
];

/**
 * Everything about a request that does not depend on the node. The body is returned as it came, so that
 * a same-protocol path keeps every byte of it.
 * Throws: INVALID_REQUEST naming the field. Source: docs/protocols.md#s4-1, #s5-1, #d1, #d2, docs/contract.md#s2,
 * docs/reliability.md#s3-10.
 */
export function validateRequest(body: unknown, client: RequestAdapter, options: ValidateOptions): JsonObject {
  if (!isObject(body)) throw invalid("body", "The body must be a JSON object.");
  refuseRoutingFields(body);
  scanBody(body);
  checkShape(body, options.countTokens === true ? client.countSchema : client.schema);
  client.check(body, options);
  return body;
}

function refuseRoutingFields(body: JsonObject): void {
  for (const field of routingFields) {
    if (body[field] !== undefined) {
      throw invalid(field, `${field} is not accepted: the gateway chooses the upstream. Remove it.`);
    }
  }
}

function checkShape(body: JsonObject, schema: ZodType): void {
  const result = schema.safeParse(body);
  if (result.success) return;
  const issue = result.error.issues[0];
  const { param, message } =
    issue === undefined ? { param: "body", message: "is not valid" } : explainIssue(issue);
  throw invalid(param, `${param} ${message}.`);
}
