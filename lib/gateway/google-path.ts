/** Versions that only Google's API has; `v1` is everyone's. */
const VERSION = /^(?:\/v1)*\/(?:v1beta1|v1beta|v1alpha)(?=\/|$)(.*)$/s;

/** Uploads of Google's API stand before its version. */
const UPLOAD = /^(?:\/v1)*\/upload\/(?:v1beta|v1alpha|v1)(?=\/|$)(.*)$/s;

/** The long name of a model, as Vertex has it. */
const LONG_NAME = /^\/(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\/models\//;

/** A model with a method, as only Google's API has it below `/v1`. */
const METHOD = /^\/models\/.+:[A-Za-z]+$/s;

/** The canonical base of Google's API. */
const BASE = "/v1beta";

/** What is served of Google's API, as texts for callers. */
export const googlePaths: readonly string[] = [
  `${BASE}/models`,
  ...["generateContent", "streamGenerateContent", "countTokens", "embedContent", "batchEmbedContents"].map(
    (method) => `${BASE}/models/{model}:${method}`,
  ),
];

/** True for a canonical path of Google's API. */
export function isGooglePath(path: string): boolean {
  return path === BASE || path.startsWith(`${BASE}/`);
}

/** What shows that a caller means Google's API where another one has the same path. */
export interface GoogleMarks {
  method?: string | undefined;
  headers: Readonly<Record<string, unknown>>;
  /** The query has a key. */
  hasQueryKey: boolean;
}

/**
 * The canonical path of Google's API; null for a path of another one. `below`: the path below `/v1`; null: it is not
 * below `/v1`. Source: docs/gemini.md#paths.
 */
export function googlePath(path: string, below: string | null, marks: GoogleMarks): string | null {
  const versioned = VERSION.exec(path)?.[1];
  if (versioned !== undefined) return BASE + shortName(versioned);
  const upload = UPLOAD.exec(path)?.[1];
  if (upload !== undefined) return `${BASE}/upload${upload}`;
  if (below === null) return null;
  if (LONG_NAME.test(below)) return BASE + shortName(below);
  const isModels = below === "/models" || below.startsWith("/models/");
  if (!isModels) return null;
  const isCall = marks.method === "POST" && METHOD.test(below);
  return isCall || isGoogles(marks) ? BASE + below : null;
}

function shortName(path: string): string {
  return path.replace(LONG_NAME, "/models/");
}

function isGoogles({ headers, hasQueryKey }: GoogleMarks): boolean {
  return hasQueryKey || headers["x-goog-api-key"] !== undefined || headers["x-goog-api-client"] !== undefined;
}
