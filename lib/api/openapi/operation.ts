import type { z } from "zod";
import type { ErrorCode } from "@/lib/kernel/errors";

/** The required authentication: none, an account, an admin, an API key, or the metrics token. */
export type Caller = "public" | "account" | "admin" | "key" | "metrics";

/** The tags of the API, in display order. */
export const tags = {
  "Model API": "Generations in both protocols, models and usage; opened by an API key.",
  Account: "Registration, login and the caller's own account.",
  "API keys": "Keys of the caller's account.",
  Usage: "Logs, statistics, models, plans and ledger of the caller's account.",
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
  body?: { schema: z.ZodType; example: unknown; partial?: boolean };
  success: Success;
  /** Error codes of this operation in addition to those of its caller. */
  errors?: ErrorCode[];
}
