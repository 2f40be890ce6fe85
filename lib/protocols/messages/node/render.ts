import { pseudonymize } from "@/lib/kernel/hash";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type OfferedCalls, offerCalls } from "@/lib/kernel/usage";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { refusal, refusedHere } from "@/lib/protocols/generation/problems";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import { firstVersion, strictVersion } from "@/lib/protocols/generation/version";
import { toolIdPrefix } from "@/lib/protocols/messages/tool-ids";
import {
  asksForStream,
  clampTemperature,
  endedHere,
  fieldOf,
  jsonInstruction,
  noteDroppedFields,
  type OutputForm,
  openRendering,
  outputLimit,
  type Rendering,
  refuseFields,
  schemaInstruction,
} from "@/lib/protocols/passes/rendering";
import { cleanSchema } from "@/lib/protocols/passes/schema-clean";
import { arrangeCacheControl } from "./cache-control";
import { messagesConcepts } from "./concepts";
import { makesCodeFree, withFreeCode } from "./free-code";
import { planReasoning, type ReasoningPlan } from "./reasoning-plan";
import { ensureUserBoundaries, type History, renderHistory } from "./render-history";
import { renderTools } from "./render-tools";
import { isForced, selectTools, type ToolSelection, toolsOfHistory } from "./select-tools";

/** The body of a messages node. Throws: INVALID_REQUEST naming the client's field. Source: docs/protocols.md#s4. */
export function renderMessages(request: GenerationRequest, target: Target): Rendered {
  const rendering = openRendering(request, target, toolIdPrefix);
  const { losses, names } = rendering;
  refuseUnsupported(rendering);
  noteDroppedFields(rendering, messagesConcepts);
  const maxTokens = outputLimit(request.outputLimit, target, losses, {
    longAnswers: request.longAnswers,
    choices: 1,
  });
  const declared = renderTools(rendering);
  const history = renderHistory(rendering);
  const planned = planReasoning(history.turns, maxTokens, rendering);
  const chosen = chooseTools(declared, history, rendering);
  const { plan, selection } = reconcile(planned, chosen, rendering);
  const stream = asksForStream(request, maxTokens);
  const output = outputForm(rendering);
  const body = assemble({ maxTokens, stream, history, plan, selection, output }, rendering);
  const rendered: Rendered = {
    body,
    headers: { "anthropic-version": target.profile.sampling === "full" ? firstVersion : strictVersion },
    losses: losses.list(),
    stream,
    clientStream: request.stream,
    choices: 1,
    maxTokens,
    limitChosen: request.outputLimit === null,
    toolNames: names.aliases,
    wrappedTools: rendering.wrappedTools,
    hideReasoning: request.reasoning.hidden,
    singleToolCall: false,
    ...endedHere(request.stop.filter(isBlank)),
  };
  const offered = offeredSearches(selection.tools, target);
  if (offered !== null) rendered.offeredCalls = offered;
  if (output.instruction !== null) rendered.jsonInWords = true;
  return rendered;
}

/**
 * The searches that the node may run, as many as the limits in its tools; null: none. Source: docs/responses.md#s3-6.
 */
function offeredSearches(tools: readonly JsonObject[], { profile, perCall }: Target): OfferedCalls | null {
  const searches = tools.filter(({ type }) => type !== undefined && type === profile.webSearch);
  if (searches.length === 0) return null;
  const most = searches.reduce((sum, { max_uses: uses }) => sum + Number(uses), 0);
  const { offered } = offerCalls(["webSearch"], most, perCall);
  return searches.some(makesCodeFree) ? withFreeCode(offered) : offered;
}

interface BodyParts {
  maxTokens: number;
  stream: boolean;
  history: History;
  plan: ReasoningPlan;
  selection: ToolSelection;
  output: OutputForm;
}

function refuseUnsupported(rendering: Rendering): void {
  const { request, target, words, losses } = rendering;
  if (request.choices !== 1) {
    if (target.compatibility !== "lenient") throw refusedHere(words.choices(), "one is asked for");
    losses.dropped(fieldOf(rendering, "choices", "n"));
  }
  if (request.audioOutput) throw refusal(words.audioOutput());
  if (request.otherModalities) throw refusal(words.outputModalities());
  if (request.blockingModeration) throw refusal(words.moderation());
  refuseFields(rendering, messagesConcepts, "serverState");
}

