import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { EventSink } from "./perform-turn";
import type { ReadGate } from "./read-gate";

/** The parts of a socket that its writer uses. */
export interface WriterParts {
  socket: WebSocket;
  connection: Socket;
  gate: ReadGate;
  bounds: { bufferedBytes: number; stalledMs: number };
}

/**
 * Sends the events of a socket. While much waits for a slow reader, the turns wait too, and nothing is read from the
 * client; a client that reads nothing for too long is disconnected. Source: docs/websocket.md#bounds.
 */
export class SocketWriter implements EventSink {
  readonly #parts: WriterParts;
  #drained: Promise<void> | null = null;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Sends nothing on a socket that closes. */
  send(event: string): Promise<void> | null {
    const { socket, bounds } = this.#parts;
    if (socket.readyState !== socket.OPEN) return null;
    socket.send(event);
    if (socket.bufferedAmount <= bounds.bufferedBytes) return this.#drained;
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  /** Resolves when the client has read everything, or is gone. */
  #drain(): Promise<void> {
    const { socket, connection, gate, bounds } = this.#parts;
    gate.hold();
    connection.setTimeout(bounds.stalledMs);
    const stalled = () => socket.terminate();
    connection.once("timeout", stalled);
    return new Promise((resolve) => {
      const done = () => {
        connection.off("drain", done);
        connection.off("close", done);
        connection.off("timeout", stalled);
        connection.setTimeout(0);
        this.#drained = null;
        gate.release();
        resolve();
      };
      connection.once("drain", done);
      connection.once("close", done);
    });
  }
}
