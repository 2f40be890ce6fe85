import type { JsonObject } from "@/lib/kernel/json";
import { JsonScan } from "@/lib/protocols/sse/json-scan";

type BlockKind = "text" | "thinking" | "redacted" | "tool";

/** A block that waits behind an open tool call. Shape: `start` is the block as its first frame shows it. */
export interface PendingBlock {
  kind: BlockKind;
  slot: number;
  content: string;
  start: JsonObject;
  /** Nothing more will come for it. */
  whole: boolean;
}

/** The block that is open on the wire. */
export class LiveBlock {
  readonly kind: BlockKind;
  readonly slot: number;
  readonly index: number;
  whole: boolean;
  empty = true;
  readonly #scan: JsonScan | null;

  constructor(kind: BlockKind, slot: number, index: number, whole: boolean) {
    this.kind = kind;
    this.slot = slot;
    this.index = index;
    this.whole = whole;
    this.#scan = kind === "tool" ? new JsonScan() : null;
  }

  /** True unless it is a tool call whose arguments are incomplete. */
  get mayClose(): boolean {
    return this.whole || this.#scan === null || this.#scan.complete;
  }

  /** Follows the arguments of a tool call. */
  feed(json: string): void {
    this.empty = false;
    this.#scan?.push(json);
  }
}
