/** Calls of the model API, as clients ask for them whose base URL is the origin. No page has these addresses. */
const CALLS = /^\/(chat\/completions|messages|responses|embeddings)(\/|$)/;

/** Pages have this address as well; whoever shows a credential wants the list, whoever looks at the page has none. */
const MODELS = /^\/models(\/|$)/;

const CREDENTIALS = ["x-api-key", "api-key", "authorization"];

/** What of a request says where it belongs. Headers are lower case. */
export interface Addressed {
  method?: string | undefined;
  headers: Readonly<Record<string, unknown>>;
}

/**
 * The path under `/v1` that a request means; null when it is none of the gateway's. Base URLs are given with and without
 * `/v1`, and to clients that add it themselves: `/v1` may be there once, several times or, for calls, not at all.
 * Shape: `path` is decoded and without query; the answer has no slash at its end. Source: docs/contract.md#b11.
 */
export function gatewayPath(path: string, request: Addressed): string | null {
  const below = /^(?:\/v1)+(?=\/|$)(.*)$/s.exec(path)?.[1];
  if (below !== undefined) return `/v1${withoutEndSlashes(below)}`;
  if (CALLS.test(path) || (MODELS.test(path) && showsCredential(request)))
    return `/v1${withoutEndSlashes(path)}`;
  return null;
}

/** A preflight only names the headers that the request itself will have. */
function showsCredential({ method, headers }: Addressed): boolean {
  if (CREDENTIALS.some((name) => headers[name] !== undefined)) return true;
  const announced = method === "OPTIONS" ? headers["access-control-request-headers"] : undefined;
  if (typeof announced !== "string") return false;
  return announced.split(",").some((name) => CREDENTIALS.includes(name.trim().toLowerCase()));
}

function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
