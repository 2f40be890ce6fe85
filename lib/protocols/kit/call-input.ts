import type { JsonObject } from "@/lib/kernel/json-object";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import type { Effort } from "./efforts";
import type { NumberOption } from "./number-options";
import type { Tool } from "./tool";
import type { Turn } from "./turn";

/** How long an answer may be, and how daring. Units: tokens. */
export interface CallParameters {
  maxTokens: number;
  temperature: number;
}

/** What calls name only once it is set. */
export type CallOptions = Record<NumberOption, number | null> & { effort: Effort | null };

/** Options of which none is set. */
export const noOptions: CallOptions = {
  topP: null,
  topK: null,
  seed: null,
  frequencyPenalty: null,
  presencePenalty: null,
  effort: null,
};

/** What is said in a call, and how long and in which way it is answered. */
export interface ConversationInput {
  /** Instructions; empty for none. */
  system: string;
  turns: readonly Turn[];
  maxTokens: number;
  stream: boolean;
}

/** How hard the model thinks and in which form it answers. */
export interface AnswerForm {
  effort: Effort | null;
  /** Whether the answer is to be a JSON object, where the protocol can ask for one. */
  json: boolean;
  /** The JSON schema that the answer is to follow; null for none. */
  schema: JsonObject | null;
}

/** A whole call, in the words of no protocol. */
export interface CallInput extends CallParameters, CallOptions, ConversationInput, AnswerForm {
  protocol: ClientProtocol;
  model: string;
  /** Texts before which an answer ends, where the protocol has a field for them. */
  stop: readonly string[];
  tools: readonly Tool[];
}
