/** The target of a load. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Values of `authorization`, of which a load of requests draws one for each; absent: that of the headers. */
  credentials?: readonly string[];
}

/** No header and no JSON has it. */
const PLACE = "\0";

/** The measurements of a load generator. Units: microseconds. */
export interface LoadResult {
  requests: number;
  p50Us: number;
  p99Us: number;
  maxUs: number;
  /** Answers that were not 2xx, and broken connections. */
  failures: number;
}

/** The measurements of a paced load generator. Units: microseconds. */
export interface PacedResult {
  served: number;
  /** 503. */
  refused: number;
  /** Of these, without Retry-After. */
  unhinted: number;
  /** Any other status. */
  others: number;
  broken: number;
  /** Of all answers, refusals too. */
  p50Us: number;
  p99Us: number;
}

/** A load that is running. */
export interface Load<Result = LoadResult> {
  pid: number;
  /** Ends it and returns the measurements. Throws: when the generator ended early. */
  finish(): Promise<Result>;
}

/** The request of a target as it is written to a connection. */
export function requestText({ url, headers, body }: Target): string {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers, "content-length": String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  return `POST ${pathname} HTTP/1.1\r\n${head}\r\n\r\n${body}`;
}

/** The same before and after the value of its `authorization`. */
export function aroundCredential(target: Target): [before: string, after: string] {
  const text = requestText({ ...target, headers: { ...target.headers, authorization: PLACE } });
  const place = text.indexOf(PLACE);
  return [text.slice(0, place), text.slice(place + PLACE.length)];
}
