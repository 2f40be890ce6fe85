import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { tooLarge } from "@/lib/admission/admission";
import { GatewayError, isGatewayError } from "@/lib/kernel/errors";
import type { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import { rowOf } from "@/lib/kernel/json-object";
import type { CancelSignal } from "@/lib/upstream/cancellation";

/** How many times its compressed size a body may have. Source: docs/contract.md#b9. */
const MAX_RATIO = 100;
/** A decompressed body up to this size is accepted at any ratio. Units: bytes. */
const FREE_BYTES = 1024 * 1024;

/** How a body is opened. */
export interface Opening {
  open: OpenDecoder;
  maxBytes: number;
  /** Bounded by `DECODING`. */
  semaphore: FairSemaphore;
  /** Whose body it is. */
  accountId: string;
  /** Aborted when the client disconnects. */
  signal: CancelSignal;
}

/**
 * Decompresses a body after all of it was received, in another thread. Until then, and while other bodies are
 * decompressed, it is kept compressed, so that unfinished bodies do not fill the memory.
 * Throws: PAYLOAD_TOO_LARGE beyond `maxBytes` or a ratio of 100, INVALID_REQUEST for invalid or incomplete data;
 * NO_AVAILABLE_NODE while too many are decompressed; what `pieces` throws. Source: docs/contract.md#b5, #b9.
 */
export async function decodeBody(
  pieces: AsyncIterable<Uint8Array>,
  { open, maxBytes, semaphore, accountId, signal }: Opening,
): Promise<Buffer> {
  const received = await collect(pieces, maxBytes);
  const [first] = received;
  if (first === undefined) return Buffer.alloc(0);
  const release = await semaphore.acquire(accountId, signal);
  let decoding: Decoding | null = null;
  try {
    decoding = new Decoding(open(first), maxBytes);
    for (const piece of received) await decoding.write(piece);
    return await decoding.end();
  } finally {
    decoding?.close();
    release();
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array[]> {
  const received: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    size += piece.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    received.push(piece);
  }
  return received;
}

class Decoding {
  readonly #decoder: Transform;
  readonly #maxBytes: number;
  readonly #opened: Buffer[] = [];
  #openedBytes = 0;
  #receivedBytes = 0;
  readonly #ended: Promise<void>;
  readonly #failed: Promise<never>;

  constructor(decoder: Transform, maxBytes: number) {
    this.#decoder = decoder;
    this.#maxBytes = maxBytes;
    this.#ended = new Promise((resolve) => decoder.once("end", resolve));
    this.#failed = new Promise((_resolve, reject) =>
      decoder.on("error", (error) => reject(asRefusal(error))),
    );
    this.#failed.catch(() => {}); // write() and end() report it
    decoder.on("data", (part: Buffer) => this.#take(part));
  }

  /** Resolves when all of the piece has been decompressed. */
  async write(piece: Uint8Array): Promise<void> {
    this.#receivedBytes += piece.length;
    const written = new Promise<void>((resolve) => this.#decoder.write(piece, () => resolve()));
    await Promise.race([this.#failed, written]);
  }

  /** The whole body. */
  async end(): Promise<Buffer> {
    this.#decoder.end();
    await Promise.race([this.#failed, this.#ended]);
    if (bytesRead(this.#decoder) < this.#receivedBytes)
      throw unsound("goes on after the end of the compressed data");
    return Buffer.concat(this.#opened, this.#openedBytes);
  }

  close(): void {
    this.#decoder.destroy();
  }

  #take(part: Buffer): void {
    this.#openedBytes += part.length;
    this.#opened.push(part);
    const size = this.#openedBytes;
    if (size > this.#maxBytes) this.#refuse(tooLarge(this.#maxBytes));
    else if (size > FREE_BYTES && size > MAX_RATIO * this.#receivedBytes) this.#refuse(tooDense());
  }

  #refuse(error: GatewayError): void {
    this.#opened.length = 0;
    this.#decoder.destroy(error);
  }
}

/** How many of the written bytes a decoder of `node:zlib` has used. */
function bytesRead(decoder: Transform): number {
  const count: unknown = Reflect.get(decoder, "bytesWritten");
  return typeof count === "number" ? count : Number.POSITIVE_INFINITY;
}

function tooDense(): GatewayError {
  return new GatewayError(
    "PAYLOAD_TOO_LARGE",
    `The request body is more than ${MAX_RATIO} times as large as it came compressed; send it without Content-Encoding.`,
  );
}

function asRefusal(error: unknown): GatewayError {
  return isGatewayError(error) ? error : unsound("is not sound or not whole", error);
}

function unsound(what: string, cause?: unknown): GatewayError {
  return new GatewayError(
    "INVALID_REQUEST",
    `The body ${what}; Content-Encoding says how it is compressed.`,
    {
      param: "content-encoding",
      cause,
    },
  );
}

/** Makes a decoder from the first bytes that it will read. */
export type OpenDecoder = (first: Uint8Array) => Transform;

const CHUNK = { chunkSize: 64 * 1024 };

/** The largest window of zstd in HTTP: frames with a larger one could need up to 2 GiB each. See RFC 9659. */
const ZSTD_WINDOW_LOG = 23;

const decoders: ReadonlyMap<string, OpenDecoder> = new Map([
  ["gzip", () => zlib.createGunzip(CHUNK)],
  ["deflate", openDeflate],
  ["br", () => zlib.createBrotliDecompress(CHUNK)],
  ...zstdDecoder(),
]);

const aliases: Readonly<Record<string, string>> = { "x-gzip": "gzip" };

/**
 * The codings of request bodies that are read, as `Accept-Encoding` and refusals name them.
 * Source: docs/contract.md#b9.
 */
export const readCodings: string = [...decoders.keys()].join(", ");

/**
 * The decoder of a body with this `Content-Encoding`; null for an uncompressed body.
 * Throws: UNSUPPORTED_MEDIA_TYPE for other codings and for several codings together. Source: docs/contract.md#b9.
 */
export function decoderFor(contentEncoding: string | undefined): OpenDecoder | null {
  if (contentEncoding === undefined) return null;
  const codings = contentEncoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  const [coding] = codings;
  if (coding === undefined) return null;
  const open = decoders.get(rowOf(aliases, coding) ?? coding);
  if (open !== undefined && codings.length === 1) return open;
  throw new GatewayError(
    "UNSUPPORTED_MEDIA_TYPE",
    `Content-Encoding may be one of ${readCodings}, or be left out.`,
  );
}

/** The coding's name means zlib's format; some clients send the data without its header. See RFC 9110 8.4.1.2. */
function openDeflate(first: Uint8Array): Transform {
  const [method = 0, flags = 0] = first;
  const hasHead = (method & 0x0f) === 8 && (first.length < 2 || (method * 256 + flags) % 31 === 0);
  return hasHead ? zlib.createInflate(CHUNK) : zlib.createInflateRaw(CHUNK);
}

/** Node supports zstd from 22.15 on; the types in use are those of the oldest version. */
function zstdDecoder(): [string, OpenDecoder][] {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  const parameter: unknown = Reflect.get(zlib.constants, "ZSTD_d_windowLogMax");
  if (typeof create !== "function" || typeof parameter !== "number") return [];
  return [["zstd", () => create({ ...CHUNK, params: { [parameter]: ZSTD_WINDOW_LOG } })]];
}

/**
 * How many compressed bodies are decompressed at once, and how many wait, of one account and in total. A waiting body
 * needs no more memory than its compressed size. Source: docs/contract.md#b5, #b9, docs/reliability.md#bulk.
 */
export const DECODING = { concurrency: 4, perAccount: 2, mostWaiting: 128, mostInAll: 512 };
