import type { Behaviour } from "./behaviour";
import { lastPrompt, type SimulatedCall, simulatedCalls, simulatedHostedCalls } from "./calls";
import type { Attachment, Conversation } from "./conversation";
import { plausibleValue } from "./plausible";

const CHARACTERS_PER_TOKEN = 4;
const BASE_TOKENS = 8;
const TOKENS_PER_ATTACHMENT = 85;
const QUOTE_CHARACTERS = 400;
const LABEL = "This is a simulated answer by the demo provider of Tollgate; no model was asked.";
const THOUGHT = "Simulated reasoning: the demo provider repeats what it was told.";

/** What the simulation answers, before any protocol's spelling. */
export interface Answer {
  id: string;
  model: string;
  reasoning: string;
  /** How many times it is given. */
  choices: number;
  /** The text as it is streamed. */
  pieces: string[];
  calls: SimulatedCall[];
  /** Types of the hosted tools that were run, one for each run. */
  hosted: string[];
  stop: "end" | "length" | "tool" | "sequence";
  stopSequence: string | null;
  /** Null: the provider tells no usage. `input` counts cached tokens in, `output` counts reasoning in. */
  usage: { input: number; cached: number; output: number; reasoning: number } | null;
}

/** The answer to a conversation; the same conversation always gets the same one. */
export function composeAnswer(conversation: Conversation, behaviour: Behaviour, seed: string): Answer {
  const calls = simulatedCalls(conversation, behaviour, seed);
  const reasoning = conversation.reasoning || behaviour.reasoning ? THOUGHT : "";
  const written = calls.length > 0 ? "" : writtenText(conversation, behaviour);
  const cut = cutText(written, conversation, tokensOf(reasoning));
  const shown = cut.text;
  return {
    id: seed.slice(0, 24),
    model: conversation.model,
    reasoning,
    choices: conversation.choices,
    pieces: piecesOf(shown, behaviour),
    calls,
    hosted: simulatedHostedCalls(conversation, behaviour),
    stop: calls.length > 0 ? "tool" : cut.stop,
    stopSequence: cut.stopSequence,
    usage: usageOf(conversation, behaviour, { reasoning, text: shown, calls }),
  };
}

/** Tokens the simulation counts for a request; streamed or not, and in any protocol, the same. */
export function inputTokens(conversation: Conversation): number {
  const { system, turns, tools } = conversation;
  const said = turns.flatMap((turn) => [turn.text, ...turn.toolResults.map((result) => result.text)]);
  const offered = tools.map((tool) => tool.name + JSON.stringify(tool.schema));
  const attachments = turns.reduce((sum, turn) => sum + turn.attachments.length, 0);
  const words = [system, ...said, ...offered].reduce((sum, text) => sum + tokensOf(text), 0);
  return BASE_TOKENS + words + attachments * TOKENS_PER_ATTACHMENT;
}

function writtenText(conversation: Conversation, behaviour: Behaviour): string {
  if (behaviour.size !== null) return LABEL.padEnd(behaviour.size, " simulated").slice(0, behaviour.size);
  if (behaviour.chunks !== null)
    return Array.from({ length: behaviour.chunks }, (_, n) => `simulated${n} `).join("");
  const prompt = lastPrompt(conversation);
  if (behaviour.echo) return prompt;
  if (conversation.outputSchema) return JSON.stringify(plausibleOutput(conversation.outputSchema, prompt));
  return [LABEL, ...sentences(conversation, prompt)].join(" ");
}

function plausibleOutput(schema: Conversation["outputSchema"], prompt: string): unknown {
  const empty = Object.keys(schema ?? {}).length === 0;
  return empty ? { simulated: true, prompt } : plausibleValue(schema ?? {}, { prompt, ordinal: 0 });
}

function sentences(conversation: Conversation, prompt: string): string[] {
  const { turns, system } = conversation;
  const last = turns.findLastIndex((turn) => turn.role === "assistant");
  const results = turns.slice(last + 1).flatMap((turn) => turn.toolResults);
  const earlier = turns.filter((turn) => turn.role === "user" && turn.text !== "").slice(0, -1);
  const attachments = turns.flatMap((turn) => turn.attachments);
  return [
    ...results.map((result) => `The tool ${result.name} answered: ${quote(result.text)}.`),
    ...(prompt ? [`You said: ${quote(prompt)}.`] : []),
    ...earlier
      .slice(-1)
      .map((turn) => `Before that you said: ${quote(turn.text)} (message ${earlier.length}).`),
    ...(system ? [`The system prompt says: ${quote(system)}.`] : []),
    ...(attachments.length > 0
      ? [`Attached: ${attachments.length} (${attachments.map(described).join("; ")}).`]
      : []),
  ];
}

function quote(text: string): string {
  return `“${text.length > QUOTE_CHARACTERS ? `${text.slice(0, QUOTE_CHARACTERS)}…` : text}”`;
}

function described(attachment: Attachment): string {
  const size = attachment.bytes === null ? "not fetched" : `${attachment.bytes} bytes`;
  return `${attachment.kind}, ${attachment.mediaType}, ${size}`;
}

function cutText(text: string, conversation: Conversation, reasoningTokens: number) {
  const room = Math.max(conversation.maxTokens - reasoningTokens, 1) * CHARACTERS_PER_TOKEN;
  const hits = conversation.stopSequences.map((sequence) => ({ sequence, at: text.indexOf(sequence) }));
  const first = hits.filter((hit) => hit.at >= 0).sort((left, right) => left.at - right.at)[0];
  if (first && first.at <= room)
    return { text: text.slice(0, first.at), stop: "sequence" as const, stopSequence: first.sequence };
  if (text.length > room) return { text: text.slice(0, room), stop: "length" as const, stopSequence: null };
  return { text, stop: "end" as const, stopSequence: null };
}

/** Two words a piece; every piece ends where a word does, so joined they are the text. */
function piecesOf(text: string, behaviour: Behaviour): string[] {
  const words = behaviour.chunks === null ? 2 : 1;
  return text.match(new RegExp(`(?:\\s*\\S+\\s*){1,${words}}|\\s+`, "gu")) ?? [];
}

function usageOf(
  conversation: Conversation,
  behaviour: Behaviour,
  produced: { reasoning: string; text: string; calls: SimulatedCall[] },
): Answer["usage"] {
  if (behaviour.noUsage) return null;
  const { choices } = conversation;
  const thought = choices * tokensOf(produced.reasoning);
  const called = produced.calls.reduce((sum, call) => sum + tokensOf(call.name + call.arguments), 0);
  const input = behaviour.usage?.input ?? inputTokens(conversation) + behaviour.cachedTokens;
  return {
    input,
    cached: Math.min(behaviour.cachedTokens, input),
    output: behaviour.usage?.output ?? thought + choices * (tokensOf(produced.text) + called),
    reasoning: Math.min(thought, behaviour.usage?.output ?? thought),
  };
}

/** Tokens the simulation counts for a text. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