function assemble(parts: BodyParts, rendering: Rendering): JsonObject {
  const { maxTokens, stream, history, plan, selection, output } = parts;
  const { request, target, profile, losses } = rendering;
  const turns = ensureUserBoundaries(history.turns, plan.mode === "off", rendering);
  const stop = request.stop.filter((sequence) => !isBlank(sequence));
  const { system } = history;
  if (output.instruction !== null) system.push({ type: "text", text: output.instruction });
  const body: JsonObject = { model: target.upstreamModel, max_tokens: maxTokens };
  if (system.length > 0) body.system = system;
  body.messages = turns;
  if (selection.tools.length > 0) body.tools = selection.tools;
  if (selection.choice !== null) body.tool_choice = selection.choice;
  if (plan.thinking !== null) body.thinking = plan.thinking;
  addOutputConfig(body, plan, output);
  addSampling(body, plan, rendering);
  if (stop.length > 0) body.stop_sequences = stop;
  addCaller(body, rendering);
  if (stream) body.stream = true;
  arrangeCacheControl(body, profile.autoCache, losses);
  return body;
}

function addOutputConfig(body: JsonObject, { effort }: ReasoningPlan, { format }: OutputForm): void {
  if (effort === null && format === null) return;
  const config: JsonObject = {};
  if (effort !== null) config.effort = effort;
  if (format !== null) config.format = format;
  body.output_config = config;
}

function chooseTools(declared: JsonObject[], history: History, rendering: Rendering): ToolSelection {
  if (declared.length > 0 || !rendering.profile.toolsForHistory) return selectTools(declared, rendering);
  const tools = toolsOfHistory(history.turns);
  if (tools.length === 0) return { tools, choice: null };
  rendering.losses.add("added:tools");
  return { tools, choice: { type: "none" } };
}

// A forced call and a thinking budget exclude each other; the less explicit wish of the client is dropped.
function reconcile(plan: ReasoningPlan, selection: ToolSelection, { profile, losses }: Rendering) {
  if (!isForced(selection.choice)) return { plan, selection };
  if (profile.forcedTool) {
    if (plan.mode !== "enabled") return { plan, selection };
    if (!plan.explicit) {
      losses.dropped(plan.field);
      const without: ReasoningPlan = { ...plan, mode: "off", thinking: null, effort: null };
      return { plan: without, selection };
    }
  }
  losses.add("changed:tool_choice");
  const { name: _name, ...choice } = { ...selection.choice, type: "auto" } as JsonObject; // an object with one more field
  return { plan, selection: { ...selection, choice } };
}

/** `output_config.format`, or an instruction at the end of the system prompt. Source: docs/protocols.md#s4-8, #d7. */
function outputForm({ request, profile, losses }: Rendering): OutputForm {
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

/**
 * True for a blank stop sequence: nodes refuse it, and the gateway itself ends the answer at it. Source:
 * docs/protocols.md#s10-1.
 */
function isBlank(sequence: string): boolean {
  return sequence.trim() === "";
}

const neutral: Record<string, number> = { temperature: 1, top_p: 1 };

/**
 * temperature, top_p and top_k as far as the model accepts them under the plan. Source: docs/protocols.md#s4-1, #s4-2,
 * #d2.
 */
function addSampling(body: JsonObject, plan: ReasoningPlan, rendering: Rendering): void {
  const { profile, losses, request } = rendering;
  const { temperature, topP, topK } = request.sampling;
  const wanted: JsonObject = {};
  if (temperature !== null) wanted.temperature = temperature;
  if (topP !== null) wanted.top_p = topP;
  // Several servers read -1 as "no limit"; here the field is left out for that.
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

/** The caller, hashed, and the service tier. Source: docs/protocols.md#s4-1. */
function addCaller(body: JsonObject, rendering: Rendering): void {
  const { request, profile, target } = rendering;
  if (request.caller !== null && request.caller !== "")
    body.metadata = { user_id: pseudonymize(target.provenanceKey, request.caller) };
  if (request.serviceTier === null) return;
  if (profile.serviceTier && request.serviceTier !== "other" && request.serviceTier !== "flex")
    body.service_tier = request.serviceTier === "standard" ? "standard_only" : "auto";
  else rendering.losses.dropped(fieldOf(rendering, "serviceTier", "service_tier"));
}
