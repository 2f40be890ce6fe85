import type { MessagesBlock, MessagesRequest } from "@/lib/protocols/messages/client/schema";

/** The system prompt followed by the instructions; the same value without any. */
export function withInstructions(
  system: MessagesRequest["system"],
  instructions: readonly MessagesBlock[],
): MessagesRequest["system"] {
  if (instructions.length === 0) return system;
  const own = typeof system === "string" ? [{ type: "text", text: system }] : (system ?? []);
  return [...own, ...instructions];
}
