import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";

const MIB = 1_024 * 1_024;

/** What sockets of clients may take. Units are in the names. Source: docs/websocket.md#bounds. */
export interface SocketBounds {
  readonly perKey: number;
  readonly perProcess: number;
  /** Turns of one socket that run at once. */
  readonly running: number;
  /** Turns that wait for their lane. */
  readonly waitingInLane: number;
  readonly waitingOnSocket: number;
  /** Without a turn and without a message. */
  readonly idleMs: number;
  /** No turn begins on an older socket. */
  readonly ageMs: number;
  readonly pingMs: number;
  readonly pongMs: number;
  /** From the first byte of a message to its last. */
  readonly messageMs: number;
  /** How long a client may read nothing of what waits for it. */
  readonly stalledMs: number;
  /** More than this does not wait for a slow reader before its turns do. */
  readonly bufferedBytes: number;
  readonly rememberedBytesPerSocket: number;
  readonly rememberedBytesInAll: number;
  /** How often the key of an idle socket is looked at. */
  readonly keyMs: number;
  /** How long the other side may take to close. */
  readonly closeMs: number;
}

export const socketBounds: SocketBounds = {
  perKey: 16,
  perProcess: 4_000,
  running: 8,
  waitingInLane: 4,
  waitingOnSocket: 32,
  idleMs: 10 * MINUTE_MS,
  ageMs: HOUR_MS,
  pingMs: 30 * SECOND_MS,
  pongMs: MINUTE_MS,
  messageMs: 30 * SECOND_MS,
  stalledMs: MINUTE_MS,
  bufferedBytes: 256 * 1_024,
  rememberedBytesPerSocket: 32 * MIB,
  rememberedBytesInAll: 512 * MIB,
  keyMs: 5 * SECOND_MS,
  closeMs: 5 * SECOND_MS,
};
