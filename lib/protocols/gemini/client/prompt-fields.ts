import type { PromptFields } from "@/lib/protocols/adapters/client-request";

/** The fields of a Gemini request that are part of the prompt. Source: docs/protocols.md#s11-5. */
export const geminiPromptFields: PromptFields = {
  turns: "contents",
  content: ["systemInstruction", "contents"],
  json: ["tools"],
};
