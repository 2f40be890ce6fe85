import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "@/lib/kernel/json";

const MAX_CONVERSATIONS = 20_000;
const TTL_MS = 3_600_000;
/** Characters used of the system text, and of the first user turn; both stay the same as the conversation grows. */
const MAX_TEXT = 2_048;

/**
 * An identifier of the conversation of a request: derived from the caller's `prompt_cache_key`, or from the system text
 * and first user turn, within one key and alias. Null when the request has none of them. Source: docs/protocols.md#s4
 * (`prompt_cache_key`).
 */
export function conversationKey(keyId: string, alias: string, body: JsonObject): string | null {
  const cacheKey = body.prompt_cache_key;
  const text = typeof cacheKey === "string" && cacheKey !== "" ? cacheKey : openingText(body);
  return text === "" ? null : `${keyId} ${alias} ${digest(text)}`;
}

/** The node that last served each conversation. Only a preference, which failover ignores. A bounded LRU map. */
export class StickyNodes {
  private readonly entries = new Map<string, { nodeId: string; expiresMs: number }>();

  constructor(
    private readonly now: () => number,
    private readonly maxEntries = MAX_CONVERSATIONS,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  /** The preferred node, or null. */
  get(conversation: string | null): string | null {
    if (conversation === null) return null;
    const entry = this.entries.get(conversation);
    if (entry === undefined) return null;
    if (entry.expiresMs > this.now()) return entry.nodeId;
    this.entries.delete(conversation);
    return null;
  }

  /** Stores the node that answered. */
  set(conversation: string | null, nodeId: string): void {
    if (conversation === null) return;
    this.entries.delete(conversation);
    this.entries.set(conversation, { nodeId, expiresMs: this.now() + TTL_MS });
    if (this.entries.size <= this.maxEntries) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }
}

function openingText(body: JsonObject): string {
  let text = textOf(body.system);
  const messages = Array.isArray(body.messages) ? body.messages : [];
  for (const message of messages) {
    if (!isObject(message)) break;
    if (message.role === "user") return `${text}\n${textOf(message.content)}`.trim();
    if (text.length < MAX_TEXT) text += textOf(message.content);
  }
  return text.trim();
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content.slice(0, MAX_TEXT);
  if (!Array.isArray(content)) return "";
  let text = "";
  for (const part of content) {
    if (text.length >= MAX_TEXT) break;
    if (isObject(part) && typeof part.text === "string") text += part.text.slice(0, MAX_TEXT);
  }
  return text;
}
