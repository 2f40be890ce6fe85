import type { DataTag } from "@tanstack/react-query";
import type { ApiInput, ApiOutput, OperationName } from "@/lib/api/routes";
import { type Params, pathOf, type Query, sentQuery } from "./client";

/** The name of an operation that changes nothing. */
export type ReadName = Extract<OperationName, `GET ${string}`>;

/** A read of the API: by the server while it renders a page, by the browser from then on. */
export interface Read<Name extends ReadName = ReadName> {
  name: Name;
  params: Params;
  /** Only what is sent. */
  query: Record<string, string>;
}

/** The input of a read; it may be left out where nothing is required. */
export type ReadInput<Name extends ReadName> =
  unknown extends ApiInput<Name>
    ? [input?: Record<string, never>]
    : object extends ApiInput<Name>
      ? [input?: ApiInput<Name>]
      : [input: ApiInput<Name>];

/** A read of an operation, by its name. */
export function read<Name extends ReadName>(name: Name, ...[input]: ReadInput<Name>): Read<Name> {
  const { params = {}, query }: { params?: Params; query?: Query } = input ?? {};
  return { name, params, query: sentQuery(query) };
}

/**
 * Where the browser keeps the answer to a read: under the segments of its path after `/api`, and then its query. Reads
 * that send the same request have the same key.
 */
export function readKey<Name extends ReadName>({ name, params, query }: Read<Name>) {
  return [...segmentsOf(pathOf(name, params)), query] as readonly unknown[] as AnswerKey<Name>;
}

type AnswerKey<Name extends ReadName> = DataTag<readonly unknown[], ApiOutput<Name>>;

/** The path of an operation that changes nothing. */
type ReadPath = ReadName extends `GET ${infer Path}` ? Path : never;

/** What the keys of all reads of one path begin with, whatever their queries; reads of longer paths have others. */
export function keyOf(path: ReadPath): readonly unknown[] {
  return [...segmentsOf(path), {}];
}

/** What the keys of all reads of a path and of longer ones begin with. */
export function keyUnder(path: ReadPath | "/api/admin"): readonly unknown[] {
  return segmentsOf(path);
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(2);
}
