import { JsonScan } from "../json-scan";

/** One tool call while it arrives. A call opens once its name is whole; until then its arguments wait. */
export class ToolSlot {
  readonly slot: number;
  readonly index: number | null;
  id: string;
  name = "";
  opened = false;
  /** All arguments let out so far. */
  arguments = "";
  #held = "";
  readonly #scan = new JsonScan();

  constructor(slot: number, id: string, index: number | null) {
    this.slot = slot;
    this.id = id;
    this.index = index;
  }

  /** True when the arguments so far are a closed object. */
  get complete(): boolean {
    return this.#scan.complete || this.#held.trim() === "{}";
  }

  /** Takes a piece of the name: pieces add up until the call opens; a repeated whole name changes nothing. */
  named(name: string): void {
    if (this.opened || name === this.name) return;
    this.name += name;
  }

  /**
   * Takes arguments and returns those that may go out now. `{}` and its beginning are held back: some
   * servers send `{}` first and the real arguments after it. Source: protocol 12.4 E7.
   */
  feed(json: string): string {
    if (this.opened && this.arguments !== "") return this.#release(json);
    this.#held += json;
    const text = this.#held.trim();
    if (!this.opened || text === "" || text === "{" || text === "{}") return "";
    return this.#releaseHeld();
  }

  /** Ends the call; returns what was still held, or `{}` when no argument ever came. Source: protocol 12.4 E6. */
  close(): string {
    const rest = this.#releaseHeld();
    return this.arguments === "" ? this.#release("{}") : rest;
  }

  #releaseHeld(): string {
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
