import { ApiError, withQuery } from "../api/client";
import type { ShownOperation } from "./model";

/** What is typed for a call: values by `place name` of their parameter, and the body. */
export interface TypedCall {
  values: Readonly<Record<string, string>>;
  body: string | null;
  /** Null: the browser's session. */
  secret: string | null;
}

/** The answer to a call, as it is shown. */
export interface RunAnswer {
  status: number;
  ms: number;
  headers: string;
  body: string;
}

const SHOWN_HEADERS = /^(content-type|x-request-id|retry-after|x-tollgate-.*|x-ratelimit-.*|x-total-.*)$/;
const MOST_SHOWN = 100_000;

/** Who may be tried from the page: accounts and keys, never admins. */
export function canRun({ caller }: ShownOperation): boolean {
  return caller === "account" || caller === "session" || caller === "key";
}

/** Makes a call as it is typed. Throws ApiError when no answer comes. */
export async function runOperation(operation: ShownOperation, typed: TypedCall): Promise<RunAnswer> {
  const given = (place: string) =>
    Object.fromEntries(
      Object.entries(typed.values)
        .filter(([id, value]) => id.startsWith(`${place} `) && value !== "")
        .map(([id, value]) => [id.slice(place.length + 1), value]),
    );
  const inPath = given("path");
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? ""));
  const startedMs = performance.now();
  const response = await fetch(withQuery(path, given("query")), {
    method: operation.method.toUpperCase(),
    credentials: typed.secret === null ? "same-origin" : "omit",
    cache: "no-store",
    headers: {
      ...given("header"),
      ...(typed.secret !== null && { authorization: `Bearer ${typed.secret}` }),
      ...(typed.body !== null && { "content-type": "application/json" }),
    },
    body: typed.body,
  }).catch(() => {
    throw new ApiError({ status: 0, code: "NETWORK", message: "" });
  });
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => SHOWN_HEADERS.test(name));
  return {
    status: response.status,
    ms: performance.now() - startedMs,
    headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
    body: pretty(text).slice(0, MOST_SHOWN),
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
