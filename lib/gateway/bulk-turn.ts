import type { FairSemaphore } from "@/lib/kernel/fair-semaphore";

/**
 * One call's turn among the work that small requests make the process do in bulk: taken when its work turns out to be
 * large, and given back when that work is done. Source: docs/reliability.md#bulk.
 */
export class BulkTurn {
  readonly #semaphore: Pick<FairSemaphore, "acquire">;
  readonly #accountId: string;
  #release: (() => void) | null = null;

  constructor(semaphore: Pick<FairSemaphore, "acquire">, accountId: string) {
    this.#semaphore = semaphore;
    this.#accountId = accountId;
  }

  /** Waits for the turn; a call that has it goes on at once. Throws: NO_AVAILABLE_NODE. */
  async take(): Promise<void> {
    this.#release ??= await this.#semaphore.acquire(this.#accountId);
  }

  /** Gives the turn back; does nothing for a call that has none. */
  end(): void {
    this.#release?.();
    this.#release = null;
  }
}
