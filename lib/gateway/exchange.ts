import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { type LimitState, tighter } from "@/lib/admission/limiter";
import { toGatewayError } from "@/lib/db/database-error";
import type { ErrorCode, GatewayError } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import type { Permit } from "@/lib/kernel/permit";
import { requireJsonType } from "@/lib/kernel/request-headers";
import type { Refusal } from "@/lib/protocols/adapters/error-format";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { clientAdapters } from "@/lib/protocols/registry";
import type { CancelSignal } from "@/lib/upstream/cancellation";
import { decoderFor, type OpenDecoder, readCodings } from "./decode-body";
import type { Gateway } from "./runtime";

/** What is known of a request before anything is made for it. Headers are lower case. */
export interface RequestHead {
  /** UUIDv7 minted here; never taken from the caller. */
  requestId: string;
  /** The protocol of the path, which decides the error vocabulary. */
  protocol: ClientProtocol;
  method: string;
  /** Path without query, decoded, with one `/v1` in front, without a trailing slash. */
  path: string;
  headers: Record<string, string | undefined>;
}

/**
 * One request to the gateway, free of any framework.
 * `readBody` rejects with PAYLOAD_TOO_LARGE while reading. Source: docs/architecture.md#s1-1.
 */
export interface GatewayRequest extends RequestHead {
  query: URLSearchParams;
  clientIp: string;
  /** Aborted when the client disconnects. */
  signal: CancelSignal;
  /** Milliseconds of the monotonic clock at arrival. */
  receivedAtMs: number;
  /** Wall-clock time at arrival. */
  receivedAt: Date;
  /** Headers that the reply carries whatever its outcome; stages add to them. */
  replyHeaders: Record<string, string>;
  /** What the request occupies of its key's limits; the adapter releases it once the reply is sent or has broken off. */
  readonly permit: Permit;
  /** The body, opened by a decoder when it is compressed; accounts take turns at that. */
  readBody(open: OpenDecoder | null, accountId: string): Promise<Buffer>;
}

/** Throws a refusal, if there is one. */
export function refuse(refusal: GatewayError | null): void {
  if (refusal !== null) throw refusal;
}

/**
 * The bytes of a JSON body, opened when they came compressed. Throws: PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE,
 * INVALID_REQUEST. Source: docs/contract.md#s7-order, #b9.
 */
export function readBody(call: GatewayRequest, accountId: string): Promise<Buffer> {
  requireJsonType(call.headers["content-type"]);
  return call.readBody(decoderOf(call), accountId);
}

/** A refusal tells programs too which codings are read. See RFC 9110 12.5.3. */
function decoderOf(call: GatewayRequest): OpenDecoder | null {
  const coding = call.headers["content-encoding"];
  if (coding === undefined) return null;
  try {
    return decoderFor(coding);
  } catch (error) {
    call.replyHeaders["accept-encoding"] = readCodings;
    throw error;
  }
}

/** What keeps a silent stream open. `text` is asked at the moment of writing, because it depends on the stream's state. */
export interface IdleFrame {
  afterMs: number;
  text(): string;
}

/** Where the core writes a stream. `write` returns null when more may follow at once, else a promise of when. */
export interface FrameSink {
  write(frames: string): Promise<void> | null;
}

/** What the core answers: a whole body, or frames that are written as they come. Source: docs/architecture.md#s1-1. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** A string is sent whole; a function writes a stream to its end, and is called once. */
  body: string | ((sink: FrameSink) => Promise<void>);
  idleFrame?: IdleFrame;
  /** How long nothing more is read from this client's connection. Units: seconds. */
  holdBackSeconds?: number | undefined;
}

/** A JSON reply. */
export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return jsonTextReply(status, printJson(value), headers);
}

