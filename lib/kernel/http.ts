import { randomFillSync } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock, Deadlines, Watched } from "./clock";
import { GatewayError } from "./errors";

/** Refuses a body that is not declared as JSON. Throws: UNSUPPORTED_MEDIA_TYPE. */
export function requireJsonType(contentType: string | null | undefined): void {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json.");
}

/** The bearer token of an `Authorization` header; null when there is none. */
export function bearerToken(authorization: string | null | undefined): string | null {
  if (authorization == null) return null;
  if (USUAL_TOKEN.test(authorization)) return authorization.slice("Bearer ".length);
  return /^bearer\s+(\S.*)$/i.exec(authorization.trim())?.[1] ?? null;
}

/** What clients send, but for a few. */
const USUAL_TOKEN = /^Bearer [\w.-]+$/;

const ID_BYTES = 10;
const pool = Buffer.allocUnsafe(ID_BYTES * 512);
/** The pool as text: one conversion for many ids. */
let digits = "";
let offset = 0;
/** The milliseconds of the newest id, as ids begin with them. */
let time = { ms: Number.NaN, text: "" };

/** A new UUIDv7: 48 bits of Unix milliseconds, then random. Source: docs/reliability.md#d4. */
export function newRequestId(nowMs: number = Date.now()): string {
  if (offset >= digits.length) {
    digits = randomFillSync(pool).toString("hex");
    offset = 0;
  }
  if (nowMs !== time.ms) time = { ms: nowMs, text: timeText(nowMs) };
  const random = digits.slice(offset, offset + 2 * ID_BYTES);
  offset += 2 * ID_BYTES;
  const variant = ((Number.parseInt(random.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${time.text}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

function timeText(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** True for the text form of a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** Content codings that responses are sent in, the smallest result first. */
export type ContentCoding = "br" | "gzip";

/**
 * The one of `offered` that an `Accept-Encoding` header prefers; the earlier one of equals. Null: send the content as
 * it is, also when the header excludes everything. See RFC 9110 12.5.3. Source: docs/dashboard.md#s2-15.
 */
export function acceptedCoding(
  header: string | undefined,
  offered: readonly ContentCoding[],
): ContentCoding | null {
  if (header === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    weights.set(name === "x-gzip" ? "gzip" : name, weightOf(parameters));
  }
  const any = weights.get("*") ?? 0;
  let best: ContentCoding | null = null;
  let bestWeight = 0;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? any;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return bestWeight < (weights.get("identity") ?? 0) ? null : best;
}

/** A malformed weight counts as none. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}

/** Whether the client has this representation, by its `If-None-Match` header. See RFC 9110 13.1.2. */
export function isKnown(header: string | null | undefined, etag: string): boolean {
  if (header == null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag));
}

/** How much of a connection may wait in memory for a slow side; Node's own limit is four times that. Source: docs/reliability.md#s2-11. */
export const SOCKET_BUFFER_BYTES = 16 * 1024;

/** How long a client may take no byte of what is waiting for it. Source: docs/reliability.md#s2-10. */
export const STALLED_CLIENT_MS = 60_000;

/**
 * Resolves when the client reads again or disconnects; a client that reads nothing for 60 s is disconnected. `written`:
 * what was written to.
 */
function drained(response: ServerResponse, written: ServerResponse | Socket = response): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), STALLED_CLIENT_MS);
    const done = () => {
      clearTimeout(timer);
      written.off("drain", done);
      response.off("close", done);
      resolve();
    };
    written.once("drain", done);
    response.once("close", done);
  });
}

/** The encoding of a text of so many bytes: ASCII is called Latin-1, which Node copies faster. */
export function encodingOf(text: string, bytes: number): BufferEncoding {
  return bytes === text.length ? "latin1" : "utf8";
}

/** A copy of a piece of a text that is kept for long: a slice would keep the whole text in memory. */
export function copyOf(slice: string): string {
  return Buffer.from(slice).toString();
}

/**
 * Writes a streamed body. `ServerResponse` writes a chunk in four pieces; behind the first, which takes the head along,
 * a chunk goes to the socket as one. Source: docs/performance.md#s5.
 */
export class BodyWriter {
  readonly #response: ServerResponse;
  /** Null until the head is written, and for a client that knows no chunks. */
  #socket: Socket | null = null;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** True while what was written waits for the client. */
  get isWaiting(): boolean {
    return (this.#socket ?? this.#response).writableNeedDrain;
  }

  /** Lets what waits for the client wait no longer than a while; called from time to time, instead of at each write. */
  limitWait(limitMs = STALLED_CLIENT_MS): void {
    const { socket } = this.#response;
    if (socket === null) return;
    const timeout = socket.writableLength === 0 ? 0 : limitMs;
    if (socket.timeout !== timeout) socket.setTimeout(timeout);
  }

  /** Returns null when more may be written at once, else a promise of when. */
  write(text: string): Promise<void> | null {
    const response = this.#response;
    if (text === "" || response.destroyed) return null;
    const bytes = Buffer.byteLength(text);
    const encoding = encodingOf(text, bytes);
    if (this.#socket !== null) {
      const isTaken = this.#socket.write(`${bytes.toString(16)}\r\n${text}\r\n`, encoding);
      return isTaken ? null : drained(response, this.#socket);
    }
    const isTaken = response.write(text, encoding);
    if (response.chunkedEncoding) this.#socket = response.socket;
    return isTaken ? null : drained(response);
  }
}

/**
 * Reads nothing more from a connection for so long after a refusal on it. A client that came back sooner would take the
 * time of calls that were admitted. Units: seconds. Source: docs/reliability.md#s2-11.
 */
export function holdBack(
  response: ServerResponse,
  seconds: number,
  clock: Pick<Clock, "nowMs">,
  deadlines: Deadlines,
): void {
  const { req: request } = response;
  const untilMs = clock.nowMs() + seconds * 1_000;
  const begin = () => {
    if (!request.socket.destroyed) deadlines.watch(new HeldBack(request.socket, untilMs));
  };
  response.once("close", () => {
    if (request.complete) begin();
    else request.once("close", begin);
  });
}

/** A connection that is not read for a while. */
class HeldBack implements Watched {
  readonly #socket: Socket;
  readonly #untilMs: number;

  constructor(socket: Socket, untilMs: number) {
    this.#socket = socket;
    this.#untilMs = untilMs;
    socket.pause();
  }

  onSweep(nowMs: number): boolean {
    if (nowMs < this.#untilMs && !this.#socket.destroyed) return true;
    this.#socket.resume();
    return false;
  }
}
