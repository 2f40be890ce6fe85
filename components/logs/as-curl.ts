import { type ClientProtocol, clientPaths, embeddingsPath } from "@/lib/protocols/protocol";
import type { LogEntry } from "../api/types";
import { promptFields } from "../playground/calls";
import { KEY_PLACEHOLDER } from "../snippets/snippets";

const credentialHeaders: Readonly<Record<ClientProtocol, readonly string[]>> = {
  chat: [`Authorization: Bearer ${KEY_PLACEHOLDER}`],
  messages: [`x-api-key: ${KEY_PLACEHOLDER}`, "anthropic-version: 2023-06-01"],
  responses: [`Authorization: Bearer ${KEY_PLACEHOLDER}`],
};

/** Another prompt may have a longer answer than the logged one. */
const ROOM_TOKENS = 256;

/** A call like the logged one. The prompt is not stored, so a short one replaces it. */
export function asCurl(entry: LogEntry, baseUrl: string): string {
  const isEmbedding = entry.operation === "embed";
  const path = isEmbedding ? embeddingsPath : clientPaths[entry.protocol];
  const headers = credentialHeaders[entry.protocol].map((header) => `-H "${header}"`).join(" \\\n  ");
  return `curl ${baseUrl}${path} \\
  ${headers} \\
  -H "Content-Type: application/json" \\
  -d ${shellQuote(JSON.stringify(isEmbedding ? { model: entry.model, input: "Hello!" } : chatBody(entry)))}`;
}

function chatBody(entry: LogEntry) {
  return {
    model: entry.model,
    ...(entry.stream ? { stream: true } : {}),
    ...promptFields(entry.protocol, "Hello!", Math.max(ROOM_TOKENS, entry.completionTokens)),
  };
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
