/** A counting semaphore without a queue. */
export class Semaphore {
  #acquired = 0;

  constructor(readonly capacity: number) {}

  /** Takes a permit; false when none is free. Each success needs one `release`. */
  tryAcquire(): boolean {
    if (this.#acquired >= this.capacity) return false;
    this.#acquired += 1;
    return true;
  }

  /** Gives a permit back. */
  release(): void {
    this.#acquired -= 1;
  }
}
