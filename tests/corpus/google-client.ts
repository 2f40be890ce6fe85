import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { loadGeminiOracle } from "./gemini";
import type { ResponsesClient } from "./responses-clients";

/** More than any recorded answer has, so that what their nodes claim is plausible. */
const SMALLEST = {
  contents: [{ role: "user", parts: [{ text: "x" }] }],
  generationConfig: { maxOutputTokens: 65_536, thinkingConfig: { includeThoughts: true } },
};

/** A client of Gemini's paths that reads whole answers and events as they come. */
export const google: ResponsesClient = async ({ root, key, model, stream, fields }) => {
  const method = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  const response = await fetch(`${root}/v1beta/models/${encodeURIComponent(model)}:${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": key },
    body: JSON.stringify(fields ?? SMALLEST),
  });
  const text = await response.text();
  if (!response.ok) throw Object.assign(new Error(messageIn(JSON.parse(text))), { status: response.status });
  const { geminiChunks, fromGemini } = await loadGeminiOracle();
  const { chunks, streamError } = geminiChunks(stream ? { sse: text } : { text });
  if (streamError !== null) throw new Error(streamError.message);
  return fromGemini(chunks);
};

function messageIn({ error }: JsonObject): string {
  return isObject(error) ? String(error.message) : "no error";
}
