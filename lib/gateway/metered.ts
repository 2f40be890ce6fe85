import { countPromptTokens } from "@/lib/billing/prompt-tokens";
import { runtime } from "@/lib/gateway/runtime";
import type { Meter } from "@/lib/protocols/generation/meter";
import type { Metered, Run } from "./run";

/**
 * The counts to bill and to show: the upstream's, with a tokenizer's count in place of what is missing. The output is
 * judged by its beginning, because the text is not kept. A claim that cannot be true stands in the log entry.
 * Source: docs/protocols.md#s11-5, docs/reliability.md#s2-6, docs/contract.md#b7.
 */
export async function meterAnswer(run: Run, meter: Meter): Promise<Metered> {
  const { missing } = meter;
  const { tokens } = runtime();
  const input = missing.input ? await countPromptTokens(run.body, tokens) : 0;
  const output = missing.output ? await countOutput(meter) : 0;
  run.metered = meter.final({ input, output });
  const claim = meter.implausibleOutput;
  if (claim !== null) run.trace.warn(["usage_implausible", `usage_implausible:output=${claim}`]);
  return run.metered;
}

/** Tokens of what was produced so far, by a tokenizer. */
export async function countOutput({ emitted, sample }: Meter): Promise<number> {
  const characters = emitted.ascii + emitted.other;
  const sampled = await runtime().tokens.count(sample);
  return sample === "" ? 0 : Math.ceil((sampled * characters) / Math.min(sample.length, characters));
}
