import { crc32 } from "node:zlib";
import { ProtocolError } from "@/lib/protocols/generation/events";
import { type EventHeader, readEventHeaders } from "./aws-event-headers";

/** One message of an event stream. Shape: header names as sent, `:event-type`; the payload is any bytes. */
export interface AwsEventMessage {
  headers: ReadonlyMap<string, EventHeader>;
  payload: Uint8Array;
}

/** Total length, length of the headers, checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
const MAX_HEADERS_BYTES = 128 * 1024;

/**
 * Converts bytes of `application/vnd.amazon.eventstream` into messages, regardless of the split into chunks. A wrong
 * checksum, length or header, a message of more than 2 MiB and headers of more than 128 KiB are a `failure`, after which
 * nothing more is read.
 *
 * Source: docs/clouds.md#event-stream.
 */
export class AwsEventStreamReader {
  readonly #prelude = new Uint8Array(PRELUDE_BYTES);
  /** The message that is being read; null until its prelude is complete. */
  #message: Uint8Array | null = null;
  /** Bytes of the message, its prelude included, that have arrived. */
  #length = 0;
  /** Why the stream cannot be read on; null: it can. */
  failure: ProtocolError | null = null;

  /** Handles the next bytes; returns the messages that they completed, also those before a failure. */
  push(bytes: Uint8Array): AwsEventMessage[] {
    const messages: AwsEventMessage[] = [];
    try {
      if (this.failure === null) this.#read(bytes, messages);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.failure = error;
    }
    return messages;
  }

  /** Handles the end of the bytes, which is a failure within a message. */
  end(): void {
    if (this.#length > 0)
      this.failure ??= new ProtocolError("The upstream's event stream ended within a message");
  }

  /** Throws: ProtocolError. */
  #read(bytes: Uint8Array, messages: AwsEventMessage[]): void {
    let at = 0;
    while (at < bytes.length) {
      const target = this.#message ?? this.#prelude;
      const part = bytes.subarray(at, at + target.length - this.#length);
      target.set(part, this.#length);
      this.#length += part.length;
      at += part.length;
      if (this.#length < target.length) break;
      if (this.#message === null) {
        this.#message = messageBuffer(this.#prelude);
        continue;
      }
      messages.push(readMessage(this.#message));
      this.#message = null;
      this.#length = 0;
    }
  }
}

/** A buffer for the whole message, with its prelude. Throws: ProtocolError for a prelude that breaks a rule. */
function messageBuffer(prelude: Uint8Array): Uint8Array {
  const view = viewOf(prelude);
  if (view.getUint32(8) !== crc32(prelude.subarray(0, 8))) {
    throw new ProtocolError("The upstream's event stream has a prelude with a wrong checksum");
  }
  const totalBytes = view.getUint32(0);
  const headersBytes = view.getUint32(4);
  if (totalBytes > MAX_MESSAGE_BYTES || headersBytes > MAX_HEADERS_BYTES) {
    throw new ProtocolError("The upstream's event stream has a message that is too large", { bound: true });
  }
  if (totalBytes < PRELUDE_BYTES + headersBytes + CHECKSUM_BYTES) {
    throw new ProtocolError("The upstream's event stream has a message with a wrong length");
  }
  const message = new Uint8Array(totalBytes);
  message.set(prelude);
  return message;
}

function readMessage(message: Uint8Array): AwsEventMessage {
  const view = viewOf(message);
  const checksumAt = message.length - CHECKSUM_BYTES;
  if (view.getUint32(checksumAt) !== crc32(message.subarray(0, checksumAt))) {
    throw new ProtocolError("The upstream's event stream has a message with a wrong checksum");
  }
  const payloadAt = PRELUDE_BYTES + view.getUint32(4);
  return {
    headers: readEventHeaders(message.subarray(PRELUDE_BYTES, payloadAt)),
    payload: message.subarray(payloadAt, checksumAt),
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
