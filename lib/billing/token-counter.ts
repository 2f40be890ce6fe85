import { withDeadline } from "@/lib/kernel/clock";
import { workerPath } from "@/lib/kernel/worker-path";
import { WorkerPool } from "@/lib/kernel/worker-pool";
import { countCharacters, estimateTextTokens } from "./price";

const MAX_WAITING = 256;
const WITHIN_MS = 2_000;
/** The byte formula errs high for holds; this brings it near the truth on English and code. */
const FORMULA_SHARE = 0.78;

/**
 * Counts tokens by byte-pair encoding (o200k) in a worker thread that starts with the first text. When the worker is
 * busy, slow or gone, a calibrated byte formula answers. Source: docs/protocols.md#s11-5, #d21.
 */
export class TokenCounter {
  readonly #workers = new WorkerPool<string, number>(workerPath("token-worker"), 1, MAX_WAITING);

  /** Tokens of a text. Never rejects. */
  async count(text: string): Promise<number> {
    if (text === "") return 0;
    return withDeadline(this.#workers.run(text), WITHIN_MS).catch(() => formula(text));
  }

  /** Ends the thread; texts under way get the formula's answer. */
  close(): Promise<void> {
    return this.#workers.close();
  }
}

function formula(text: string): number {
  return Math.ceil(estimateTextTokens(countCharacters(text)) * FORMULA_SHARE);
}
