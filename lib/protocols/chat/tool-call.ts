import type { ToolKind } from "@/lib/protocols/generation/events";
import { JsonScan } from "@/lib/protocols/sse/json-scan";

/** What the ids of calls begin with where the node gave none that is legal. */
export const callIdPrefix = "call_";

/** The field of each kind of call that holds the model's text. */
export const textField = { function: "arguments", custom: "input" } as const;

/** One tool call while it arrives. A call opens once its name is whole; until then its arguments wait. */
export class ToolCall {
  readonly kind: ToolKind;
  readonly slot: number;
  readonly index: number | null;
  id: string;
  name = "";
  opened = false;
  /** All arguments, or all of a custom tool's input, released so far. */
  arguments = "";
  #held = "";
  readonly #scan = new JsonScan();

  constructor(kind: ToolKind, slot: number, id: string, index: number | null) {
    this.kind = kind;
    this.slot = slot;
    this.id = id;
    this.index = index;
  }

  /** True when the arguments so far are a closed object; the text of a custom tool has no end. */
  get complete(): boolean {
    if (this.kind === "custom") return false;
    return this.#scan.complete || this.#held.trim() === "{}";
  }

  /** Takes a piece of the name: pieces add up until the call opens; a repeated whole name changes nothing. */
  named(name: string): void {
    if (this.opened || name === this.name) return;
    this.name += name;
  }

  /**
   * Takes arguments and returns those that may be sent now. `{}` and its beginning are held back: some
   * servers send `{}` first and the real arguments after it. Source: docs/protocols.md#e7.
   */
  feed(json: string): string {
    if (this.opened && this.arguments !== "") return this.#release(json);
    this.#held += json;
    if (this.kind === "custom") return this.opened ? this.#releaseHeld() : "";
    const text = this.#held.trim();
    if (!this.opened || text === "" || text === "{" || text === "{}") return "";
    return this.#releaseHeld();
  }

  /** Ends the call; returns what was still held, or `{}` when no argument ever came. Source: docs/protocols.md#e6. */
  close(): string {
    const rest = this.#releaseHeld();
    if (this.kind === "custom") return rest;
    return this.arguments === "" ? this.#release("{}") : rest;
  }

  #releaseHeld(): string {
    if (this.kind === "custom") {
      const input = this.#held;
      this.#held = "";
      return this.#release(input);
    }
    const text = this.#held.trimStart();
    const doubled = text.startsWith("{}") && text.slice(2).trimStart().startsWith("{");
    const json = doubled ? text.slice(2) : this.#held;
    this.#held = "";
    return json.trim() === "" ? "" : this.#release(json);
  }

  #release(json: string): string {
    this.arguments += json;
    this.#scan.push(json);
    return json;
  }
}
