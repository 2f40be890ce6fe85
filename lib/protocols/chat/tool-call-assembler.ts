import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ToolKind } from "@/lib/protocols/generation/events";
import { JsonScan } from "@/lib/protocols/sse/payloads";

/**
 * Assigns tool deltas to calls, regardless of how the server uses ids and indexes.
 *
 * `normalise` rewrites a delta in place for all clients: dense index; id, type and name once, on the first delta of a
 * call; only arguments after that. Source: docs/protocols.md#t1, #t6.
 */
export class ToolCallAssembler {
  readonly calls: ToolCall[] = [];
  readonly #edits: Edits;
  readonly #byId = new Map<string, ToolCall>();
  readonly #byIndex = new Map<number, ToolCall>();
  readonly #fallbackId: (slot: number) => string;
  #current: ToolCall | null = null;
  /** True when a delta without id and index was assigned to the current call. */
  guessed = false;

  /** `fallbackId` makes the ids of calls without one. */
  constructor(edits: Edits, fallbackId: (slot: number) => string) {
    this.#edits = edits;
    this.#fallbackId = fallbackId;
  }

  /** Normalises a delta. Returns false when there is nothing to send yet. */
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

  /** Adds the missing members of calls in a whole message: id, type, arguments as text. */
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

  /** The deltas that remain to be sent at the end of the answer. A call without a name is not opened. */
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

  /** Assigns an id to a call that began without one on the same index. */
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

/** True for the first delta of another call with an id that is in use: some servers give one id to all calls. */
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

/** One tool call during a stream. A call opens once its name is complete; until then its arguments are held. */
export class ToolCall {
  readonly kind: ToolKind;
  readonly slot: number;
  readonly index: number | null;
  id: string;
  name = "";
  opened = false;
  /** All arguments that were released so far, or all input of a custom tool. */
  arguments = "";
  #held = "";
  readonly #scan = new JsonScan();

  constructor(kind: ToolKind, slot: number, id: string, index: number | null) {
    this.kind = kind;
    this.slot = slot;
    this.id = id;
    this.index = index;
  }

  /** True when the arguments so far are a complete object; the text of a custom tool has no end. */
  get complete(): boolean {
    if (this.kind === "custom") return false;
    return this.#scan.complete || this.#held.trim() === "{}";
  }

  /** Adds a piece of the name: pieces are joined until the call opens; a repeated whole name changes nothing. */
  named(name: string): void {
    if (this.opened || name === this.name) return;
    this.name += name;
  }

  /**
   * Adds arguments and returns those that may be sent now. `{}` and its beginning are held back: some servers send `{}`
   * first and the real arguments after it. Source: docs/protocols.md#e7.
   */
  feed(json: string): string {
    if (this.opened && this.arguments !== "") return this.#release(json);
    this.#held += json;
    if (this.kind === "custom") return this.opened ? this.#releaseHeld() : "";
    const text = this.#held.trim();
    if (!this.opened || text === "" || text === "{" || text === "{}") return "";
    return this.#releaseHeld();
  }

  /** Ends the call; returns the held arguments, or `{}` for a call without any. Source: docs/protocols.md#e6. */
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

/** Changes JSON in place and records whether anything was changed. */
export class Edits {
  made = false;

  /** Sets a field to a new value. */
  set(target: JsonObject, key: string, value: unknown): void {
    if (target[key] === value && key in target) return;
    target[key] = value;
    this.made = true;
  }

  /** Removes a field. */
  drop(target: JsonObject, key: string): void {
    if (!(key in target)) return;
    delete target[key];
    this.made = true;
  }
}
