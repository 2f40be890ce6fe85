import type { z } from "zod";
import type { ErrorCode } from "@/lib/kernel/errors";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import type { JsonSchema } from "./json-schema";

/** The required authentication: none, an account, an admin, an API key, or the metrics token. */
export type Caller = "public" | "account" | "session" | "admin" | "key" | "metrics";

/** The tags of the API, in display order. */
export const tags = {
  "Model API": "Generations in all four protocols, models and usage; opened by an API key.",
  Account: "Registration, login and the caller's own account.",
  "API keys": "Keys of the caller's account.",
  Projects: "Keys of several people that one account pays.",
  Usage: "Logs, statistics, models, plans and ledger of the caller's account.",
  Budgets: "Limits by period on accounts, projects, keys, plans and the whole platform.",
  "Admin: gateway": "Nodes, models, prices, plans and the failover rehearsal.",
  "Admin: people": "Accounts, everybody's logs and statistics, audit, money check.",
  Operations: "Health checks and metrics.",
} as const;

export type Tag = keyof typeof tags;

/** A successful response. Without a schema it has no JSON body. */
export interface Success {
  status: 200 | 201 | 204;
  description: string;
  schema?: z.ZodType;
  /** Another media type of the same response. */
  other?: { mediaType: string; description: string };
  /** The status of the answers with the same schema that report a failure. */
  failed?: { status: 503; description: string; when(answer: unknown): boolean };
  example?: unknown;
}

/** One operation of the API, as the document describes it. */
export interface ApiOperation {
  method: "get" | "post" | "patch" | "delete";
  /** The path, with parameters as `{name}`. */
  path: `/${string}`;
  id: string;
  tag: Tag;
  caller: Caller;
  summary: string;
  description?: string;
  query?: z.ZodObject;
  /** `partial`: a change, in which every field is optional and no default applies. */
  body?:
    | { schema: z.ZodType; example: unknown; partial?: false }
    | { schema: z.ZodObject; example: unknown; partial: true };
  success: Success;
  /** Error codes of this operation in addition to those of its caller. */
  errors?: readonly ErrorCode[];
}

/** Optional headers of generation requests. Source: docs/contract.md#s6. */
const generationHeaders = [
  header("x-tollgate-strict", "`1`: what would be dropped is refused with 400", { type: "string" }),
  header("x-tollgate-explain", "`1`: nothing is sent or billed; the answer says what would happen", {
    type: "string",
  }),
];

/** A protocol version, from 2023-06-01 on. Source: docs/protocols.md#s2-1. */
const version: JsonSchema = {
  type: "string",
  format: "date",
  pattern: "^(2023-(0[6-9]|1[0-2])|(202[4-9]|20[3-9]\\d|2[1-9]\\d\\d|[3-9]\\d{3})-\\d{2})-\\d{2}$",
};

const versionHeaders = [
  header("anthropic-version", "Version of the Messages protocol; this one counts", version),
  header("provider-version", "The same header by another name", version),
];

/** The headers of an operation, except those of authentication. */
export function headerParameters({ id, path }: ApiOperation) {
  if (id === "createChatCompletion" || id === "createMessage")
    return [...generationHeaders, ...versionHeaders];
  return path.startsWith("/v1/messages") ? versionHeaders : [];
}

function header(name: string, description: string, schema: JsonSchema) {
  return { name, in: "header", required: false, description, schema };
}

/**
 * The schema of a chat request in this installation: `COMPATIBILITY` restricts the schema of the protocol.
 * Source: docs/contract.md#s2.
 */
export function narrowed(
  schema: JsonSchema,
  operation: ApiOperation,
  compatibility: Compatibility,
): JsonSchema {
  if (operation.id !== "createChatCompletion" || compatibility === "lenient") return schema;
  const properties = {
    ...(schema.properties ?? {}),
    temperature: { type: ["number", "null"], minimum: 0, maximum: 1 },
  };
  const given = ["max_tokens", "max_completion_tokens"].map((name) => ({
    required: [name],
    properties: { [name]: { type: "integer" } },
  }));
  return { ...schema, properties, ...(compatibility === "strict" ? { anyOf: given } : {}) };
}
