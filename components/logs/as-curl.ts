import type { LogEntry } from "../api/types";
import { KEY_PLACEHOLDER } from "../snippets/snippets";

/** A call like the logged one. The prompt is not stored, so a short one stands in its place. */
export function asCurl(entry: LogEntry, baseUrl: string): string {
  const path = entry.protocol === "chat" ? "/v1/chat/completions" : "/v1/messages";
  const credential =
    entry.protocol === "chat"
      ? `-H "Authorization: Bearer ${KEY_PLACEHOLDER}"`
      : `-H "x-api-key: ${KEY_PLACEHOLDER}"`;
  const body = {
    model: entry.model,
    max_tokens: Math.max(1, entry.completionTokens),
    ...(entry.stream ? { stream: true } : {}),
    messages: [{ role: "user", content: "Hello!" }],
  };
  const version = entry.protocol === "messages" ? ` \\\n  -H "anthropic-version: 2023-06-01"` : "";
  return `curl ${baseUrl}${path} \\
  ${credential}${version} \\
  -H "Content-Type: application/json" \\
  -d ${shellQuote(JSON.stringify(body))}`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
