import type { z } from "zod";
import type { UserRow } from "@/lib/accounts/session";
import type { Actor } from "@/lib/admin/audit";
import type { ApiOperation } from "./openapi/operation";

/** The description of an operation that this server runs under `/api`. */
type Description = ApiOperation & {
  path: `/api/${string}`;
  caller: "public" | "account" | "session" | "admin";
  /** An operation for admins that changes nothing and that readers may call too. Source: docs/contract.md#roles. */
  reader?: true;
  /** The query is ignored: some health checks add one to avoid caches. */
  ignoresQuery?: true;
};

/** A streamed CSV file as the answer. */
export interface CsvFile {
  name: string;
  content: ReadableStream<Uint8Array>;
}

/** The part that all calls have. */
interface AnyCall {
  request: Request;
  /** A new UUIDv7. */
  requestId: string;
  clientIp: string;
}

/** The caller's account, and the same as the actor of an audit entry. */
interface SignedIn {
  user: UserRow;
  /** The login of the caller's credential; null for a credential of an older version. */
  loginId: string | null;
  actor: Actor;
}

/** The parameters of a path, decoded. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : unknown;

type QueryOf<D> = D extends { query: infer Query extends z.ZodType } ? z.output<Query> : undefined;

type BodyOf<D> = D extends { body: { schema: infer Schema extends z.ZodType } }
  ? D extends { body: { partial: true } }
    ? Partial<z.output<Schema>>
    : z.output<Schema>
  : undefined;

/** The parsed input of one call of an operation. */
type CallOf<D extends Description> = AnyCall & {
  params: PathParams<D["path"]>;
  query: QueryOf<D>;
  body: BodyOf<D>;
} & (D["caller"] extends "public" ? unknown : SignedIn);

/** What the handler of an operation returns: a value of the schema, a file, or nothing. */
type AnswerOf<D> = D extends { success: { schema: infer Schema extends z.ZodType } }
  ? z.input<Schema>
  : D extends { success: { other: unknown } }
    ? CsvFile
    : undefined;

/** `Sent` with the type `never` for every member that the documented type does not have. */
type Exact<Documented, Sent> = unknown extends Documented
  ? Sent
  : Sent extends readonly unknown[]
    ? Documented extends readonly unknown[]
      ? { [Index in keyof Sent]: Exact<Documented[number], Sent[Index]> }
      : Sent
    : Sent extends ReadableStream
      ? Sent
      : Sent extends object
        ? {
            [Name in keyof Sent]: Name extends MembersOf<Documented>
              ? Exact<MemberOf<Documented, Name>, Sent[Name]>
              : never;
          }
        : Sent;

/** Adds no requirement to a handler that returns only documented members; to any other, one that no handler meets. */
type Only<Sent, Documented> =
  Sent extends Exact<Documented, Sent> ? unknown : (call: never) => Promise<Exact<Documented, Sent>>;

type MembersOf<T> = T extends object ? keyof T : never;
type MemberOf<T, Name> = T extends object ? (Name extends keyof T ? T[Name] : never) : never;

/** The input of a call before its type is known. */
export interface ParsedCall extends AnyCall, Partial<SignedIn> {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

/** An operation with its handler. */
export interface Operation extends Description {
  handle(call: ParsedCall): Promise<unknown>;
}

/**
 * Defines an operation of `/api` once: the server runs it, the OpenAPI document describes it and pages take their types
 * from it. An answer that its schema does not describe, an undocumented member included, does not compile.
 * Source: docs/architecture.md#s1-10.
 */
export function defineOperation<
  const D extends Description,
  Handler extends (call: CallOf<D>) => Promise<AnswerOf<D>>,
>(
  description: D,
  handler: Handler & Only<Awaited<ReturnType<Handler>>, AnswerOf<D>>,
): D & Pick<Operation, "handle"> {
  // The server parses the call with the schemas of the same description.
  return { ...description, handle: handler as (call: never) => Promise<unknown> };
}
