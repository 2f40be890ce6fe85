import type { Behaviour } from "./behaviour";
import type { Conversation, OfferedTool } from "./conversation";
import { placesIn, plausibleValue } from "./plausible";

const DULL_WORDS = new Set([
  "call",
  "data",
  "find",
  "from",
  "function",
  "list",
  "make",
  "tool",
  "with",
  "your",
]);

/** A call the simulation makes. */
export interface SimulatedCall {
  id: string;
  name: string;
  /** JSON text. */
  arguments: string;
}

/**
 * The tools the simulation calls now: those the client forces, or those the last prompt is about; none after results.
 * Two at once when the prompt asks for two, or the model name does.
 */
export function simulatedCalls(
  conversation: Conversation,
  behaviour: Behaviour,
  seed: string,
): SimulatedCall[] {
  const prompt = lastPrompt(conversation);
  const wanted = wantedTools(conversation, prompt);
  const first = wanted[0];
  if (!first) return [];
  const several = conversation.parallelAllowed && (behaviour.parallel || asksForTwo(prompt));
  const chosen = !several ? [first] : wanted.length > 1 ? wanted.slice(0, 4) : repeated(first, prompt);
  const seen = new Map<string, number>();
  return chosen.map((tool, index) => {
    const ordinal = seen.get(tool.name) ?? 0;
    seen.set(tool.name, ordinal + 1);
    const value = plausibleValue({ type: "object", ...tool.schema }, { prompt, ordinal });
    return { id: `${seed.slice(0, 20)}${index}`, name: tool.name, arguments: JSON.stringify(value) };
  });
}

/** The types of the hosted tools that the simulation runs before it answers, one for each run. */
export function simulatedHostedCalls(conversation: Conversation, behaviour: Behaviour): string[] {
  const { hostedTools, toolChoice, turns } = conversation;
  if (toolChoice === "none") return [];
  const { hostedCalls: times } = behaviour;
  if (times !== null) return hostedTools.flatMap((type) => Array.from({ length: times }, () => type));
  if ((turns.at(-1)?.toolResults.length ?? 0) > 0) return [];
  return hostedTools.filter((type) => isAbout(type, lastPrompt(conversation)));
}

/** The last text a user wrote. */
export function lastPrompt(conversation: Conversation): string {
  return conversation.turns.findLast((turn) => turn.role === "user" && turn.text !== "")?.text ?? "";
}

function wantedTools(conversation: Conversation, prompt: string): OfferedTool[] {
  const { tools, toolChoice, turns } = conversation;
  if (toolChoice === "none") return [];
  if (typeof toolChoice === "object") return tools.filter((tool) => tool.name === toolChoice.name);
  const asked = tools.filter((tool) => isAbout(tool.name, prompt));
  if (toolChoice === "required") return asked.length > 0 ? asked : tools.slice(0, 1);
  if ((turns.at(-1)?.toolResults.length ?? 0) > 0) return [];
  return asked.length > 0 || !/\b(use|call)\b.*\b(tool|function)s?\b/i.test(prompt)
    ? asked
    : tools.slice(0, 1);
}

/** A prompt is about a tool when it holds the tool's name, or a telling word of it. */
function isAbout(name: string, prompt: string): boolean {
  const text = prompt.toLowerCase();
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
  return text.includes(name.toLowerCase()) || words.some((word) => isTelling(word) && text.includes(word));
}

function isTelling(word: string): boolean {
  return word.length >= 4 && !DULL_WORDS.has(word);
}

function asksForTwo(prompt: string): boolean {
  return /\b(two|both|parallel|twice|2)\b/i.test(prompt) || placesIn(prompt).length > 1;
}

function repeated(tool: OfferedTool, prompt: string): OfferedTool[] {
  const times = Math.min(Math.max(placesIn(prompt).length, 2), 4);
  return Array.from({ length: times }, () => tool);
}
