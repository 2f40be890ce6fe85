import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "./clock";
import type { Deadlines, Watched } from "./deadlines";

/**
 * Stops reading from a connection for `seconds` after a refusal on it. A client that retried sooner would use time that
 * admitted calls need. Units: seconds. Source: docs/reliability.md#s2-11.
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
