import type { JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import { geminiClient } from "@/lib/protocols/gemini/client/adapter";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import { validateRequest } from "@/lib/protocols/validation/validate";

const settings = { compatibility: "standard", version: "2023-06-01" } as const;

/** A body as the gateway reads it: in its own form, with what the path says, and checked. */
function checked(body: JsonObject, stream = false): JsonObject {
  const named = { ...body, model: "alias-1", stream };
  return validateRequest(geminiClient.ownForm?.(named)?.body ?? named, geminiClient, settings);
}

/** The neutral request of a body. */
export function parsed(body: JsonObject, stream = false): GenerationRequest {
  return geminiClient.parse(checked(body, stream), { ...settings, headers: {} });
}

/** A body with one question. */
export function asking(fields: JsonObject = {}): JsonObject {
  return { contents: [{ role: "user", parts: [{ text: "hi" }] }], ...fields };
}

/** The options of an answer; the seal is readable. */
export function answerOptions(choice: Partial<EncoderOptions> = {}): EncoderOptions {
  return {
    id: "answer-1",
    alias: "alias-1",
    created: 1,
    request: {},
    hideReasoning: false,
    singleToolCall: false,
    toolNames: new Map(),
    inputEstimate: 5,
    seal: {
      sign: (text) => `sign:${text}`,
      tag: (opaque) => `tag:${opaque}`,
      envelope: ({ text, signature, opaque }) =>
        Buffer.from(`tg1.${JSON.stringify([text, signature, opaque])}`).toString("base64url"),
    },
    ...choice,
  };
}

/** The chunks of a stream's text. */
export function chunksOf(wire: string): JsonObject[] {
  return wire
    .split("\r\n\r\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.replace(/^data: /, "")) as JsonObject);
}
