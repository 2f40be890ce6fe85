/** Bounds how many things of a kind happen at once in this process; nobody waits. */
export class Semaphore {
  #taken = 0;

  constructor(readonly most: number) {}

  /** Takes a permit; false when none is left. Each success needs one `release`. */
  tryAcquire(): boolean {
    if (this.#taken >= this.most) return false;
    this.#taken += 1;
    return true;
  }

  /** Gives a permit back. */
  release(): void {
    this.#taken -= 1;
  }
}
