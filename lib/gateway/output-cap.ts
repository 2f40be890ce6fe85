import type { LimitEnding } from "@/lib/protocols/adapters/decoder";
import type { Meter } from "@/lib/protocols/generation/meter";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { MAX_TOKENS } from "@/lib/shared/prices/cost";

const CUT_PERCENT = 120;

const BILLED_PERCENT = 105;

/** More than the average of any tokenizer over a whole answer, so that no correct answer is cut. */
const ASCII_PER_TOKEN = 8;

const OTHER_PER_TOKEN = 2;

/** An answer may exceed a small limit up to this many tokens without being cut; an endless stream soon exceeds it. */
const CUT_FROM_TOKENS = 8_192;

/**
 * The most output that is billed for a limit given to the node, all choices together.
 * Units: tokens. Source: docs/contract.md#b7.
 */
export function billableOutput(maxTokens: number): number {
  return Math.min(MAX_TOKENS, Math.floor((maxTokens * BILLED_PERCENT) / 100));
}

/**
 * Detects a node that does not stop at its output limit. Reported counts may reach 1.2 times the limit; counting text
 * is less exact, so it may reach about twice the limit in prose. Source: docs/reliability.md#r-71.
 */
export class OutputCap {
  readonly #tokens: number;
  readonly #billed: number;
  readonly #ending: LimitEnding;

  /** `maxTokens`: the limit for all choices together; `ending`: that of the node's protocol. */
  constructor(maxTokens: number, ending: LimitEnding) {
    this.#ending = ending;
    this.#tokens = Math.floor((maxTokens * CUT_PERCENT) / 100);
    this.#billed = billableOutput(maxTokens);
  }

  /** Reads a frame of the node. */
  watch(frame: SseFrame): void {
    this.#ending.watch(frame);
  }

  /** True once the answer has certainly exceeded its limit. */
  isPassed({ usage, emitted }: Meter): boolean {
    const limit = Math.max(this.#tokens, CUT_FROM_TOKENS);
    if ((usage.output ?? 0) > limit) return true;
    return emitted.ascii / ASCII_PER_TOKEN + emitted.other / OTHER_PER_TOKEN > limit;
  }

  /** The frames with which a node ends that stops at its limit. */
  ending(): SseFrame[] {
    return this.#ending.frames(this.#billed);
  }
}
