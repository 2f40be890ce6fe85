import type { JsonObject } from "@/lib/kernel/json-object";

/** The kinds of text that grow by deltas: a part of a message or of a reasoning item, or the input of a call. */
export type GrowingKind = "text" | "refusal" | "summary" | "reasoning" | "arguments" | "input";

/** The receiver of the items of an answer, which writes frames or nothing. */
export interface ItemSink {
  addItem(index: number, item: JsonObject): void;
  /** `partIndex`: the index among the parts of the item; 0 for a call. */
  openPart(kind: GrowingKind, item: JsonObject, itemIndex: number, partIndex: number): void;
  delta(text: string, logProbabilities?: readonly JsonObject[]): void;
  annotate(annotation: JsonObject, index: number): void;
  /** `part` in its form inside the item; null: the input of a call. */
  closePart(text: string, part: JsonObject | null): void;
  doneItem(index: number, item: JsonObject): void;
}

/** The growing part or input. */
interface LivePart {
  kind: GrowingKind;
  text: string;
  annotations: JsonObject[];
  logprobs: JsonObject[];
}

/** Writes the items of an answer one after the other, each with its parts; at most one item and one part is open. */
export class ItemWriter {
  /** The complete items. */
  readonly output: JsonObject[] = [];
  readonly #sink: ItemSink;
  readonly #idTail: string;
  #item: JsonObject | null = null;
  #parts: JsonObject[] = [];
  #part: LivePart | null = null;

  /** `answerId`: the id of the whole answer. */
  constructor(answerId: string, sink: ItemSink) {
    this.#sink = sink;
    this.#idTail = answerId.slice(answerId.indexOf("_") + 1);
  }

  /** The kind of the growing text; null: none. */
  get growing(): GrowingKind | null {
    return this.#part === null ? null : this.#part.kind;
  }

  /** The growing text so far; "" if none grows. */
  get text(): string {
    return this.#part === null ? "" : this.#part.text;
  }

  /** The id of the next item: stable, and unique among all answers, because clients refer to items by id. */
  nextId(kind: keyof typeof idPrefixes): string {
    return `${idPrefixes[kind]}${this.#idTail}${this.output.length.toString(16).padStart(4, "0")}`;
  }

  /** Opens an item. `item` has the form of its first frame. */
  open(item: JsonObject): void {
    this.#item = item;
    this.#parts = [];
    this.#sink.addItem(this.output.length, item);
  }

  /** Opens a part, and closes the one before it. */
  openPart(kind: GrowingKind): void {
    if (this.#item === null) return;
    this.closePart();
    this.#part = { kind, text: "", annotations: [], logprobs: [] };
    this.#sink.openPart(kind, this.#item, this.output.length, this.#parts.length);
  }

  grow(text: string, logProbabilities?: readonly JsonObject[]): void {
    if (this.#part === null) return;
    this.#part.text += text;
    for (const token of logProbabilities ?? []) this.#part.logprobs.push(token);
    this.#sink.delta(text, logProbabilities);
  }

  annotate(annotation: JsonObject): void {
    if (this.#part === null) return;
    this.#sink.annotate(annotation, this.#part.annotations.length);
    this.#part.annotations.push(annotation);
  }

  closePart(): void {
    if (this.#part === null) return;
    const { text } = this.#part;
    const part = partJson(this.#part);
    this.#part = null;
    if (part !== null) this.#parts.push(part);
    this.#sink.closePart(text, part);
  }

  /** Completes the open item. `partsField`: the member with its parts; null: a call has none. */
  done(partsField: string | null, fields: JsonObject): void {
    const item = this.#item;
    if (item === null) return;
    this.closePart();
    if (partsField !== null) item[partsField] = this.#parts;
    Object.assign(item, fields);
    this.#item = null;
    this.#sink.doneItem(this.output.length, item);
    this.output.push(item);
  }
}

/** The prefixes of item ids; vendors check them when an item is sent back. */
const idPrefixes = {
  message: "msg_",
  reasoning: "rs_",
  function: "fc_",
  custom: "ctc_",
  tool_search: "tsc_",
  local_shell: "lsh_",
  search: "ws_",
  picture: "ig_",
} as const;

/** A part in its form inside the item; null: the input of a call is no part. */
function partJson({ kind, text, annotations, logprobs }: LivePart): JsonObject | null {
  switch (kind) {
    case "text":
      return { type: "output_text", text, annotations, logprobs };
    case "refusal":
      return { type: "refusal", refusal: text };
    case "summary":
      return { type: "summary_text", text };
    case "reasoning":
      return { type: "reasoning_text", text };
    case "arguments":
    case "input":
      return null;
  }
}
