import type { WebSocket } from "ws";

/** Whether anything is read from a client: not while somebody holds the gate. */
export class ReadGate {
  readonly #socket: Pick<WebSocket, "pause" | "resume">;
  #holds = 0;

  constructor(socket: Pick<WebSocket, "pause" | "resume">) {
    this.#socket = socket;
  }

  /** True while nothing is read. */
  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Stops reading until as many calls of `release`. */
  hold(): void {
    this.#holds += 1;
    if (this.#holds === 1) this.#socket.pause();
  }

  release(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.#socket.resume();
  }
}
