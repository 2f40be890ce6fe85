import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { GatewayError } from "@/lib/kernel/errors";

/** Makes a decoder; it is shown the first bytes of what it will read. */
export type OpenDecoder = (first: Uint8Array) => Transform;

const CHUNK = { chunkSize: 64 * 1024 };

/** The largest window of zstd in HTTP: frames that want more would take up to 2 GiB each. See RFC 9659. */
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
 * What opens a body with this `Content-Encoding`; null for a body as it is.
 * Throws: UNSUPPORTED_MEDIA_TYPE for other codings and for several on top of each other. Source: docs/contract.md#b9.
 */
export function decoderFor(contentEncoding: string | undefined): OpenDecoder | null {
  if (contentEncoding === undefined) return null;
  const codings = contentEncoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  const [coding] = codings;
  if (coding === undefined) return null;
  const open = decoders.get(aliases[coding] ?? coding);
  if (open !== undefined && codings.length === 1) return open;
  throw new GatewayError(
    "UNSUPPORTED_MEDIA_TYPE",
    `Content-Encoding may be one of ${readCodings}, or be left out.`,
  );
}

/** The name means zlib's format; some clients send the data without its head. See RFC 9110 8.4.1.2. */
function openDeflate(first: Uint8Array): Transform {
  const [method = 0, flags = 0] = first;
  const hasHead = (method & 0x0f) === 8 && (first.length < 2 || (method * 256 + flags) % 31 === 0);
  return hasHead ? zlib.createInflate(CHUNK) : zlib.createInflateRaw(CHUNK);
}

/** Node has it from 22.15 on, and its types follow the oldest version. */
function zstdDecoder(): [string, OpenDecoder][] {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  const parameter: unknown = Reflect.get(zlib.constants, "ZSTD_d_windowLogMax");
  if (typeof create !== "function" || typeof parameter !== "number") return [];
  return [["zstd", () => create({ ...CHUNK, params: { [parameter]: ZSTD_WINDOW_LOG } })]];
}
