import { invalid } from "@/lib/kernel/errors";
import type {
  Effort,
  LogProbabilities,
  OutputFormat,
  Reasoning,
  ReasoningWish,
} from "@/lib/protocols/generation/request";
import { jsonSchema } from "./json-schema";
import type { GenerationConfig } from "./schema";

const thinking = "generationConfig.thinkingConfig";

const efforts: Readonly<Record<string, Effort>> = {
  MINIMAL: "minimal",
  LOW: "low",
  MEDIUM: "medium",
  HIGH: "high",
  XHIGH: "xhigh",
};

/** The wishes about reasoning; it is shown only where the client asks for it. Throws: INVALID_REQUEST. */
export function parseReasoning({ thinkingConfig }: GenerationConfig): Reasoning {
  const { includeThoughts, thinkingBudget: budget, thinkingLevel } = thinkingConfig ?? {};
  const level = thinkingLevel?.toUpperCase();
  const hidden = includeThoughts !== true;
  const asked = (wish: ReasoningWish): Reasoning => ({ wish, hidden, overridden: [] });
  if (level !== undefined && level !== "THINKING_LEVEL_UNSPECIFIED") {
    const source = `${thinking}.thinkingLevel`;
    const effort = efforts[level];
    if (effort === undefined)
      throw invalid(source, `${source} must be one of ${Object.keys(efforts).join(", ")}.`);
    return asked({ kind: "effort", effort, source });
  }
  const source = `${thinking}.thinkingBudget`;
  if (budget === 0) return asked({ kind: "effort", effort: "none", source });
  if (budget === -1) return asked({ kind: "mode", mode: "adaptive", source });
  if (budget != null) return asked({ kind: "budget", budget, explicit: true, source });
  if (hidden) return { wish: null, hidden, overridden: [] };
  return asked({ kind: "shown", source: `${thinking}.includeThoughts` });
}

/** The form of the answer; without a schema any JSON. */
export function parseOutputFormat(config: GenerationConfig): OutputFormat | null {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const wanted = responseJsonSchema ?? responseSchema;
  if (wanted != null) {
    const field = responseJsonSchema == null ? "responseSchema" : "responseJsonSchema";
    const source = `generationConfig.${field}`;
    const schema = jsonSchema(wanted);
    return { kind: "json_schema", schema, name: null, description: null, strict: true, source };
  }
  const source = "generationConfig.responseMimeType";
  if (type === "application/json") return { kind: "json", source };
  if (type == null || type === "" || type === "text/plain") return null;
  const forms = "text/plain or application/json; text/x.enum needs a responseSchema";
  throw invalid(source, `${source} must be ${forms}.`);
}

/** Log probabilities, where the client asks for them. */
export function logProbabilitiesOf(config: GenerationConfig): LogProbabilities | null {
  return config.responseLogprobs === true ? { top: config.logprobs ?? null } : null;
}

/** True for an answer that is more than text. */
export function wantsOtherModalities({ responseModalities: wanted }: GenerationConfig): boolean {
  return (wanted ?? []).some(
    (modality) => !["TEXT", "MODALITY_UNSPECIFIED"].includes(modality.toUpperCase()),
  );
}
