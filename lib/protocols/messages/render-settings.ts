import { pseudonymize } from "@/lib/kernel/hash";
import type { JsonObject } from "@/lib/kernel/json";
import { fieldOf } from "../passes/fields";
import { jsonInstruction, schemaInstruction } from "../passes/notes";
import type { Rendering } from "../passes/rendering";
import { clampTemperature } from "../passes/sampling";
import { cleanSchema } from "../passes/schema-clean";
import type { ReasoningPlan } from "./reasoning-plan";

/** Structured output: natively as `format`, else as an instruction that ends the system prompt. */
export interface OutputForm {
  format: JsonObject | null;
  instruction: string | null;
}

/** The form of the answer. Source: docs/protocols.md#s4-8, #d7. */
export function outputForm({ request, profile, losses }: Rendering): OutputForm {
  const wanted = request.outputFormat;
  if (wanted === null) return { format: null, instruction: null };
  if (wanted.kind === "json") {
    losses.add(`changed:${wanted.source}`);
    return { format: null, instruction: jsonInstruction };
  }
  const schema = profile.structuredOutput ? cleanSchema(wanted.schema) : null;
  if (schema !== null) return { format: { type: "json_schema", schema }, instruction: null };
  losses.add(`changed:${wanted.source}`);
  return { format: null, instruction: schemaInstruction(wanted.schema) };
}

/** The stop sequences that a node takes: none that are blank. */
export function usableStops(rendering: Rendering): string[] {
  const { stop } = rendering.request;
  const usable = stop.filter((text) => text.trim() !== "");
  if (usable.length < stop.length) rendering.losses.dropped(fieldOf(rendering, "stop", "stop"));
  return usable;
}

const neutral: Record<string, number> = { temperature: 1, top_p: 1 };

/** temperature, top_p and top_k as far as the model takes them now. Source: docs/protocols.md#s4-1, #s4-2, #d2. */
export function addSampling(body: JsonObject, plan: ReasoningPlan, rendering: Rendering): void {
  const { profile, losses, request } = rendering;
  const { temperature, topP, topK } = request.sampling;
  const wanted: JsonObject = {};
  if (temperature !== null) wanted.temperature = temperature;
  if (topP !== null) wanted.top_p = topP;
  // Several servers read -1 as "no limit", which is what leaving it out means here.
  if (topK !== null && topK >= 1) wanted.top_k = topK;
  clampTemperature(wanted, profile, losses);
  if (profile.sampling !== "full" || plan.mode !== "off") {
    for (const field in wanted) if (wanted[field] !== neutral[field]) losses.dropped(field);
    return;
  }
  if (temperature !== null && topP !== null && !profile.tempAndTopP) {
    if (topP !== 1) losses.dropped("top_p");
    delete wanted.top_p;
  }
  Object.assign(body, wanted);
}

/** Who asks, hashed, and the service tier. Source: docs/protocols.md#s4-1. */
export function addCaller(body: JsonObject, rendering: Rendering): void {
  const { request, profile, target } = rendering;
  if (request.caller !== null && request.caller !== "")
    body.metadata = { user_id: pseudonymize(target.provenanceKey, request.caller) };
  if (request.serviceTier === null) return;
  if (profile.serviceTier && request.serviceTier !== "other")
    body.service_tier = request.serviceTier === "standard" ? "standard_only" : "auto";
  else rendering.losses.dropped(fieldOf(rendering, "serviceTier", "service_tier"));
}
