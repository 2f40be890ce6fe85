import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { ToolKind } from "@/lib/protocols/generation/events";
import { ToolCall, textField } from "./tool-call";

/**
 * Finds out which call a tool delta belongs to, whatever the server does with ids and indexes.
 *
 * `repair` rewrites a delta in place to what every client takes: dense index; id, type and name once, on the
 * first delta of a call; only arguments after that. Source: docs/protocols.md#t1, #t2, #t3, #t4, #t5, #t6.
 */
export class ToolCallAssembler {
  readonly slots: ToolCall[] = [];
  readonly #byId = new Map<string, ToolCall>();
  readonly #byIndex = new Map<number, ToolCall>();
  readonly #fallbackId: (slot: number) => string;
  #current: ToolCall | null = null;
  /** True when the last `repair` had to change something. */
  edited = false;
  /** True when a delta had to be given to a call by guesswork. */
  guessed = false;

  /** `fallbackId` names the calls that the upstream gave no id. */
  constructor(fallbackId: (slot: number) => string) {
    this.#fallbackId = fallbackId;
  }

  /** Returns false when the delta has nothing to send yet. */
  repair(entry: JsonObject): boolean {
    this.edited = false;
    const kind = kindOf(entry);
    const call = isObject(entry[kind]) ? entry[kind] : {};
    const name = typeof call.name === "string" ? call.name : "";
    const json = argumentsText(call[textField[kind]]);
    const slot = this.#resolve(entry, kind, name, json);
    this.#current = slot;
    if (name !== "") slot.named(name);
    const opening = !slot.opened && slot.name !== "" && (json !== null || name === "");
    if (opening) slot.opened = true;
    const released = slot.feed(json ?? "");
    if (!slot.opened) return false;
    if (opening) {
      if (slot.id === "") slot.id = this.#fallbackId(slot.slot);
      this.#rewriteFirst(entry, call, slot, released);
      return true;
    }
    this.#rewriteNext(entry, call, slot, released);
    return released !== "" || json === "";
  }

  /** What is still owed when the answer ends, as deltas. A call that never got a name stays unopened. */
  close(): JsonObject[] {
    const owed: JsonObject[] = [];
    for (const slot of this.slots) {
      if (slot.name === "") continue;
      const first = !slot.opened;
      slot.opened = true;
      const rest = slot.close();
      if (first) {
        if (slot.id === "") slot.id = this.#fallbackId(slot.slot);
        const call = { name: slot.name, [textField[slot.kind]]: rest };
        owed.push({ index: slot.slot, id: slot.id, type: slot.kind, [slot.kind]: call });
      } else if (rest !== "") {
        owed.push({ index: slot.slot, [slot.kind]: { [textField[slot.kind]]: rest } });
      }
    }
    return owed;
  }

  #resolve(entry: JsonObject, kind: ToolKind, name: string, json: string | null): ToolCall {
    const id = typeof entry.id === "string" ? entry.id : "";
    const index = typeof entry.index === "number" ? entry.index : null;
    const open = (ownId: string) => this.#open(kind, ownId, index);
    if (id !== "") return this.#byId.get(id) ?? this.#adopt(id, kind, index) ?? open(id);
    const indexed = index === null ? undefined : this.#byIndex.get(index);
    if (indexed?.kind === kind) {
      const anotherCall = name !== "" && indexed.complete && json !== null && json.trim() !== "";
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
    const slot = index === null ? undefined : this.#byIndex.get(index);
    if (slot?.kind !== kind || slot.id !== "" || slot.opened) return null;
    slot.id = id;
    this.#byId.set(id, slot);
    return slot;
  }

  #open(kind: ToolKind, id: string, index: number | null): ToolCall {
    const slot = new ToolCall(kind, this.slots.length, id, index);
    this.slots.push(slot);
    if (id !== "") this.#byId.set(id, slot);
    if (index !== null) this.#byIndex.set(index, slot);
    return slot;
  }

  #rewriteFirst(entry: JsonObject, call: JsonObject, slot: ToolCall, released: string): void {
    const field = textField[slot.kind];
    const same = entry.index === slot.slot && entry.id === slot.id && entry.type === slot.kind;
    if (same && call.name === slot.name && call[field] === released) return;
    this.edited = true;
    entry.index = slot.slot;
    entry.id = slot.id;
    entry.type = slot.kind;
    entry[slot.kind] = Object.assign(call, { name: slot.name, [field]: released });
  }

  #rewriteNext(entry: JsonObject, call: JsonObject, slot: ToolCall, released: string): void {
    const field = textField[slot.kind];
    const bare = entry.id === undefined && entry.type === undefined && call.name === undefined;
    if (bare && entry.index === slot.slot && call[field] === released) return;
    this.edited = true;
    delete entry.id;
    delete entry.type;
    delete call.name;
    entry.index = slot.slot;
    entry[slot.kind] = Object.assign(call, { [field]: released });
  }
}

function kindOf(entry: JsonObject): ToolKind {
  return isObject(entry.custom) && !isObject(entry.function) ? "custom" : "function";
}

function argumentsText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? null : JSON.stringify(value);
}
