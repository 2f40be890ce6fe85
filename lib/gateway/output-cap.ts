import { MAX_TOKENS } from "@/lib/billing/price";
import type { LimitEnding } from "@/lib/protocols/adapters/decoder";
import type { Meter } from "@/lib/protocols/generation/meter";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

const CUT_PERCENT = 120;

const BILLED_PERCENT = 105;

/** More than any tokenizer puts into one token over a whole answer, so that no honest answer is cut. */
const ASCII_PER_TOKEN = 8;

const OTHER_PER_TOKEN = 2;

/** Overshooting a small ceiling does no harm worth a cut answer; an endless stream passes this soon enough. */
const CUT_FROM_TOKENS = 8_192;

/**
 * What a node may claim as output of the ceiling that it was given, all choices together; no more is billed.
 * Units: tokens. Source: docs/contract.md#b7.
 */
export function billableOutput(maxTokens: number): number {
  return Math.min(MAX_TOKENS, Math.floor((maxTokens * BILLED_PERCENT) / 100));
}

/**
 * Watches for a node that does not stop at the ceiling it was given. Told counts are believed at 1.2 times the
 * ceiling; text is judged more carefully, about twice the ceiling in prose. Source: docs/reliability.md#r-71.
 */
export class OutputCap {
  readonly #tokens: number;
  readonly #billed: number;
  readonly #ending: LimitEnding;

  /** `maxTokens`: of all choices together; `ending`: of the node's protocol. */
  constructor(maxTokens: number, ending: LimitEnding) {
    this.#ending = ending;
    this.#tokens = Math.floor((maxTokens * CUT_PERCENT) / 100);
    this.#billed = billableOutput(maxTokens);
  }

  /** Takes note of a node's frame. */
  watch(frame: SseFrame): void {
    this.#ending.watch(frame);
  }

  /** True once the answer has surely passed its ceiling. */
  isPassed({ usage, emitted }: Meter): boolean {
    const limit = Math.max(this.#tokens, CUT_FROM_TOKENS);
    if ((usage.output ?? 0) > limit) return true;
    return emitted.ascii / ASCII_PER_TOKEN + emitted.other / OTHER_PER_TOKEN > limit;
  }

  /** The frames with which a node that stopped at its ceiling would have ended. */
  ending(): SseFrame[] {
    return this.#ending.frames(this.#billed);
  }
}
