import { randomBytes } from "node:crypto";
import { type Place, Places } from "./places";
import type { LimitOperation, LimitReply, RedisCalls } from "./redis-calls";
import { LEASE_MS } from "./redis-script";

/** A lease is renewed up to three times before it ends. */
const RENEW_MS = LEASE_MS / 3;
const PLACES_PER_OPERATION = 100;
const MAX_UNRETURNED = 10_000;
/** Long enough that two processes never get the same prefix. */
const PREFIX_BYTES = 6;

/**
 * The places of this process's running calls in the shared store. A place is held by a lease that is renewed while the
 * call runs, so that the places of a replica that dies are freed automatically; renewing also restores places after the
 * store has lost its data. Nothing is sent while no limited call runs. Source: docs/reliability.md#account-limits.
 */
export class Leases {
  readonly places: Places;
  readonly #unreturned = new Set<Place>();
  #timer: NodeJS.Timeout | undefined;
  readonly #calls: Pick<RedisCalls, "send" | "run">;
  readonly #isReachable: () => boolean;

  /** `isReachable`: the store answers. */
  constructor(calls: Pick<RedisCalls, "send" | "run">, isReachable: () => boolean) {
    this.#calls = calls;
    this.#isReachable = isReachable;

    this.places = new Places(`${randomBytes(PREFIX_BYTES).toString("base64url")}.`, (place) =>
      place.held ? this.#start() : this.leave(place),
    );
  }

  /** Releases a place in the store. If the store does not answer now, it is released later. */
  leave(place: Place): void {
    const { id, keyId, accountId, slot } = place;
    if (!this.#isReachable()) {
      this.#keep(place);
      return;
    }
    const asked: Promise<LimitReply | null>[] = [];
    if (keyId !== null) asked.push(this.#calls.run(operationOf("leave", keyId, id, slot)));
    if (accountId !== null) asked.push(this.#calls.run(operationOf("leave", accountId, id)));
    void Promise.all(asked).then((replies) => {
      if (replies.includes(null)) this.#keep(place);
    });
  }

  /** Renews all leases. */
  renew(): void {
    if (this.places.running.size === 0 && this.#unreturned.size === 0) this.close();
    if (!this.#isReachable()) return;
    const unreturned = [...this.#unreturned];
    this.#unreturned.clear();
    for (const place of unreturned) this.leave(place);
    for (const [id, calls] of this.places.running) {
      const all = [...calls];
      for (let start = 0; start < all.length; start += PLACES_PER_OPERATION) {
        const some = all.slice(start, start + PLACES_PER_OPERATION);
        const slot = some[0]?.keyId === id ? some[0].slot : undefined;
        this.#calls.send(operationOf("hold", id, some.map((place) => place.id).join(" "), slot));
      }
    }
  }

  /** Stops renewing. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#timer ??= setInterval(() => this.renew(), RENEW_MS).unref();
  }

  /** Keeps at most this many places to release later; the leases of all others expire. */
  #keep(place: Place): void {
    if (this.#unreturned.size < MAX_UNRETURNED) this.#unreturned.add(place);
    this.#start();
  }
}

function operationOf(op: "hold" | "leave", id: string, places: string, accountId?: string): LimitOperation {
  return { op, keyId: id, values: [0, 0, 0, places], accountId };
}
