/**
 * A request to a token endpoint. Shape: `reach` says which addresses may be dialled: `public` ones only, or also those
 * of the `machine` (loopback and link-local). `body` is null for a GET. Redirects are not followed.
 */
export interface TokenRequest {
  method: "GET" | "POST" | "PUT";
  url: URL;
  headers: Record<string, string>;
  body: string | null;
  reach: "public" | "machine";
  /** Units: milliseconds until the whole answer is there. */
  timeoutMs: number;
  /** An answer with more is given up. */
  maxBytes: number;
  signal: AbortSignal;
}

/** An answer of a token endpoint. Shape: header names in lower case. */
export interface TokenAnswer {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** Sends a request and reads the whole answer. Rejects: DialError. */
export type Send = (request: TokenRequest) => Promise<TokenAnswer>;
