import type { NextRequest } from "next/server";
import type { z } from "zod";
import { GatewayError } from "@/lib/kernel/errors";
import { parse, parseChanges, parseQuery } from "./parse";
import { readJson } from "./read-json";

/** One request to `/api`, as handlers see it. */
export interface ApiCall {
  request: NextRequest;
  /** A new UUIDv7. */
  requestId: string;
  clientIp: string;
  /** A parameter of the path, decoded. */
  param(name: string): string;
  /** The JSON body. Throws: INVALID_REQUEST, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE. */
  body<Schema extends z.ZodType>(schema: Schema): Promise<z.infer<Schema>>;
  /** The JSON body of a change: only the fields that were sent, no defaults. Throws: as `body`. */
  changes<Schema extends z.ZodObject>(schema: Schema): Promise<Partial<z.infer<Schema>>>;
  /** The query string; names the schema does not know are ignored. Throws: INVALID_REQUEST. */
  query<Schema extends z.ZodObject>(schema: Schema): z.infer<Schema>;
}

/** Path parameters as Next passes them. */
export type PathParams = Record<string, string | string[] | undefined>;

/** Wraps a request of Next. */
export function apiCall(request: NextRequest, params: PathParams, requestId: string): ApiCall {
  return {
    request,
    requestId,
    clientIp: request.headers.get("x-tollgate-client-ip") ?? "",
    param(name) {
      const value = params[name];
      if (typeof value === "string") return value;
      throw new GatewayError("NOT_FOUND", "There is nothing at this path.");
    },
    body: async (schema) => parse(schema, await readJson(request)),
    changes: async (schema) => parseChanges(schema, await readJson(request)),
    query: (schema) => parseQuery(schema, request.nextUrl.searchParams),
  };
}
