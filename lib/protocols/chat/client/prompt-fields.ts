import type { PromptFields } from "@/lib/protocols/adapters/client-request";

/** The fields of a chat request that are part of the prompt. Source: docs/protocols.md#s11-5. */
export const chatPromptFields: PromptFields = {
  turns: "messages",
  content: ["messages"],
  json: ["tools", "functions", "response_format"],
};
