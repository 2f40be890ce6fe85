import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { HOUR_MS } from "@/lib/kernel/durations";

const MAX_CONVERSATIONS = 20_000;

/**
 * An identifier of the conversation of a request within one key and alias. `opening`: what all its requests have in
 * common. Null when they have nothing in common.
 */
export function conversationKey(keyId: string, alias: string, opening: string): string | null {
  return opening === "" ? null : `${keyId} ${alias} ${digest(opening)}`;
}

/** The node that last served each conversation: only a preference, which failover ignores. A bounded LRU map. */
export class StickyNodes {
  readonly #entries: LRUCache<string, string>;

  constructor(now: () => number, maxEntries = MAX_CONVERSATIONS) {
    this.#entries = new LRUCache({ max: maxEntries, ttl: HOUR_MS, ttlResolution: 0, perf: { now } });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The preferred node, or null. */
  get(conversation: string | null): string | null {
    return conversation === null ? null : (this.#entries.get(conversation) ?? null);
  }

  /** Stores the node that answered. */
  set(conversation: string | null, nodeId: string): void {
    if (conversation !== null) this.#entries.set(conversation, nodeId);
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
