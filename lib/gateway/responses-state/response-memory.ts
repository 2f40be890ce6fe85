import type { StoredItems } from "./content-tasks";
import type { BeforeLarge, Chain } from "./store";

/** The items of a remembered response and of all before it. */
export interface RememberedChain extends Chain {
  /** The response is stored too, so that the next one need not store its items again. */
  isStored: boolean;
}

/** A response that is to be remembered. */
export interface MadeResponse {
  id: string;
  /** The remembered response whose items come before these; null: none. */
  parentId: string | null;
  items: StoredItems;
  /** What the items add to the estimate of a request that has them as input. */
  tokens: number;
  nodeId: string | null;
  depth: number;
  isStored: boolean;
}

/**
 * Where a connection remembers the responses that were made on it, those with `store: false` too.
 * Source: docs/websocket.md#state.
 */
export interface ResponseMemory {
  /**
   * The chain of a response; null: it is not remembered. Throws: HistoryTooLarge beyond `maxBytes` of JSON; what
   * `beforeLarge` throws, which is called before a large chain is read.
   */
  recall(id: string, maxBytes: number, beforeLarge: BeforeLarge): Promise<RememberedChain | null>;
  /** Remembers a response, in place of the one before it. */
  remember(made: MadeResponse): Promise<void>;
}
