import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { AnswerForm } from "@/lib/protocols/kit/call-input";
import type { Effort } from "@/lib/protocols/kit/efforts";
import type { ProtocolKit } from "@/lib/protocols/kit/protocol-kit";
import type { Tool } from "@/lib/protocols/kit/tool";
import { clientPaths } from "@/lib/protocols/protocol";
import { geminiCode } from "./code";
import { geminiContents } from "./turns";

const MODELS = "/v1beta/models";

/** The kit of Gemini for callers. Names with a dot are members of an object. */
export const geminiKit: ProtocolKit = {
  name: "Gemini",
  path: clientPaths.gemini,
  basePath: "",
  credentials: (secret) => ({ "x-goog-api-key": secret }),
  request: ({ model, stream, ...body }) => {
    const method = stream === true ? "streamGenerateContent?alt=sse" : "generateContent";
    return { path: `${MODELS}/${pathOf(String(model))}:${method}`, body };
  },
  models: {
    path: `${MODELS}?pageSize=1000`,
    list: "models",
    idOf: ({ name }) => String(name).replace(/^models\//, ""),
  },

  conversation: ({ maxTokens, system, turns }) => ({
    ...(system === "" ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: geminiContents(turns),
    generationConfig: { maxOutputTokens: maxTokens },
  }),
  temperatureField: "generationConfig.temperature",
  highestTemperature: 2,
  stopField: "generationConfig.stopSequences",
  numberFields: {
    topP: "generationConfig.topP",
    topK: "generationConfig.topK",
    seed: "generationConfig.seed",
    frequencyPenalty: "generationConfig.frequencyPenalty",
    presencePenalty: "generationConfig.presencePenalty",
  },
  efforts: ["none", "minimal", "low", "medium", "high", "xhigh"],
  jsonWithoutSchema: true,
  answerForm,
  tool: toolOf,
  forcedTool: (tool) => ({
    tools: [toolOf(tool)],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [tool.name] } },
  }),

  endsStream: ({ data }) => {
    const chunk = parseJson(data);
    const candidates = isObject(chunk) && Array.isArray(chunk.candidates) ? chunk.candidates : [];
    return candidates.some((candidate: unknown) => isObject(candidate) && candidate.finishReason != null);
  },
  cutReasons: ["MAX_TOKENS"],
  cachedIsInput: true,
  reasoningIsSummary: true,

  code: geminiCode,
};

/** A name may hold slashes, which stay. */
function pathOf(model: string): string {
  return model.split("/").map(encodeURIComponent).join("/");
}

function answerForm({ effort, json, schema }: AnswerForm): JsonObject {
  const form: JsonObject = {};
  if (effort !== null) form["generationConfig.thinkingConfig"] = thinkingOf(effort);
  if (json || schema !== null) form["generationConfig.responseMimeType"] = "application/json";
  if (schema !== null) form["generationConfig.responseJsonSchema"] = schema;
  return form;
}

function thinkingOf(effort: Effort): JsonObject {
  return effort === "none"
    ? { thinkingBudget: 0 }
    : { thinkingLevel: effort.toUpperCase(), includeThoughts: true };
}

function toolOf({ name, description, parameters }: Tool): JsonObject {
  return { functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] };
}
