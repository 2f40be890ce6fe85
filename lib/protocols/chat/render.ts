import type { JsonObject } from "@/lib/kernel/json";
import type { GenerationRequest } from "../generation/request";
import { noteDroppedFields, refuseFields } from "../passes/fields";
import { outputLimit } from "../passes/output-limit";
import { openRendering, type Rendering } from "../passes/rendering";
import type { Rendered, Target } from "../request-adapter";
import { chatConcepts } from "./fields";
import { renderHistory } from "./render-history";
import {
  addCaller,
  addInstruction,
  addSampling,
  addServiceTier,
  addStops,
  outputForm,
  reasoningFields,
} from "./render-settings";
import { renderToolChoice, renderTools } from "./render-tools";
import { callIdPrefix } from "./tool-call";

/** The body of a chat node. Throws: INVALID_REQUEST naming the client's field. Source: docs/protocols.md#s5. */
export function renderChat(request: GenerationRequest, target: Target): Rendered {
  const rendering = openRendering(request, target, callIdPrefix);
  const { profile, losses, names } = rendering;
  refuseFields(rendering, chatConcepts, "serverState");
  noteDroppedFields(rendering, chatConcepts);
  const maxTokens = outputLimit(request.outputLimit, target, losses, request.choices);
  const { tools, webSearchOptions } = renderTools(rendering);
  const choice = renderToolChoice(tools, rendering);
  const reasoning = reasoningFields(tools.length > 0, rendering);
  const output = outputForm(rendering);
  const messages = renderHistory(rendering);
  addInstruction(messages, output.instruction, profile.systemRole);
  const body: JsonObject = { model: target.upstreamModel, messages, [profile.maxTokensField]: maxTokens };
  if (tools.length > 0) body.tools = tools;
  Object.assign(body, choice.fields, reasoning);
  addSampling(body, rendering);
  addStops(body, rendering);
  if (output.responseFormat !== null) body.response_format = output.responseFormat;
  if (webSearchOptions !== null) body.web_search_options = webSearchOptions;
  addChoices(body, rendering);
  addCaller(body, rendering);
  addServiceTier(body, rendering);
  body.stream = true;
  if (profile.streamOptions) body.stream_options = { include_usage: true };
  return {
    body,
    headers: {},
    losses: losses.list(),
    stream: true,
    clientStream: request.stream,
    choices: request.choices,
    maxTokens: maxTokens * request.choices,
    limitChosen: request.outputLimit === null,
    toolNames: names.aliases,
    hideReasoning: request.reasoning.hidden,
    singleToolCall: choice.singleToolCall,
  };
}

function addChoices(body: JsonObject, { request }: Rendering): void {
  const { choices, logProbabilities } = request;
  if (choices !== 1) body.n = choices;
  if (logProbabilities === null) return;
  body.logprobs = true;
  if (logProbabilities.top !== null) body.top_logprobs = logProbabilities.top;
}
