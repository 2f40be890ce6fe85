import { ProtocolError } from "@/lib/protocols/generation/events";

/** The value of a header by its type: a 64-bit number is a bigint, a moment a Date, a UUID its text. */
export type EventHeader = boolean | number | bigint | string | Uint8Array | Date;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The headers of a message of an event stream, with all ten types of values. Of two with the same name the later counts.
 *
 * Throws: ProtocolError for an unknown type, a length beyond the headers, and a text that is not UTF-8.
 * Source: docs/clouds.md#event-stream.
 */
export function readEventHeaders(bytes: Uint8Array): Map<string, EventHeader> {
  const headers = new Map<string, EventHeader>();
  const cursor = new Cursor(bytes);
  while (!cursor.atEnd) {
    const name = cursor.text(cursor.view(1).getUint8(0));
    headers.set(name, readValue(cursor));
  }
  return headers;
}

function readValue(cursor: Cursor): EventHeader {
  const type = cursor.view(1).getUint8(0);
  switch (type) {
    case 0:
      return true;
    case 1:
      return false;
    case 2:
      return cursor.view(1).getInt8(0);
    case 3:
      return cursor.view(2).getInt16(0);
    case 4:
      return cursor.view(4).getInt32(0);
    case 5:
      return cursor.view(8).getBigInt64(0);
    case 6:
      return cursor.take(cursor.view(2).getUint16(0));
    case 7:
      return cursor.text(cursor.view(2).getUint16(0));
    case 8:
      return new Date(Number(cursor.view(8).getBigInt64(0)));
    case 9:
      return uuidText(cursor.take(16));
  }
  throw new ProtocolError("The upstream's event stream has a header of an unknown type");
}

/** Reads bytes one after the other. */
class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) {
      throw new ProtocolError("The upstream's event stream has a header with a wrong length");
    }
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  view(length: number): DataView {
    const taken = this.take(length);
    return new DataView(taken.buffer, taken.byteOffset, length);
  }

  text(length: number): string {
    try {
      return utf8.decode(this.take(length));
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw new ProtocolError("The upstream's event stream has a header that is not UTF-8");
    }
  }
}

function uuidText(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
