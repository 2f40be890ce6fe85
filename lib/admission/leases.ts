import { randomBytes } from "node:crypto";
import { type Place, Places } from "./places";
import type { RedisCalls } from "./redis-calls";
import { LEASE_MS } from "./redis-script";

/** Three tries before a lease ends. */
const RENEW_MS = LEASE_MS / 3;
const PLACES_PER_OPERATION = 100;
/** Two processes never get the same. */
const PREFIX_BYTES = 6;

/**
 * The places of this process's running calls in the shared store. A place is held by a lease that is renewed while the
 * call runs, so that the places of a replica that dies come back by themselves; renewing also restores what a store
 * without its data has forgotten. Nothing is done while no limited call runs. Source: docs/reliability.md#account-limits.
 */
export class Leases {
  readonly places: Places;
  #timer: NodeJS.Timeout | undefined;

  /** `isReachable`: the store answers. */
  constructor(
    private readonly calls: Pick<RedisCalls, "send">,
    private readonly isReachable: () => boolean,
  ) {
    this.places = new Places(`${randomBytes(PREFIX_BYTES).toString("base64url")}.`, (place) =>
      place.held ? this.#start() : this.leave(place),
    );
  }

  /** Gives a place back in the store; one that cannot be given back now ends with its lease. */
  leave({ id, keyId, accountId, slot }: Place): void {
    if (!this.isReachable()) return;
    if (keyId !== null) this.#send("leave", keyId, id, slot);
    if (accountId !== null) this.#send("leave", accountId, id);
  }

  /** Renews all leases. */
  renew(): void {
    if (this.places.running.size === 0) this.close();
    if (!this.isReachable()) return;
    for (const [id, calls] of this.places.running) {
      const all = [...calls];
      for (let start = 0; start < all.length; start += PLACES_PER_OPERATION) {
        const some = all.slice(start, start + PLACES_PER_OPERATION);
        const slot = some[0]?.keyId === id ? some[0].slot : undefined;
        this.#send("hold", id, some.map((place) => place.id).join(" "), slot);
      }
    }
  }

  /** Ends the renewing. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#timer ??= setInterval(() => this.renew(), RENEW_MS).unref();
  }

  #send(op: "hold" | "leave", id: string, places: string, accountId?: string): void {
    this.calls.send({ op, keyId: id, values: [0, 0, 0, places], accountId });
  }
}
