import type { Permit } from "@/lib/kernel/permit";
import { requireJsonType } from "@/lib/kernel/request-headers";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import type { CancelSignal } from "@/lib/upstream/cancellation";
import { decoderFor, type OpenDecoder, readCodings } from "./decode-body";
import type { CallerSeal } from "./responses-state/caller-seal";
import type { ResponseMemory } from "./responses-state/response-memory";

/** The parts of a request that are known before anything else is created for it. Headers are lower case. */
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

/** Who calls on a connection that has been authenticated: the text of the key is not kept. */
export interface KnownCaller {
  /** SHA-256 of the key, in hexadecimal. */
  readonly keyHash: string;
  readonly seal: CallerSeal;
}

/** The long connection that a call is one of many on. Source: docs/websocket.md#turns. */
export interface CallConnection {
  readonly caller: KnownCaller;
  /** Responses that were made on it. */
  readonly memory: ResponseMemory;
  /** The member of the log entry's timeline that names connection and lane; its value is the number of the turn. */
  readonly logMember: string;
  readonly turn: number;
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
  /** Time of arrival in milliseconds of the monotonic clock. */
  receivedAtMs: number;
  /** Wall-clock time at arrival. */
  receivedAt: Date;
  /** Headers that the reply carries whatever its outcome; stages add to them. */
  replyHeaders: Record<string, string>;
  /** What the request occupies of its key's limits; the adapter releases it once the reply is sent or has broken off. */
  readonly permit: Permit;
  /** Absent: a request of its own, whose headers have the credential. */
  readonly connection?: CallConnection;
  /** The body, decompressed by a decoder when it is compressed; accounts take turns at decompressing. */
  readBody(open: OpenDecoder | null, accountId: string): Promise<Buffer>;
}

/**
 * The bytes of a JSON body, decompressed if necessary. Throws: PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE,
 * INVALID_REQUEST. Source: docs/contract.md#s7-order, #b9.
 */
export function readBody(call: GatewayRequest, accountId: string): Promise<Buffer> {
  requireJsonType(call.headers["content-type"]);
  return call.readBody(decoderOf(call), accountId);
}

/** A refusal lists the supported codings in a header, for programs. See RFC 9110 12.5.3. */
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
