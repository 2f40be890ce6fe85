import type { Part, ToolResultPart, Turn } from "@/lib/protocols/generation/parts";
import { parsePart } from "./parse-parts";
import type { GeminiContent } from "./schema";
import { signedReasoning } from "./signed-reasoning";

type OpenTurn = Turn & { parts: Part[] };

/**
 * The turns of a history. Neighbours of one role are one turn. Calls without ids get their own, the same for the same
 * history, and results are given the id of the call that they answer. Throws: INVALID_REQUEST naming the part.
 * Source: docs/gemini.md#history.
 */
export function parseContents(contents: readonly GeminiContent[]): Turn[] {
  const turns: OpenTurn[] = [];
  for (const [index, content] of contents.entries()) {
    const role = content.role === "model" ? "assistant" : "user";
    const source = `contents[${index}]`;
    const parts = partsOf(content, source, index);
    const last = turns.at(-1);
    if (last?.role === role) for (const part of parts) last.parts.push(part);
    else turns.push({ role, source, parts, cache: undefined });
  }
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1];
    if (turn.role === "user" && before?.role === "assistant") turn.parts = paired(before, turn.parts);
  }
  return turns.filter(({ parts }) => parts.length > 0);
}

/**
 * Reasoning of a vendor stands directly before its part, and after the text where its part is an empty text. Reasoning
 * that the gateway sealed stands before the text that was written after it.
 */
function partsOf({ parts }: GeminiContent, source: string, turn: number): Part[] {
  const found: Part[] = [];
  let opening = 0;
  for (const [index, part] of (parts ?? []).entries()) {
    const at = `${source}.parts[${index}]`;
    const id = part.functionCall?.id;
    const parsed = parsePart(part, at, id != null && id !== "" ? id : `call_${turn}_${index}`);
    const { parts: reasoning, isOurs } = signedReasoning(part.thoughtSignature ?? "", at);
    if (isOurs) found.splice(opening, 0, ...reasoning);
    else found.push(...reasoning);
    if (parsed !== null) found.push(parsed);
    if (parsed?.kind === "tool_call") opening = found.length;
  }
  return found;
}

/** The results with the ids of the calls before them: by id where both have one, else by name in order. */
function paired(calling: Turn, parts: readonly Part[]): Part[] {
  const open = calling.parts.filter((part) => part.kind === "tool_call");
  const take = (matches: (call: (typeof open)[number]) => boolean): string | null => {
    const at = open.findIndex(matches);
    return at < 0 ? null : (open.splice(at, 1)[0]?.callId ?? null);
  };
  const isResult = (part: Part): part is ToolResultPart => part.kind === "tool_result";
  const ids = new Map<Part, string | null>();
  for (const part of parts.filter(isResult))
    if (part.callId !== null)
      ids.set(
        part,
        take(({ callId }) => callId === part.callId),
      );
  for (const part of parts.filter(isResult))
    if (ids.get(part) == null && part.name !== null)
      ids.set(
        part,
        take(({ name }) => name === part.name),
      );
  return parts.map((part) => {
    const id = ids.get(part);
    return id == null || !isResult(part) ? part : { ...part, callId: id };
  });
}
