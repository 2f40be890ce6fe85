import { googlePath } from "./google-path";
import { mayHoldKey } from "./query-key";

/** Model API paths without `/v1`, as clients send them whose base URL is the origin. No page has these paths. */
const CALL_PATH = /^\/(chat\/completions|messages|responses|embeddings)(\/|$)/;

/** A page has this path too: a request with a credential goes to the API, one without to the page. */
const MODELS_PATH = /^\/models(\/|$)/;

const CREDENTIALS = ["x-api-key", "api-key", "authorization", "x-goog-api-key"];

/** The parts of a request that its routing depends on. Headers are lower case. */
export interface RoutableRequest {
  method?: string | undefined;
  headers: Readonly<Record<string, unknown>>;
  /** The query, without its question mark; absent: it does not matter. */
  search?: string;
}

/**
 * The canonical path under `/v1` of a request; null when the request is not for the gateway. Users configure base URLs
 * with and without `/v1`, and some clients append it: `/v1` may occur once, repeatedly or, for calls, not at all.
 * Paths of Google's API are below `/v1beta`, whatever their version. Shape: `path` is decoded and without query; the
 * result has no trailing slash. Source: docs/contract.md#b11, docs/gemini.md#paths.
 */
export function gatewayPath(path: string, request: RoutableRequest): string | null {
  const below = /^(?:\/v1)+(?=\/|$)(.*)$/s.exec(path)?.[1];
  const { method, headers, search = "" } = request;
  const google = googlePath(path, below ?? null, { method, headers, hasQueryKey: mayHoldKey(search) });
  if (google !== null) return trimTrailingSlashes(google);
  if (below !== undefined) return `/v1${trimTrailingSlashes(below)}`;
  if (CALL_PATH.test(path) || (MODELS_PATH.test(path) && hasCredential(request)))
    return `/v1${trimTrailingSlashes(path)}`;
  return null;
}

/** A preflight only lists the names of the headers that the request will have. */
function hasCredential({ method, headers }: RoutableRequest): boolean {
  if (CREDENTIALS.some((name) => headers[name] !== undefined)) return true;
  const announced = method === "OPTIONS" ? headers["access-control-request-headers"] : undefined;
  if (typeof announced !== "string") return false;
  return announced.split(",").some((name) => CREDENTIALS.includes(name.trim().toLowerCase()));
}

function trimTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
