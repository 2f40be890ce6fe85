import type { JsonObject } from "@/lib/kernel/json";

// Texts that the gateway writes into a prompt. They are fixed, so that caches keep working.

/** First line of a system message that has to travel inside a user turn. */
export const systemMarker = "[System message]";

/** What stands for an image that the model cannot see. */
export const omittedImage = "[image omitted: this model takes no images]";

/** First line of a result that no call of the history asked for. */
export const orphanNote = "[result of an earlier tool call]";

/** What stands for the result of a call that has none. */
export const noResult = "no result provided";

/** Asks for JSON where the node has no such switch. */
export const jsonInstruction = "Respond with a single JSON object and nothing else.";

/** The sentence that asks for JSON of a schema, for nodes without structured output. */
export function schemaInstruction(schema: JsonObject): string {
  return `Respond with a single JSON value that conforms to this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;
}
