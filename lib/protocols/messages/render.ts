import type { JsonObject } from "@/lib/kernel/json";
import { refusedHere } from "../generation/compatibility";
import { refusal } from "../generation/problems";
import type { GenerationRequest } from "../generation/request";
import { firstVersion, strictVersion } from "../generation/version";
import { fieldOf, noteDroppedFields, refuseFields } from "../passes/fields";
import { outputLimit } from "../passes/output-limit";
import { openRendering, type Rendering } from "../passes/rendering";
import type { Rendered, Target } from "../request-adapter";
import { arrangeCacheControl } from "./cache-control";
import { messagesConcepts, toolIdPrefix } from "./fields";
import { planReasoning, type ReasoningPlan } from "./reasoning-plan";
import { type History, renderHistory } from "./render-history";
import { addCaller, addSampling, type OutputForm, outputForm, usableStops } from "./render-settings";
import { isForced, renderTools, selectTools, type ToolSelection, toolsOfHistory } from "./render-tools";
import { ensureUserBoundaries } from "./user-boundaries";

/** The body of a messages node. Throws: INVALID_REQUEST naming the client's field. Source: docs/protocols.md#s4. */
export function renderMessages(request: GenerationRequest, target: Target): Rendered {
  const rendering = openRendering(request, target, toolIdPrefix);
  const { losses, names } = rendering;
  refuseUnsupported(rendering);
  noteDroppedFields(rendering, messagesConcepts);
  const maxTokens = outputLimit(request.outputLimit, target, losses);
  const declared = renderTools(rendering);
  const history = renderHistory(rendering);
  const planned = planReasoning(history.turns, maxTokens, rendering);
  const chosen = chooseTools(declared, history, rendering);
  const { plan, selection } = reconcile(planned, chosen, rendering);
  const body = assemble({ maxTokens, history, plan, selection }, rendering);
  return {
    body,
    headers: { "anthropic-version": target.profile.sampling === "full" ? firstVersion : strictVersion },
    losses: losses.list(),
    stream: true,
    clientStream: request.stream,
    choices: 1,
    maxTokens,
    limitChosen: request.outputLimit === null,
    toolNames: names.aliases,
    hideReasoning: request.reasoning.hidden,
    singleToolCall: false,
  };
}

interface BodyParts {
  maxTokens: number;
  history: History;
  plan: ReasoningPlan;
  selection: ToolSelection;
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

function assemble({ maxTokens, history, plan, selection }: BodyParts, rendering: Rendering): JsonObject {
  const { target, profile, losses } = rendering;
  const output = outputForm(rendering);
  const turns = ensureUserBoundaries(history.turns, plan.mode === "off", rendering);
  const stop = usableStops(rendering);
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
  body.stream = true;
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

// A forced call and a thinking budget exclude each other; what the client said more loosely gives way.
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
