import type { JsonObject } from "@/lib/kernel/json-object";
import { JsonScan } from "@/lib/protocols/sse/payloads";

/** A block of text that is not whole yet. */
export function blank(kind: "text" | "thinking", content = ""): PendingBlock {
  return { kind, slot: -1, content, start: {}, whole: false };
}

/** The block as its first frame shows it. */
export function startOf(block: PendingBlock): JsonObject {
  if (block.kind === "text") return { type: "text", text: "" };
  return block.kind === "thinking" ? { type: "thinking", thinking: "", signature: "" } : block.start;
}

type BlockKind = "text" | "thinking" | "redacted" | "tool" | "result";

/** A block that waits behind an open tool call. Shape: `start` is the block as its first frame shows it. */
export interface PendingBlock {
  kind: BlockKind;
  slot: number;
  content: string;
  start: JsonObject;
  /** Nothing more will come for it. */
  whole: boolean;
  /** Where a text comes from. */
  citations?: JsonObject[];
}

/** The block that is open on the wire. */
export class LiveBlock {
  empty = true;
  readonly #scan: JsonScan | null;

  constructor(
    readonly kind: BlockKind,
    readonly slot: number,
    readonly index: number,
    public whole: boolean,
  ) {
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
