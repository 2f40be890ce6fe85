/** The place of one call among the running calls of its key and its account. */
export class Place {
  #held = false;
  readonly #places: Places;

  /**
   * `keyId`, `accountId`: null where the calls at once are not limited. `slot`: the account, where it has limits of any
   * kind.
   */
  constructor(
    places: Places,
    readonly id: string,
    readonly keyId: string | null,
    readonly accountId: string | null,
    readonly slot: string | undefined,
  ) {
    this.#places = places;
  }

  /** True while the call counts as running. */
  get held(): boolean {
    return this.#held;
  }

  /** Counts the call as running. */
  hold(): void {
    this.#held = true;
    this.#places.add(this);
  }

  /** Gives the place back; further calls do nothing. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#places.remove(this);
  }
}

/**
 * The running calls of this process, only of keys and accounts whose calls at once are limited.
 * Source: docs/reliability.md#account-limits.
 */
export class Places {
  readonly #running = new Map<string, Set<Place>>();
  readonly #prefix: string;
  readonly #onChange: (place: Place) => void;
  #made = 0;

  /**
   * `prefix` distinguishes the places of this process from those of others. `onChange`: a place was taken or released.
   */
  constructor(prefix = "", onChange: (place: Place) => void = () => {}) {
    this.#prefix = prefix;
    this.#onChange = onChange;
  }

  /** A place that is not taken yet. */
  make(keyId: string | null, accountId: string | null, slot?: string): Place {
    this.#made += 1;
    return new Place(this, `${this.#prefix}${this.#made.toString(36)}`, keyId, accountId, slot);
  }

  /** How many calls of a key or an account run. */
  count(id: string): number {
    return this.#running.get(id)?.size ?? 0;
  }

  /** Keys and accounts with their running calls. */
  get running(): ReadonlyMap<string, ReadonlySet<Place>> {
    return this.#running;
  }

  /** See `Place.hold`. */
  add(place: Place): void {
    for (const id of [place.keyId, place.accountId]) {
      if (id === null) continue;
      const calls = this.#running.get(id);
      if (calls === undefined) this.#running.set(id, new Set([place]));
      else calls.add(place);
    }
    this.#onChange(place);
  }

  /** See `Place.release`. */
  remove(place: Place): void {
    for (const id of [place.keyId, place.accountId]) {
      if (id === null) continue;
      const calls = this.#running.get(id);
      calls?.delete(place);
      if (calls?.size === 0) this.#running.delete(id);
    }
    this.#onChange(place);
  }
}
