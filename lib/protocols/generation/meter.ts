import { countNonAscii } from "@/lib/kernel/count-non-ascii";
import { CallCount, type OfferedCalls, type Usage, type UsageSource } from "@/lib/kernel/usage";
import type { FinishReason, GenerationEvent, PartialUsage } from "./events";

const fields = ["inputUncached", "cacheRead", "cacheWrite", "output", "reasoning"] as const;

const SAMPLE_CHARACTERS = 4_096;

/** Characters in two groups with different token estimates. */
export interface EmittedCharacters {
  ascii: number;
  other: number;
}

/** The counts that must be estimated: not reported, implausible, or contradicted by the output. */
export interface MissingCounts {
  input: boolean;
  output: boolean;
}

/**
 * Reads the events of one answer and stores the numbers to bill: the latest counts and the size of the output.
 * Of the text it stores only the beginning. Source: docs/protocols.md#s11-6, docs/reliability.md#s2-6.
 */
export class Meter {
  /** The latest plausible counts; absent is not zero. */
  readonly usage: PartialUsage = {};
  /** The characters of all output of the model: text, reasoning, refusals, names and arguments of its own calls. */
  readonly emitted: EmittedCharacters = { ascii: 0, other: 0 };
  /** The beginning of the output, for an estimate of the characters per token. */
  sample = "";
  /** True after an invalid count: no whole number from 0, or beyond the ceiling. */
  odd = false;
  toolCalls = 0;
  /** Calls of tools that the node ran and bills. */
  readonly calls: CallCount;
  finish: FinishReason | null = null;
  /** True once the answer has ended without failure. */
  ended = false;
  /** True once the node has reported the counts of the whole answer. */
  counted = false;
  /** The most output that is billed. Units: tokens. */
  readonly outputCap: number;
  readonly #ceiling: number;
  /** The slot of the latest call by a program; its arguments follow it. */
  #programSlot = -1;
  /** The greatest output count that was reported, accepted or not. */
  #claim = 0;
  /** The output count that a node reported before any output. */
  #placeholder: number | undefined;

  /** `ceiling`: counts above it are refused; twice the context window if that is known. Units: tokens. */
  constructor(ceiling = 20_000_000, outputCap = Number.POSITIVE_INFINITY, offered?: OfferedCalls) {
    this.calls = new CallCount(offered);
    this.#ceiling = ceiling;
    this.outputCap = outputCap;
  }

  /** Handles the next event of the answer. */
  push(event: GenerationEvent): void {
    switch (event.type) {
      case "text":
      case "reasoning":
      case "refusal":
        this.#count(event.text);
        return;
      case "tool_args":
        if (event.slot !== this.#programSlot) this.#count(event.text);
        return;
      case "tool_open":
        this.toolCalls += 1;
        if (event.byProgram === true) this.#programSlot = event.slot;
        else this.#count(event.name);
        return;
      case "usage":
        this.#take(event.usage, event.early === true);
        return;
      case "finish":
        this.finish = event.reason;
        return;
      case "end":
        this.ended = true;
        this.counted = true;
        return;
      case "hosted_call":
        if (event.total === undefined) this.calls.add(event.tool);
        else this.calls.setTotal(event.tool, event.total);
        return;
      case "start":
      case "choice":
      case "message":
      case "other_item":
      case "media":
      case "reasoning_signature":
      case "reasoning_opaque":
      case "tool_close":
      case "search":
      case "citation":
      case "ping":
      case "error":
        return;
      case "warning":
        this.odd ||= event.code.startsWith("usage:");
        return;
    }
  }

  /** True when the answer has any output. */
  get produced(): boolean {
    return this.emitted.ascii > 0 || this.emitted.other > 0;
  }

  /** A reported output count above every limit; null: none. Source: docs/contract.md#b7. */
  get implausibleOutput(): number | null {
    const claim =
      this.usage.output === undefined ? Math.max(this.#claim, this.#placeholder ?? 0) : this.#claim;
    return claim > Math.min(this.#ceiling, this.outputCap) ? claim : null;
  }

  /** The counts that need an estimate. Source: docs/reliability.md#s2-6. */
  get missing(): MissingCounts {
    const { inputUncached, cacheRead = 0, cacheWrite = 0, output } = this.usage;
    const worked = this.produced || (output ?? 0) > 0;
    const prompt = (inputUncached ?? 0) + cacheRead + cacheWrite;
    return {
      input: inputUncached === undefined || (prompt === 0 && worked),
      output: output === undefined ? this.#outputUnreported : output === 0 && this.produced,
    };
  }

  get #outputUnreported(): boolean {
    return this.#placeholder === undefined || this.produced;
  }

  /** The counts to bill: those of the node, with the estimate for missing ones. */
  final(estimate: { input: number; output: number }): { usage: Usage; source: UsageSource } {
    const { inputUncached = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = this.usage;
    const missing = this.missing;
    const least = this.#placeholder ?? 0;
    const output = missing.output ? Math.max(estimate.output, least) : (this.usage.output ?? least);
    const billedOutput = Math.min(this.outputCap, output);
    const usage: Usage = {
      inputUncached: missing.input ? Math.max(0, estimate.input - cacheRead - cacheWrite) : inputUncached,
      cacheRead,
      cacheWrite,
      output: billedOutput,
      reasoning: Math.min(reasoning, billedOutput),
    };
    const { parts, served } = this.usage;
    if (parts !== undefined) usage.parts = parts;
    if (served !== undefined) usage.served = served;
    if (this.calls.billed !== undefined) usage.calls = this.calls.billed;
    return { usage, source: missing.input || missing.output ? "estimated" : "upstream" };
  }

  #take(usage: PartialUsage, early: boolean): void {
    for (const field of fields) {
      const value = usage[field];
      if (value === undefined) continue;
      if (field === "output" && !early) this.#claim = Math.max(this.#claim, value);
      if (value > this.#ceiling) this.odd = true;
      else if (field === "output" && early) this.#placeholder = value;
      else this.usage[field] = value;
    }
    if (usage.parts !== undefined) this.usage.parts = usage.parts;
    if (usage.served !== undefined) this.usage.served = usage.served;
  }

  #addToSample(text: string): void {
    this.sample += text.slice(0, SAMPLE_CHARACTERS);
    // A substring keeps the whole wire text in memory; a copy does not.
    if (this.sample.length >= SAMPLE_CHARACTERS) this.sample = Buffer.from(this.sample).toString();
  }

  #count(text: string): void {
    if (this.sample.length < SAMPLE_CHARACTERS) this.#addToSample(text);
    const other = countNonAscii(text);
    this.emitted.other += other;
    this.emitted.ascii += text.length - other;
  }
}
