import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { SocketBounds } from "./bounds";

/** A control frame of a client has a head of so many bytes. */
const CONTROL_HEAD = 6;

/** What is wrong with a socket that was looked at. */
export type SocketTrouble = "idle" | "no_pong" | "slow_message";

/**
 * The times of one socket: pings and their answers, how long nothing was asked, and how long a message takes to arrive.
 * Source: docs/websocket.md#bounds.
 */
export class SocketWatch {
  readonly #socket: WebSocket;
  readonly #connection: Socket;
  readonly #bounds: SocketBounds;
  #pingedAtMs: number;
  /** When the oldest ping without an answer was sent; null: all are answered. */
  #unansweredSinceMs: number | null = null;
  #usedAtMs: number;
  /** Bytes of whole messages and of control frames. */
  #explained: number;
  /** Since when part of a message is there; null: none is. */
  #partSinceMs: number | null = null;

  constructor(socket: WebSocket, connection: Socket, bounds: SocketBounds, nowMs: number) {
    this.#socket = socket;
    this.#connection = connection;
    this.#bounds = bounds;
    this.#pingedAtMs = nowMs;
    this.#usedAtMs = nowMs;
    this.#explained = connection.bytesRead;
    socket.on("pong", (data) => this.#onControl(data, true));
    socket.on("ping", (data) => {
      this.#onControl(data, false);
      // A client that reads nothing gets no answer either.
      if (socket.readyState === socket.OPEN && connection.writableLength <= bounds.bufferedBytes)
        socket.pong(data);
    });
  }

  /** A turn has ended. */
  turnEnded(nowMs: number): void {
    this.#usedAtMs = nowMs;
  }

  /** A whole message has arrived. */
  received(nowMs: number): void {
    this.#usedAtMs = nowMs;
    this.#explained = this.#connection.bytesRead;
    this.#partSinceMs = null;
  }

  /** Pings when it is time. `isBusy`: a turn runs or waits. `isPaused`: nothing is read from the client. */
  look(nowMs: number, isBusy: boolean, isPaused: boolean): SocketTrouble | null {
    if (isPaused) {
      // Answers to pings wait unread.
      this.#unansweredSinceMs = null;
      this.#partSinceMs = null;
      return null;
    }
    const { idleMs, pingMs, pongMs, messageMs } = this.#bounds;
    if (this.#unansweredSinceMs !== null && nowMs - this.#unansweredSinceMs >= pongMs) return "no_pong";
    if (this.#connection.bytesRead > this.#explained) {
      this.#partSinceMs ??= nowMs;
      if (nowMs - this.#partSinceMs >= messageMs) return "slow_message";
    } else this.#partSinceMs = null;
    if (isBusy) this.#usedAtMs = nowMs;
    else if (nowMs - this.#usedAtMs >= idleMs) return "idle";
    if (nowMs - this.#pingedAtMs >= pingMs) this.#ping(nowMs);
    return null;
  }

  #ping(nowMs: number): void {
    this.#pingedAtMs = nowMs;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.ping();
    this.#unansweredSinceMs ??= nowMs;
  }

  #onControl(data: Buffer, isPong: boolean): void {
    this.#explained += CONTROL_HEAD + data.length;
    if (isPong) this.#unansweredSinceMs = null;
  }
}
