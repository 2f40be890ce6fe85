import type { JsonObject } from "@/lib/kernel/json-object";
import { JsonScan } from "@/lib/protocols/sse/payloads";

/** A block of text that is not complete yet. */
export function blank(kind: "text" | "thinking", content = ""): PendingBlock {
  return { kind, slot: -1, content, start: {}, whole: false };
}

/** The block in the form of its first frame. */
export function startOf(block: PendingBlock): JsonObject {
  if (block.kind === "text") return { type: "text", text: "" };
  return block.kind === "thinking" ? { type: "thinking", thinking: "", signature: "" } : block.start;
}

type BlockKind = "text" | "thinking" | "redacted" | "tool" | "result";

/** A block that waits until the open tool call ends. Shape: `start` is the block in the form of its first frame. */
export interface PendingBlock {
  kind: BlockKind;
  slot: number;
  content: string;
  start: JsonObject;
  /** No further event of the block follows. */
  whole: boolean;
  /** The sources of a text. */
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

  /** Reads the arguments of a tool call. */
  feed(json: string): void {
    this.empty = false;
    this.#scan?.push(json);
  }
}
