import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/read-json";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { type JsonErrorPlace, jsonErrorPlace } from "./json-error";

/** How hard a model thinks, from least to most. */
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/** The efforts that a protocol has a word for. */
export const effortsOf: Readonly<Record<ClientProtocol, readonly Effort[]>> = {
  chat: efforts,
  messages: ["low", "medium", "high", "xhigh", "max"],
  responses: efforts,
};

export const allEfforts: readonly Effort[] = efforts;

/** The numbers that calls name only once they are set. */
export type NumberOption = "topP" | "topK" | "seed" | "frequencyPenalty" | "presencePenalty";

/** What calls name only once it is set. */
export type CallOptions = Record<NumberOption, number | null> & { effort: Effort | null };

export const noOptions: CallOptions = {
  topP: null,
  topK: null,
  seed: null,
  frequencyPenalty: null,
  presencePenalty: null,
  effort: null,
};

/** What a number may be, and the field that has it in each protocol; null where there is none. */
interface NumberRule {
  min: number;
  max: number;
  whole: boolean;
  fields: Readonly<Record<ClientProtocol, string | null>>;
}

const penalty = (name: string): NumberRule => ({
  min: -2,
  max: 2,
  whole: false,
  fields: { chat: name, messages: null, responses: name },
});

export const numberOptions: Readonly<Record<NumberOption, NumberRule>> = {
  topP: {
    min: 0,
    max: 1,
    whole: false,
    fields: { chat: "top_p", messages: "top_p", responses: "top_p" },
  },
  topK: {
    min: 1,
    max: 1_000,
    whole: true,
    fields: { chat: "top_k", messages: "top_k", responses: null },
  },
  seed: {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    whole: true,
    fields: { chat: "seed", messages: null, responses: null },
  },
  frequencyPenalty: penalty("frequency_penalty"),
  presencePenalty: penalty("presence_penalty"),
};

export const numberOptionIds = Object.keys(numberOptions) as readonly NumberOption[];

/** Whether a number is in the range of its option. */
export function isInRange(option: NumberOption, value: number): boolean {
  const { min, max, whole } = numberOptions[option];
  return value >= min && value <= max && (!whole || Number.isInteger(value));
}

/** The first option of a protocol that is out of its range. */
export function wrongOption(protocol: ClientProtocol, options: CallOptions): NumberOption | null {
  const isWrong = (id: NumberOption) => {
    const value = options[id] ?? null;
    return numberOptions[id].fields[protocol] !== null && value !== null && !isInRange(id, value);
  };
  return numberOptionIds.find(isWrong) ?? null;
}

/** The fields of the options that are set and that the protocol has. */
export function optionFields(protocol: ClientProtocol, options: CallOptions): JsonObject {
  const fields: JsonObject = {};
  for (const id of numberOptionIds) {
    const field = numberOptions[id].fields[protocol];
    if (field !== null && options[id] !== null) fields[field] = options[id];
  }
  return fields;
}

/** The effort as a protocol is told it; null where it has no such word. */
export function effortOf(protocol: ClientProtocol, { effort }: CallOptions): Effort | null {
  return effort !== null && effortsOf[protocol].includes(effort) ? effort : null;
}

/** The fields of how hard the model thinks and in which form it answers. */
export const answerFields: Readonly<
  Record<ClientProtocol, (effort: Effort | null, json: boolean, schema: JsonObject | null) => JsonObject>
> = {
  chat: (effort, json, schema) => ({
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...(schema !== null
      ? { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } }
      : json
        ? { response_format: { type: "json_object" } }
        : {}),
  }),
  // This protocol knows JSON by a schema only.
  messages: (effort, _json, schema) =>
    effort === null && schema === null
      ? {}
      : {
          output_config: {
            ...(effort === null ? {} : { effort }),
            ...(schema === null ? {} : { format: { type: "json_schema", schema } }),
          },
        },
  responses: (effort, json, schema) => ({
    ...(effort === null ? {} : { reasoning: { effort } }),
    ...(schema !== null
      ? { text: { format: { type: "json_schema", name: "answer", schema } } }
      : json
        ? { text: { format: { type: "json_object" } } }
        : {}),
  }),
};

/** Whether a protocol can ask for a JSON object without a schema. */
export const asksForJson: Readonly<Record<ClientProtocol, boolean>> = {
  chat: true,
  messages: false,
  responses: true,
};

/** Why a text is no JSON schema. */
export type SchemaProblem = ({ kind: "json" | "jsonEnd" } & JsonErrorPlace) | { kind: "object" };

/** The JSON schema of a text; none for an empty one. */
export function readSchema(text: string): { schema: JsonObject | null } | { problem: SchemaProblem } {
  if (text.trim() === "") return { schema: null };
  const value = parseJson(text);
  if (value === undefined) {
    const place = jsonErrorPlace(text);
    return { problem: { kind: place.found === "" ? "jsonEnd" : "json", ...place } };
  }
  return isObject(value) && !Array.isArray(value) ? { schema: value } : { problem: { kind: "object" } };
}
