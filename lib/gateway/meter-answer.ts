import { countPromptTokens, type TokenCounter } from "@/lib/billing/prompt-tokens";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Usage, UsageSource } from "@/lib/kernel/usage";
import type { PromptFields } from "@/lib/protocols/adapters/client-request";
import type { Meter } from "@/lib/protocols/generation/meter";

/** The counts of an answer, and whether any of them is an estimate. */
export interface Metered {
  usage: Usage;
  source: UsageSource;
}

type Tokens = Pick<TokenCounter, "count">;

/**
 * The counts to bill and to show: the upstream's, with a tokenizer's count for missing ones. The output is estimated
 * from its beginning, because its text is not kept. Returns a promise only when a tokenizer must count. `body`: that of
 * the request. Source: docs/protocols.md#s11-5, docs/reliability.md#s2-6, docs/contract.md#b7.
 */
export function meterAnswer(
  tokens: Tokens,
  promptFields: PromptFields,
  body: JsonObject,
  meter: Meter,
): Metered | Promise<Metered> {
  const { missing } = meter;
  if (!missing.input && !missing.output) return meter.final({ input: 0, output: 0 });
  return estimateMissing(tokens, promptFields, body, meter);
}

async function estimateMissing(
  tokens: Tokens,
  promptFields: PromptFields,
  body: JsonObject,
  meter: Meter,
): Promise<Metered> {
  const { missing } = meter;
  const input = missing.input ? await countPromptTokens(body, promptFields, tokens) : 0;
  const output = missing.output ? await countOutput(tokens, meter) : 0;
  return meter.final({ input, output });
}

/** The counts to show instead of the upstream's; undefined when the upstream's are complete and plausible. */
export function shownUsage({ usage, source }: Metered, meter: Meter): Usage | undefined {
  return source === "upstream" && !meter.odd && meter.implausibleOutput === null ? undefined : usage;
}

/** Tokens of the output so far, by a tokenizer. */
export async function countOutput(tokens: Tokens, { emitted, sample }: Meter): Promise<number> {
  const characters = emitted.ascii + emitted.other;
  const sampled = await tokens.count(sample);
  return sample === "" ? 0 : Math.ceil((sampled * characters) / Math.min(sample.length, characters));
}
