import type { Protocol } from "@/lib/protocols/protocol";
import type { CancelSignal } from "@/lib/upstream/cancel-signal";
import type { OpenDecoder } from "./decode-body";

/** What is known of a request before anything is made for it. Headers are lower case. */
export interface Arrival {
  /** UUIDv7 minted here; never taken from the caller. */
  requestId: string;
  /** The protocol of the path, which decides the error vocabulary. */
  protocol: Protocol;
  method: string;
  /** Path without query, decoded, with one `/v1` in front, without a trailing slash. */
  path: string;
  headers: Record<string, string | undefined>;
}

/**
 * One request to the gateway, free of any framework.
 * `readBody` rejects with PAYLOAD_TOO_LARGE while reading. Source: docs/architecture.md#s1-1.
 */
export interface Call extends Arrival {
  query: URLSearchParams;
  clientIp: string;
  /** Aborted when the client has gone. */
  signal: CancelSignal;
  /** Milliseconds of the monotonic clock at arrival. */
  receivedAtMs: number;
  /** Headers that the reply carries whatever its outcome; stages add to them. */
  replyHeaders: Record<string, string>;
  /** Run by the adapter once the call is over: its reply has gone out, or broken off. */
  readonly atEnd: (() => void)[];
  /** The body, opened by a decoder when it is compressed. */
  readBody(open: OpenDecoder | null): Promise<Buffer>;
}

/**
 * The caller's address. `X-Forwarded-For` is believed only for the configured number of proxies, counted from
 * the right, so a forged entry never counts. Source: docs/contract.md#s2 (`TRUST_PROXY`), docs/reliability.md#s3-4.
 */
export function clientIp(
  forwardedFor: string | string[] | undefined,
  remoteAddress: string | undefined,
  trustProxy: number,
): string {
  const direct = (remoteAddress ?? "").replace(/^::ffff:/, "");
  if (trustProxy === 0 || forwardedFor === undefined) return direct;
  const hops = (Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor)
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  return hops[Math.max(0, hops.length - trustProxy)] ?? direct;
}
