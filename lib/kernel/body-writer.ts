import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * How much of a connection may wait in memory for a slow reader; Node's own limit is four times that.
 * Source: docs/reliability.md#s2-11.
 */
export const SOCKET_BUFFER_BYTES = 16 * 1024;

/** How long a client may read none of the bytes that wait for it. Source: docs/reliability.md#s2-10. */
export const STALLED_CLIENT_MS = 60_000;

/**
 * Resolves when the client reads again or disconnects; a client that reads nothing for 60 s is disconnected. `written`:
 * the stream that was written to.
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

/** The encoding of a text of so many UTF-8 bytes: Latin-1 for ASCII, because Node copies it faster. */
export function encodingOf(text: string, bytes: number): BufferEncoding {
  return bytes === text.length ? "latin1" : "utf8";
}

/**
 * Writes a streamed body. `ServerResponse` writes a chunk in four pieces, so only the first chunk, which carries the
 * head, is written with it; each later chunk goes to the socket in one piece. Source: docs/performance.md#s5.
 */
export class BodyWriter {
  readonly #response: ServerResponse;
  /** Null until the head is written, and for a client without chunked encoding. */
  #socket: Socket | null = null;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** True while what was written waits for the client. */
  get isWaiting(): boolean {
    return (this.#socket ?? this.#response).writableNeedDrain;
  }

  /** Limits how long bytes may wait for the client; called periodically instead of at each write. */
  limitWait(limitMs = STALLED_CLIENT_MS): void {
    const { socket } = this.#response;
    if (socket === null) return;
    const timeout = socket.writableLength === 0 ? 0 : limitMs;
    if (socket.timeout !== timeout) socket.setTimeout(timeout);
  }

  /** Returns null when more may be written at once, else a promise that resolves when it may. */
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
