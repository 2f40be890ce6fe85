import type { PromptFields } from "@/lib/protocols/adapters/client-request";

/** The fields of a Responses request that are part of the prompt. Source: docs/protocols.md#s11-5. */
export const responsesPromptFields: PromptFields = {
  turns: "input",
  content: ["instructions", "input"],
  json: ["tools", "text"],
};
