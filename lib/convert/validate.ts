import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import { chatRequest } from "@/lib/protocols/chat/schema";
import { type Compatibility, refusedHere } from "@/lib/protocols/generation/compatibility";
import { countTokensRequest, messagesRequest } from "@/lib/protocols/messages/schema";
import { checkVersionRules } from "@/lib/protocols/messages/version-rules";
import type { Protocol } from "@/lib/protocols/protocol";
import { explainIssue } from "@/lib/protocols/validation/explain-issue";
import { scanBody } from "@/lib/protocols/validation/scan-body";

/** What validation depends on besides the body. */
export interface ValidateOptions {
  compatibility: Compatibility;
  /** The client's protocol version, see `readVersion`. */
  version: string;
  /** A request to count tokens, which needs no `max_tokens`. */
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
export function validateRequest(
  body: unknown,
  clientProtocol: Protocol,
  options: ValidateOptions,
): JsonObject {
  if (!isObject(body)) throw invalid("body", "The body must be a JSON object.");
  refuseRoutingFields(body);
  scanBody(body);
  checkShape(body, clientProtocol, options);
  if (clientProtocol === "chat") checkChatLimits(body, options.compatibility);
  else checkVersionRules(body, options.version);
  return body;
}

function refuseRoutingFields(body: JsonObject): void {
  for (const field of routingFields) {
    if (body[field] !== undefined) {
      throw invalid(field, `${field} is not accepted: the gateway chooses the upstream. Remove it.`);
    }
  }
}

function checkShape(body: JsonObject, clientProtocol: Protocol, options: ValidateOptions): void {
  const result = schemaOf(clientProtocol, options).safeParse(body);
  if (result.success) return;
  const issue = result.error.issues[0];
  const { param, message } =
    issue === undefined ? { param: "body", message: "is not valid" } : explainIssue(issue);
  throw invalid(param, `${param} ${message}.`);
}

function schemaOf(clientProtocol: Protocol, options: ValidateOptions) {
  if (clientProtocol === "chat") return chatRequest;
  return options.countTokens === true ? countTokensRequest : messagesRequest;
}

function checkChatLimits(body: JsonObject, compatibility: Compatibility): void {
  if (compatibility === "strict" && body.max_tokens == null && body.max_completion_tokens == null) {
    throw refusedHere("max_tokens", "max_tokens is required.", "the alias's default is used instead");
  }
  if (compatibility !== "lenient" && typeof body.temperature === "number" && body.temperature > 1) {
    throw refusedHere(
      "temperature",
      "temperature must be between 0 and 1.",
      "values up to 2 are lowered to 1",
    );
  }
}
