import type { JsonObject } from "@/lib/kernel/json-object";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import type { Effort } from "./efforts";
import type { NumberOption } from "./number-options";
import type { Tool } from "./tool";
import type { Turn } from "./turn";

/** The output limit and the temperature. Units: tokens. */
export interface CallParameters {
  maxTokens: number;
  temperature: number;
}

/** The options that a call contains only if they are set. */
export type CallOptions = Record<NumberOption, number | null> & { effort: Effort | null };

/** Options without values. */
export const noOptions: CallOptions = {
  topP: null,
  topK: null,
  seed: null,
  frequencyPenalty: null,
  presencePenalty: null,
  effort: null,
};

/** The conversation of a call, its output limit, and whether the answer is streamed. */
export interface ConversationInput {
  /** Instructions; "" for none. */
  system: string;
  turns: readonly Turn[];
  maxTokens: number;
  stream: boolean;
}

/** The reasoning effort, and the form of the answer. */
export interface AnswerForm {
  effort: Effort | null;
  /** The answer must be a JSON object, in protocols that have this option. */
  json: boolean;
  /** The JSON schema of the answer; null for none. */
  schema: JsonObject | null;
}

/** A whole call, independent of the protocol. */
export interface CallInput extends CallParameters, CallOptions, ConversationInput, AnswerForm {
  protocol: ClientProtocol;
  model: string;
  /** Stop sequences, for protocols that have a field for them. */
  stop: readonly string[];
  tools: readonly Tool[];
}
