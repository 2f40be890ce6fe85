import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { isStrictVersion } from "@/lib/protocols/generation/version";

/**
 * Refuses everything that version 2026-10-21 of the messages protocol has removed, so that a request fails in the same
 * way on every alias. Throws: INVALID_REQUEST. Source: docs/protocols.md#s2-1.
 */
export function checkVersionRules(body: JsonObject, version: string): void {
  if (!isStrictVersion(version)) return;
  for (const field of ["temperature", "top_p", "top_k"]) {
    if (body[field] != null) {
      throw invalid(
        field,
        `${field} does not exist in version ${version}; remove it or send anthropic-version: 2023-06-01.`,
      );
    }
  }
  const messages = Array.isArray(body.messages) ? body.messages : [];
  messages.forEach((turn, index) => {
    if (isObject(turn) && Array.isArray(turn.content))
      checkBlocks(turn, turn.content, `messages[${index}]`, version);
  });
}

function checkBlocks(turn: JsonObject, blocks: unknown[], at: string, version: string): void {
  blocks.forEach((block, index) => {
    if (!isObject(block)) return;
    const param = `${at}.content[${index}]`;
    if (turn.role === "assistant" && block.type === "document") {
      throw invalid(
        `${param}.type`,
        `${param}: a document in an assistant turn does not exist in version ${version}.`,
      );
    }
    const citable = turn.role === "user" && (block.type === "text" || block.type === "search_result");
    if (citable && Array.isArray(block.citations) && block.citations.length > 0) {
      throw invalid(`${param}.citations`, `${param}.citations must be empty in version ${version}.`);
    }
  });
}
