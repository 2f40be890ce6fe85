import { isKeyUsable } from "@/lib/accounts/gateway-key";
import { WallClock } from "@/lib/kernel/clock";
import type { Watched } from "@/lib/kernel/deadlines";
import { SECOND_MS } from "@/lib/kernel/durations";
import type { SocketBounds } from "./bounds";
import { ClientSocket, type OpenedSocket, type SocketParts } from "./client-socket";
import { MemoryPool } from "./remembered";
import type { SocketGateway } from "./socket-gateway";

const LOOK_MS = SECOND_MS;

/** The sockets of a process: their number, their times, and their keys. Source: docs/websocket.md#bounds, #keys. */
export class ClientSockets implements Watched {
  readonly #gateway: SocketGateway;
  readonly #bounds: SocketBounds;
  readonly #parts: SocketParts;
  readonly #pool: MemoryPool;
  readonly #sockets = new Set<ClientSocket>();
  readonly #ofKey = new Map<string, number>();
  #lookedAtMs = 0;
  #askedAtMs = 0;

  constructor(gateway: SocketGateway, bounds: SocketBounds) {
    this.#gateway = gateway;
    this.#bounds = bounds;
    this.#pool = new MemoryPool(bounds.rememberedBytesInAll);
    this.#parts = {
      gateway,
      bounds,
      wall: new WallClock(gateway.clock),
      pool: this.#pool,
      onClose: (socket, code) => this.#closed(socket, code),
      failed: (error) => gateway.log.error({ err: error }, "a turn of a WebSocket failed"),
    };
    gateway.drain.onBegin(() => this.#drain());
  }

  /** Sockets that are open. */
  get size(): number {
    return this.#sockets.size;
  }

  /** What they remember. Units: bytes. */
  get rememberedBytes(): number {
    return this.#pool.bytes;
  }

  /** Why a key can have no further socket, in words; null: it can. */
  full(keyId: string): string | null {
    const { perKey, perProcess } = this.#bounds;
    if (this.#sockets.size >= perProcess) return "Too many WebSockets are open here.";
    if ((this.#ofKey.get(keyId) ?? 0) >= perKey)
      return `The key has ${perKey} WebSockets open, which is the most that one may have.`;
    return null;
  }

  /** Serves a socket until it closes. */
  add(opened: OpenedSocket): void {
    const socket = new ClientSocket(this.#parts, opened);
    this.#sockets.add(socket);
    this.#ofKey.set(socket.keyId, (this.#ofKey.get(socket.keyId) ?? 0) + 1);
    this.#gateway.deadlines.watch(this);
    if (this.#gateway.drain.draining) socket.drain();
  }

  /** Called four times a second. */
  onSweep(nowMs: number): boolean {
    if (nowMs - this.#lookedAtMs < LOOK_MS) return this.#sockets.size > 0;
    this.#lookedAtMs = nowMs;
    for (const socket of this.#sockets) socket.look(nowMs);
    if (nowMs - this.#askedAtMs >= this.#bounds.keyMs) {
      this.#askedAtMs = nowMs;
      this.#askForKeys(nowMs);
    }
    return this.#sockets.size > 0;
  }

  /** Ends the sockets of keys that cannot be used any more. */
  #askForKeys(nowMs: number): void {
    const { keys } = this.#gateway;
    const hashes = new Set<string>();
    for (const { keyHash } of this.#sockets) hashes.add(keyHash);
    for (const hash of hashes) {
      const known = keys.peek(hash, nowMs);
      if (known === undefined) void this.#lookUp(hash);
      else if (known === null || !isKeyUsable(known, nowMs)) this.#endKey(hash);
    }
  }

  /** A key that cannot be looked up now is looked up again later; a turn does not begin without it. */
  async #lookUp(hash: string): Promise<void> {
    try {
      const key = await this.#gateway.keys.get(hash);
      if (key === null || !isKeyUsable(key, this.#gateway.clock.nowMs())) this.#endKey(hash);
    } catch (error) {
      this.#gateway.log.debug({ err: error }, "the key of a WebSocket could not be looked up");
    }
  }

  #endKey(hash: string): void {
    for (const socket of this.#sockets) if (socket.keyHash === hash) socket.keyEnded();
  }

  #drain(): void {
    for (const socket of this.#sockets) socket.drain();
  }

  #closed(socket: ClientSocket, code: number): void {
    if (!this.#sockets.delete(socket)) return;
    const left = (this.#ofKey.get(socket.keyId) ?? 1) - 1;
    if (left > 0) this.#ofKey.set(socket.keyId, left);
    else this.#ofKey.delete(socket.keyId);
    this.#gateway.metrics.socketClosed(code);
  }
}
