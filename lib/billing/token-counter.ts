import { Worker } from "node:worker_threads";
import { workerPath } from "@/lib/kernel/worker-path";
import { countCharacters, estimateTextTokens } from "./estimate";
import type { TokenAnswer, TokenTask } from "./token-worker";

const MAX_WAITING = 256;
const WITHIN_MS = 2_000;
/** The byte formula errs high for holds; this brings it near the truth on English and code. */
const FORMULA_SHARE = 0.78;

/**
 * Counts tokens by byte-pair encoding (o200k) in a worker thread that starts with the first text. When the worker is
 * busy, slow or gone, a calibrated byte formula answers. Source: docs/protocols.md#s11-5, #d21.
 */
export class TokenCounter {
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, (tokens: number) => void>();
  #nextId = 1;

  /** Tokens of a text. Never rejects. */
  count(text: string): Promise<number> {
    if (text === "") return Promise.resolve(0);
    const fallback = formula(text);
    if (this.#waiting.size >= MAX_WAITING) return Promise.resolve(fallback);
    return new Promise((resolve) => {
      const id = this.#nextId++;
      const timer = setTimeout(() => settle(fallback), WITHIN_MS);
      const settle = (tokens: number) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#worker?.unref();
        resolve(tokens);
      };
      this.#waiting.set(id, settle);
      const worker = this.#running();
      worker.ref();
      worker.postMessage({ id, text } satisfies TokenTask);
    });
  }

  /** Ends the thread; texts under way get the formula's answer. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(workerPath("token-worker"));
    worker.on("message", ({ id, tokens }: TokenAnswer) => this.#waiting.get(id)?.(tokens));
    // What waits is answered by its own timer.
    worker.on("error", () => this.#lose(worker));
    worker.on("exit", () => this.#lose(worker));
    this.#worker = worker;
    return worker;
  }

  #lose(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
  }
}

function formula(text: string): number {
  return Math.ceil(estimateTextTokens(countCharacters(text)) * FORMULA_SHARE);
}
