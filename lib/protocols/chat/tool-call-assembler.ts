import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ToolKind } from "@/lib/protocols/generation/events";
import { JsonScan } from "@/lib/protocols/sse/payloads";

/**
 * Finds out which call a tool delta belongs to, whatever the server does with ids and indexes.
 *
 * `normalise` rewrites a delta in place to what every client takes: dense index; id, type and name once, on the
 * first delta of a call; only arguments after that. Source: docs/protocols.md#t1, #t6.
 */
export class ToolCallAssembler {
  readonly calls: ToolCall[] = [];
  readonly #edits: Edits;
  readonly #byId = new Map<string, ToolCall>();
  readonly #byIndex = new Map<number, ToolCall>();
  readonly #fallbackId: (slot: number) => string;
  #current: ToolCall | null = null;
  /** True when a delta carried neither id nor index and was assigned to the current call. */
  guessed = false;

  /** `fallbackId` names the calls that the node gave no id. */
  constructor(edits: Edits, fallbackId: (slot: number) => string) {
    this.#edits = edits;
    this.#fallbackId = fallbackId;
  }

  /** Takes a delta. Returns false when it has nothing to send yet. */
  normalise(entry: JsonObject): boolean {
    const kind = kindOf(entry);
    const given = isObject(entry[kind]) ? entry[kind] : {};
    const name = typeof given.name === "string" ? given.name : "";
    const text = argumentsText(given[textField[kind]]);
    const call = this.#resolve(entry, kind, name, text);
    this.#current = call;
    if (name !== "") call.named(name);
    const opening = !call.opened && call.name !== "" && (text !== null || name === "");
    if (opening) call.opened = true;
    const released = call.feed(text ?? "");
    if (!call.opened) return false;
    if (opening) {
      if (call.id === "") call.id = this.#fallbackId(call.slot);
      this.#rewriteFirst(entry, given, call, released);
      return true;
    }
    this.#rewriteNext(entry, given, call, released);
    return released !== "" || text === "";
  }

  /** Adds to the calls of a whole message what is missing: id, type, arguments as text. */
  normaliseWhole(entries: readonly JsonObject[]): void {
    const taken = new Set<string>();
    for (const [slot, entry] of entries.entries()) {
      if (typeof entry.id !== "string" || entry.id === "" || taken.has(entry.id))
        this.#edits.set(entry, "id", this.#fallbackId(slot));
      taken.add(String(entry.id));
      if (!isObject(entry.function)) continue;
      this.#edits.set(entry, "type", "function");
      this.#edits.set(entry.function, "arguments", argumentsText(entry.function.arguments) || "{}");
    }
  }

  /** What is still to be sent when the answer ends, as deltas. A call that never got a name stays unopened. */
  close(): JsonObject[] {
    const deltas: JsonObject[] = [];
    for (const call of this.calls) {
      if (call.name === "") continue;
      const first = !call.opened;
      call.opened = true;
      const rest = call.close();
      if (first) {
        if (call.id === "") call.id = this.#fallbackId(call.slot);
        const opened = { name: call.name, [textField[call.kind]]: rest };
        deltas.push({ index: call.slot, id: call.id, type: call.kind, [call.kind]: opened });
      } else if (rest !== "") {
        deltas.push({ index: call.slot, [call.kind]: { [textField[call.kind]]: rest } });
      }
    }
    return deltas;
  }

  #resolve(entry: JsonObject, kind: ToolKind, name: string, text: string | null): ToolCall {
    const id = typeof entry.id === "string" ? entry.id : "";
    const index = typeof entry.index === "number" ? entry.index : null;
    const open = (ownId: string) => this.#open(kind, ownId, index);
    const known = id === "" ? undefined : this.#byId.get(id);
    if (known !== undefined) return isAnother(known, name, index) ? open(id) : known;
    if (id !== "") return this.#adopt(id, kind, index) ?? open(id);
    const indexed = index === null ? undefined : this.#byIndex.get(index);
    if (indexed?.kind === kind) {
      const anotherCall = name !== "" && indexed.complete && text !== null && text.trim() !== "";
      return anotherCall ? open("") : indexed;
    }
    const current = this.#current;
    if (current?.kind !== kind) return open("");
    if (name === "") {
      this.guessed = true;
      return current;
    }
    const isNew = index !== null || current.complete || (current.name !== "" && current.name !== name);
    return isNew ? open("") : current;
  }

  /** A call that began without an id and gets one later, on the same index. */
  #adopt(id: string, kind: ToolKind, index: number | null): ToolCall | null {
    const call = index === null ? undefined : this.#byIndex.get(index);
    if (call?.kind !== kind || call.id !== "" || call.opened) return null;
    call.id = id;
    this.#byId.set(id, call);
    return call;
  }

  #open(kind: ToolKind, id: string, index: number | null): ToolCall {
    const call = new ToolCall(kind, this.calls.length, this.#byId.has(id) ? "" : id, index);
    this.calls.push(call);
    if (id !== "") this.#byId.set(id, call);
    if (index !== null) this.#byIndex.set(index, call);
    return call;
  }

  #rewriteFirst(entry: JsonObject, given: JsonObject, call: ToolCall, released: string): void {
    const field = textField[call.kind];
    const same = entry.index === call.slot && entry.id === call.id && entry.type === call.kind;
    if (same && given.name === call.name && given[field] === released) return;
    this.#edits.made = true;
    entry.index = call.slot;
    entry.id = call.id;
    entry.type = call.kind;
    entry[call.kind] = Object.assign(given, { name: call.name, [field]: released });
  }

  #rewriteNext(entry: JsonObject, given: JsonObject, call: ToolCall, released: string): void {
    const field = textField[call.kind];
    const bare = entry.id === undefined && entry.type === undefined && given.name === undefined;
    if (bare && entry.index === call.slot && given[field] === released) return;
    this.#edits.made = true;
    delete entry.id;
    delete entry.type;
    delete given.name;
    entry.index = call.slot;
    entry[call.kind] = Object.assign(given, { [field]: released });
  }
}

/** True for the head of a further call under an id that is taken: some servers give one id to all calls. */
function isAnother(known: ToolCall, name: string, index: number | null): boolean {
  return name !== "" && known.complete && index !== null && known.index !== null && index !== known.index;
}

function kindOf(entry: JsonObject): ToolKind {
  return isObject(entry.custom) && !isObject(entry.function) ? "custom" : "function";
}

function argumentsText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? null : printJson(value);
}

/** The prefix of tool call ids that the gateway makes. */
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

/** Changes JSON in place and knows whether anything had to be changed. */
export class Edits {
  made = false;

  /** Sets a field that is not this value yet. */
  set(target: JsonObject, key: string, value: unknown): void {
    if (target[key] === value && key in target) return;
    target[key] = value;
    this.made = true;
  }

  /** Takes a field out. */
  drop(target: JsonObject, key: string): void {
    if (!(key in target)) return;
    delete target[key];
    this.made = true;
  }
}
