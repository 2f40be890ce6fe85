import { promptFields } from "@/lib/protocols/kit/call-body";
import { requestOf } from "@/lib/protocols/kit/call-request";
import { protocolKits } from "@/lib/protocols/kit/kits";
import { embeddingsPath } from "@/lib/protocols/protocol";
import type { LogEntry } from "../api/types";
import { KEY_PLACEHOLDER } from "../snippets/snippets";

/** Another prompt may have a longer answer than the logged one. */
const ROOM_TOKENS = 256;

/** A call like the logged one. The prompt is not stored, so a short one replaces it. */
export function asCurl(entry: LogEntry, baseUrl: string): string {
  const isEmbedding = entry.operation === "embed";
  const kit = protocolKits[entry.protocol];
  const { path, body } = isEmbedding
    ? { path: embeddingsPath, body: { model: entry.model, input: "Hello!" } }
    : requestOf(entry.protocol, chatBody(entry));
  const headers = Object.entries(kit.credentials(KEY_PLACEHOLDER))
    .map(([name, value]) => `-H "${name}: ${value}"`)
    .join(" \\\n  ");
  return `curl ${baseUrl}${path} \\
  ${headers} \\
  -H "Content-Type: application/json" \\
  -d ${shellQuote(JSON.stringify(body))}`;
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
