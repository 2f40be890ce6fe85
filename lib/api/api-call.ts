import type { NextRequest } from "next/server";
import type { z } from "zod";
import { type AuthContext, findPrincipal, type UserRow } from "@/lib/accounts/principal";
import { isSameOrigin } from "@/lib/accounts/session";
import type { Actor } from "@/lib/admin/audit";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import { parse, parseChanges, parseQuery, readJson } from "./parse";

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

/** The authentication context of the runtime. */
export function authContext(): AuthContext {
  const { db, secrets, settings, clock } = runtime();
  return { db, secrets, publicUrl: settings.publicUrl, now: () => clock.date() };
}

/**
 * The account of the request; the first call of every handler for users.
 * Throws: UNAUTHORIZED, FORBIDDEN (a cookie from another origin). Source: docs/contract.md#s5,
 * docs/reliability.md#s3-6, #s3-7.
 */
export async function requireUser(call: ApiCall): Promise<UserRow> {
  const context = authContext();
  const principal = await findPrincipal(call.request, context);
  if (principal === null) {
    throw new GatewayError("UNAUTHORIZED", "Sign in first: send `Authorization: Bearer <jwt>` from login.");
  }
  if (principal.via === "session" && !isSameOrigin(call.request, context.publicUrl)) {
    throw new GatewayError("FORBIDDEN", "A browser session may change things from its own origin only.");
  }
  return principal.user;
}

/** The admin account of the request. Throws: UNAUTHORIZED, FORBIDDEN. */
export async function requireAdmin(call: ApiCall): Promise<UserRow> {
  const user = await requireUser(call);
  if (user.role !== "admin") throw new GatewayError("FORBIDDEN", "This is for admins only.");
  return user;
}

/** The account as the actor of an audit entry. */
export function actorOf(call: ApiCall, admin: UserRow): Actor {
  return { id: admin.id, username: admin.username, ip: call.clientIp };
}
