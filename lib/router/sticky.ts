import { createHash } from "node:crypto";

const MAX_CONVERSATIONS = 20_000;
const TTL_MS = 3_600_000;

/**
 * An identifier of the conversation of a request within one key and alias; `opening` is what all its requests have in
 * common. Null when they have nothing.
 */
export function conversationKey(keyId: string, alias: string, opening: string): string | null {
  return opening === "" ? null : `${keyId} ${alias} ${digest(opening)}`;
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

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
