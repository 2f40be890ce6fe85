import type { PromptFields } from "@/lib/protocols/adapters/client-request";

/** The fields of a messages request that are part of the prompt. Source: docs/protocols.md#s11-5. */
export const messagesPromptFields: PromptFields = {
  turns: "messages",
  content: ["system", "messages"],
  json: ["tools", "output_config"],
};
