import type { Conversion, PreparedRequest } from "@/lib/convert/conversion";
import { outputLimit } from "@/lib/convert/output-limit";
import { callerFields } from "@/lib/convert/to-chat/caller";
import { convertEffort } from "@/lib/convert/to-chat/effort";
import { convertHistory } from "@/lib/convert/to-chat/history";
import { convertOutputFormat } from "@/lib/convert/to-chat/output-format";
import { convertToolChoice } from "@/lib/convert/to-chat/tool-choice";
import { convertTools } from "@/lib/convert/to-chat/tools";
import { refuseUnsupported, warnOfDrops } from "@/lib/convert/to-chat/unsupported";
import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";

/** A messages request for a chat node. Throws: INVALID_REQUEST naming the field. Source: docs/protocols.md#s5. */
export function messagesToChat(request: MessagesRequest, conversion: Conversion): PreparedRequest {
  const { context, profile, warnings, names } = conversion;
  refuseUnsupported(request);
  warnOfDrops(request, conversion);
  const maxTokens = outputLimit(request.max_tokens, conversion);
  const { tools, webSearchOptions } = convertTools(request, conversion);
  const choice = convertToolChoice(request, tools, conversion);
  const effort = convertEffort(request, tools.length > 0, conversion);
  const output = convertOutputFormat(request, conversion);
  const body: JsonObject = {
    model: context.upstreamModel,
    messages: withInstruction(convertHistory(request, conversion), output.instruction, conversion),
    [profile.maxTokensField]: maxTokens,
  };
  if (tools.length > 0) body.tools = tools;
  Object.assign(
    body,
    choice.fields,
    effort,
    sampling(request, effort, conversion),
    stops(request, conversion),
  );
  if (output.responseFormat !== null) body.response_format = output.responseFormat;
  if (webSearchOptions !== null) body.web_search_options = webSearchOptions;
  Object.assign(body, callerFields(request, conversion), serviceTier(request, conversion));
  body.stream = true;
  if (profile.streamOptions) body.stream_options = { include_usage: true };
  return {
    body,
    headers: {},
    warnings: warnings.list(),
    stream: request.stream === true,
    upstreamStream: true,
    includeUsage: false,
    legacyFunctions: false,
    excludeReasoning: false,
    singleToolCall: choice.singleToolCall,
    toolNames: names.aliases,
    choices: 1,
    maxTokens,
    limitChosen: false,
    stopSequences: request.stop_sequences ?? [],
  };
}

function withInstruction(
  messages: JsonObject[],
  instruction: string | null,
  conversion: Conversion,
): JsonObject[] {
  if (instruction === null) return messages;
  const role = conversion.profile.systemRole;
  const first = messages[0];
  if (first?.role !== role) return [{ role, content: instruction }, ...messages];
  const content = Array.isArray(first.content)
    ? [...first.content, { type: "text", text: instruction }]
    : `${String(first.content)}\n\n${instruction}`;
  return [{ ...first, content }, ...messages.slice(1)];
}

function sampling(request: MessagesRequest, effort: JsonObject, conversion: Conversion): JsonObject {
  const { profile, warnings } = conversion;
  const free =
    profile.sampling === "full" || (profile.samplingAtEffortNone && effort.reasoning_effort === "none");
  const fields: JsonObject = {};
  for (const field of ["temperature", "top_p"]) {
    const value = request[field];
    if (value == null) continue;
    if (free) fields[field] = value;
    else if (value !== 1) warnings.dropped(field);
  }
  if (request.top_k != null) {
    if (profile.topK) fields.top_k = request.top_k;
    else warnings.dropped("top_k");
  }
  return fields;
}

function stops(request: MessagesRequest, conversion: Conversion): JsonObject {
  const wanted = request.stop_sequences ?? [];
  if (wanted.length === 0) return {};
  const { stopAllowed, stopMax } = conversion.profile;
  if (!stopAllowed) {
    conversion.warnings.dropped("stop_sequences");
    return {};
  }
  if (stopMax !== null && wanted.length > stopMax) {
    throw invalid("stop_sequences", `stop_sequences must have at most ${stopMax} entries for this model.`);
  }
  return { stop: wanted };
}

function serviceTier(request: MessagesRequest, conversion: Conversion): JsonObject {
  const tier = request.service_tier;
  if (tier == null) return {};
  if (conversion.profile.serviceTier) {
    if (tier === "auto") return { service_tier: "auto" };
    if (tier === "standard_only") return { service_tier: "default" };
  }
  if (tier !== "auto") conversion.warnings.dropped("service_tier");
  return {};
}
