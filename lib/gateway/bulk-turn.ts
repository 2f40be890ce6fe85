import type { FairSemaphore } from "@/lib/kernel/fair-semaphore";

/** Larger bodies that cost their sender little are bulk work. Units: bytes. Source: docs/reliability.md#bulk. */
export const BULK_BODY_BYTES = 1024 * 1024;

/**
 * The permit of one call for bulk work that small requests cause: taken when its work proves large, and released after
 * that work. Source: docs/reliability.md#bulk.
 */
export class BulkTurn {
  readonly #semaphore: Pick<FairSemaphore, "acquire">;
  readonly #accountId: string;
  #release: (() => void) | null = null;

  constructor(semaphore: Pick<FairSemaphore, "acquire">, accountId: string) {
    this.#semaphore = semaphore;
    this.#accountId = accountId;
  }

  /** Waits for the permit; a call that has one continues at once. Throws: NO_AVAILABLE_NODE. */
  async take(): Promise<void> {
    this.#release ??= await this.#semaphore.acquire(this.#accountId);
  }

  /** Releases the permit; does nothing for a call without one. */
  end(): void {
    this.#release?.();
    this.#release = null;
  }
}