/** A reply whose JSON is made already. */
export function jsonTextReply(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

/**
 * The headers that tell the limits of a key, or those of its account where these leave less, and its quota where clients
 * of the call's protocol read it.
 * Source: docs/contract.md#s6, docs/responses.md#s2-8.
 */
export function limitHeaders(
  { balances }: Pick<Gateway, "balances">,
  call: GatewayRequest,
  key: GatewayKey,
  state: LimitState,
  accountState: LimitState | null,
): Record<string, string> {
  const { errors } = clientAdapters[call.protocol];
  const limits = accountState === null ? state : tighter(state, accountState);
  const headers = errors.limitHeaders(limits, call.receivedAt.getTime());
  if (errors.quotaHeaders === undefined) return headers;
  return Object.assign(headers, errors.quotaHeaders(balances.usedPercent(key)));
}

const NOT_WORTH_RETRYING: ReadonlySet<ErrorCode> = new Set(["INVALID_REQUEST", "INVALID_API_KEY"]);

/** Any thrown value as an error that a caller of the gateway may see. */
export function asGatewayError(error: unknown): GatewayError {
  return toGatewayError(error, "Something went wrong on our side; the request was not billed.");
}

/**
 * The one mapper from an error to a reply: one body that both SDKs read, in the path's vocabulary.
 * Source: docs/clientAdapters.md#s13-1, docs/contract.md#s7.
 */
export function errorReply(
  error: GatewayError,
  protocol: ClientProtocol,
  requestId: string,
  headers: Record<string, string> = {},
): Reply {
  const { details } = error;
  const { errors } = clientAdapters[protocol];
  const refusal = refusalOf(error, protocol);
  const body = {
    type: "error",
    error: {
      type: refusal.type ?? errors.types[error.code],
      message: refusal.message,
      code: refusal.code,
      param: details.param ?? null,
      details: {
        error_code: error.code,
        ...(errors.vendorDetails ? details.vendorDetails : undefined),
        ...(details.vendorCode === undefined ? {} : { vendor_code: details.vendorCode }),
        ...(details.reason === undefined ? {} : { reason: details.reason }),
        ...(details.limit === undefined ? {} : { limit: details.limit }),
      },
    },
    request_id: requestId,
  };
  const reply = jsonReply(refusal.status, body, { ...headers, ...errorHeaders(error, refusal) });
  if (details.overload) reply.holdBackSeconds = details.retryAfterSeconds;
  return reply;
}

/** An error in the words of a protocol. */
export function refusalOf(error: GatewayError, protocol: ClientProtocol): Refusal {
  return clientAdapters[protocol].errors.refusal?.(error) ?? error;
}

function errorHeaders(error: GatewayError, { final }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  const { retryAfterSeconds, retryAfterMs, allow } = error.details;
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.max(1, retryAfterSeconds));
  if (retryAfterMs !== undefined) headers["retry-after-ms"] = String(Math.max(1, Math.ceil(retryAfterMs)));
  if (allow !== undefined) headers.allow = allow.join(", ");
  if (final === true || NOT_WORTH_RETRYING.has(error.code)) headers["x-should-retry"] = "false";
  return headers;
}

const EXPOSED = "request-id, x-request-id, retry-after, x-tollgate-cost, x-tollgate-warnings";

/** The CORS headers of a call from an allowed origin; none otherwise. Source: docs/contract.md#s2 (`CORS_ORIGINS`). */
export function corsHeaders(
  { settings }: Pick<Gateway, "settings">,
  call: Pick<GatewayRequest, "headers">,
): Record<string, string> {
  const origin = call.headers.origin;
  if (origin === undefined || !settings.corsOrigins.includes(origin)) return noHeaders;
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED, vary: "origin" };
}

const noHeaders: Record<string, string> = {};

/** The answer to a preflight request. */
export function preflight(gateway: Gateway, call: GatewayRequest): Reply {
  const allowed = corsHeaders(gateway, call) !== noHeaders;
  const headers: Record<string, string> = allowed
    ? {
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers": call.headers["access-control-request-headers"] ?? "*",
        "access-control-max-age": "600",
      }
    : {};
  return { status: 204, headers, body: "" };
}
