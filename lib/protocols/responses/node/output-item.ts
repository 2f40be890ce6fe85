import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { sourcesOf } from "@/lib/protocols/generation/sources";
import { flatName } from "@/lib/protocols/responses/tools";
import { pricedCallOf } from "./priced-tools";

/** The state of a whole answer while its items are read. */
export interface AnswerState {
  /** Messages that have begun. */
  messages: number;
  /** Slots of tool calls. */
  slots: number;
  /** Length of the text so far. Units: UTF-16 units. */
  textLength: number;
  /** The text with which the model refused. */
  refusal: string;
  /** The whole arguments of each function call. */
  arguments: string[];
  /** A call has arrived without the name of its tool. */
  unnamed: boolean;
  /** Pictures that the node has made. */
  images: number;
}

/** The state of an answer before any event. */
export function emptyAnswer(): AnswerState {
  return { messages: 0, slots: 0, textLength: 0, refusal: "", arguments: [], unnamed: false, images: 0 };
}

/** The kinds of text in an item, each with its own indexes. */
export type PartKind = "text" | "refusal" | "summary" | "reasoning";

const kindOfPart: Readonly<Record<string, PartKind>> = {
  output_text: "text",
  text: "text",
  refusal: "refusal",
  summary_text: "summary",
  reasoning_text: "reasoning",
};

/** A part as far as it is read. Shape: `start` is the length of the answer's text before it. */
interface ReadPart {
  start: number;
  text: string;
  annotations: number;
}

/**
 * Call items of tools with their own item types that the client may have to run: the tool's name, and the field of its
 * input.
 */
const builtIn: Readonly<Record<string, { name: string; input: string }>> = {
  tool_search_call: { name: "tool_search", input: "arguments" },
  local_shell_call: { name: "local_shell", input: "action" },
  shell_call: { name: "shell", input: "action" },
  apply_patch_call: { name: "apply_patch", input: "operation" },
  computer_call: { name: "computer", input: "action" },
};

/** Items without an `other_item` event. */
const known: ReadonlySet<string> = new Set(["message", "reasoning", "function_call", "custom_tool_call"]);

/**
 * Reads one output item as it arrives: by its deltas, or by the texts at the end of a part or item if the node sent no
 * deltas. Events may arrive in any order or be missing. Source: docs/responses.md#s3-1.
 */
export class OutputItem {
  done = false;
  /** The list that receives the events of this item. */
  events: GenerationEvent[];
  readonly #answer: AnswerState;
  readonly #parts = new Map<string, ReadPart>();
  #type = "";
  #phase: string | null = null;
  #began = false;
  #reasoned: string | null = null;
  #sealed = false;
  /** The slot of the call; -1: none is open. */
  #slot = -1;
  #input = "";

  constructor(answer: AnswerState, events: GenerationEvent[]) {
    this.#answer = answer;
    this.events = events;
  }

  /** Reads the item in the form of its beginning. */
  add(item: JsonObject): void {
    this.#learn(item);
    if (!known.has(this.#type)) this.#begin();
    else if (isCall(this.#type)) this.#openCall(item);
  }

  /** Adds a piece of text. Some servers call the text of reasoning `output_text`; it is no answer. */
  delta(kind: PartKind, index: unknown, text: unknown, logProbabilities?: unknown): void {
    if (typeof text !== "string" || text === "" || this.done) return;
    this.#part(kind, index).text += text;
    switch (this.#type === "reasoning" && kind === "text" ? "reasoning" : kind) {
      case "text":
        this.#beginMessage();
        this.#answer.textLength += text.length;
        this.events.push(textEvent(text, logProbabilities));
        return;
      case "refusal":
        this.#beginMessage();
        this.#answer.refusal += text;
        this.events.push({ type: "refusal", text });
        return;
      case "summary":
      case "reasoning":
        this.#reason(`${kind} ${String(index)}`, text);
    }
  }

  /** Reads a whole part: adds the text that its deltas did not contain. */
  whole(kind: PartKind, index: unknown, text: unknown, logProbabilities?: unknown): void {
    const said = this.#parts.get(keyOf(kind, index))?.text ?? "";
    this.delta(kind, index, restOf(text, said), said === "" ? logProbabilities : undefined);
  }

  /** Reads a part with its type, in the form of its end. */
  part(index: unknown, part: unknown): void {
    if (!isObject(part) || typeof part.type !== "string") return;
    const kind = rowOf(kindOfPart, part.type);
    if (kind === undefined) return;
    this.whole(kind, index, kind === "refusal" ? part.refusal : part.text, part.logprobs);
    const read = this.#parts.get(keyOf(kind, index));
    const annotations: unknown[] = Array.isArray(part.annotations) ? part.annotations : [];
    for (const annotation of annotations.slice(read?.annotations ?? 0)) this.annotation(index, annotation);
  }

  /** Reads an annotation of a text; only web citations have a counterpart in other protocols. */
  annotation(index: unknown, annotation: unknown): void {
    const part = this.#part("text", index);
    part.annotations += 1;
    if (!isObject(annotation) || typeof annotation.url !== "string") return;
    const { url, title, start_index: start, end_index: end } = annotation;
    this.events.push({
      type: "citation",
      url,
      title: typeof title === "string" ? title : "",
      start: typeof start === "number" ? part.start + start : part.start,
      end: typeof end === "number" ? part.start + end : this.#answer.textLength,
    });
  }

  /** Adds a piece of a call's input. */
  inputDelta(text: unknown): void {
    if (typeof text !== "string" || text === "" || this.done) return;
    this.#input += text;
    if (this.#slot !== -1) this.events.push({ type: "tool_args", slot: this.#slot, text });
  }

  /** Reads the whole input of a call. */
  wholeInput(text: unknown): void {
    this.inputDelta(restOf(text, this.#input));
  }

  /** Reads the item in the form of its end. */
  end(item: JsonObject): void {
    if (this.done) return;
    this.#learn(item);
    if (!known.has(this.#type)) this.#endOther(item);
    else if (isCall(this.#type)) this.#endCall(item);
    else {
      const { summary, content, encrypted_content: sealed, id } = item;
      this.#wholeParts(summary);
      this.#wholeParts(content);
      if (this.#type === "message") this.#endMessage(content);
      else this.seal(sealed, id);
    }
    this.done = true;
  }

  /** Reads the sealed form of the reasoning; some servers send it only at the end of the response. */
  seal(sealed: unknown, id: unknown): void {
    if (this.#type !== "reasoning" || this.#sealed || typeof sealed !== "string" || sealed === "") return;
    this.#sealed = true;
    this.events.push({ type: "reasoning_opaque", data: sealed, id: typeof id === "string" ? id : "" });
  }

  /** True for an item of a type that only this protocol has. */
  get isOther(): boolean {
    return !known.has(this.#type);
  }

  /** Closes a call that is still open at the end of the answer. */
  close(): void {
    if (!this.done && isCall(this.#type)) this.#closeCall();
    this.done = true;
  }

  #learn(item: JsonObject): void {
    if (typeof item.type === "string") this.#type = item.type;
    if (typeof item.phase === "string") this.#phase = item.phase;
  }

  #part(kind: PartKind, index: unknown): ReadPart {
    const key = keyOf(kind, index);
    const part = this.#parts.get(key) ?? { start: this.#answer.textLength, text: "", annotations: 0 };
    this.#parts.set(key, part);
    return part;
  }

  #begin(): void {
    if (this.#began) return;
    this.#began = true;
    this.events.push({ type: "other_item", kind: this.#type });
  }

  /** A call of a built-in tool that the client runs becomes a call of a function with its name. */
  #endOther(item: JsonObject): void {
    this.#begin();
    const priced = pricedCallOf(this.#type, item);
    if (priced !== null) this.events.push({ type: "hosted_call", tool: priced });
    if (priced === "imageGeneration") this.#answer.images += 1;
    if (priced === "webSearch" && item.status !== "failed") this.events.push(searchOf(item));
    const tool = rowOf(builtIn, this.#type);
    if (tool === undefined || runsAtNode(item)) return;
    this.#type = "function_call";
    this.#endCall({
      name: tool.name,
      call_id: item.call_id,
      arguments: item[tool.input],
      caller: item.caller,
    });
  }

  #beginMessage(): void {
    if (this.#began) return;
    this.#began = true;
    if (this.#answer.messages > 0 || this.#phase !== null)
      this.events.push({ type: "message", phase: this.#phase });
    this.#answer.messages += 1;
  }

  #wholeParts(parts: unknown): void {
    if (!Array.isArray(parts)) return;
    for (const [index, part] of parts.entries()) this.part(index, part);
  }

  /** Some servers send the content of a message as a string. */
  #endMessage(content: unknown): void {
    if (typeof content === "string" && !this.#began) this.delta("text", 0, content);
  }

  #reason(part: string, text: string): void {
    const isNext = this.#reasoned !== null && this.#reasoned !== part;
    this.#reasoned = part;
    this.events.push(isNext ? { type: "reasoning", text, further: true } : { type: "reasoning", text });
  }

  #openCall({ name, namespace, call_id: id, caller }: JsonObject): void {
    if (this.#slot !== -1 || typeof name !== "string" || name === "") return;
    this.#slot = this.#answer.slots;
    this.#answer.slots += 1;
    const opened: GenerationEvent = {
      type: "tool_open",
      slot: this.#slot,
      id: typeof id === "string" ? id : "",
      name: flatName(namespace, name),
      kind: this.#type === "custom_tool_call" ? "custom" : "function",
    };
    // A program at the node has made the call. Source: docs/protocols.md#s11-2.
    if (isObject(caller) && caller.type === "program") opened.byProgram = true;
    this.events.push(opened);
    if (this.#input !== "") this.events.push({ type: "tool_args", slot: this.#slot, text: this.#input });
  }

  #endCall(item: JsonObject): void {
    this.#openCall(item);
    const input = this.#type === "custom_tool_call" ? item.input : item.arguments;
    this.wholeInput(isObject(input) ? printJson(input) : input);
    this.#closeCall();
  }

  #closeCall(): void {
    if (this.#slot === -1) {
      this.#answer.unnamed = true;
      return;
    }
    const isFunction = this.#type === "function_call";
    if (isFunction && this.#input === "") this.inputDelta("{}");
    if (isFunction) this.#answer.arguments.push(this.#input);
    this.events.push({ type: "tool_close", slot: this.#slot });
  }
}

/** The event of a web search. Source: docs/protocols.md#s9-3. */
function searchOf({ id, action }: JsonObject): GenerationEvent {
  const { query, queries, sources } = isObject(action) ? action : {};
  const asked = typeof query === "string" ? [query] : Array.isArray(queries) ? queries : [];
  return {
    type: "search",
    id: typeof id === "string" ? id : "",
    query: asked.filter((text) => typeof text === "string").join("; "),
    sources: sourcesOf(sources),
  };
}

function textEvent(text: string, logProbabilities: unknown): GenerationEvent {
  if (!Array.isArray(logProbabilities) || logProbabilities.length === 0) return { type: "text", text };
  return { type: "text", text, logProbabilities: logProbabilities.filter(isObject) };
}

function isCall(type: string): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

/** The part of a whole text that was not read yet; "" if the text before differs. */
function restOf(whole: unknown, said = ""): string {
  return typeof whole === "string" && whole.startsWith(said) ? whole.slice(said.length) : "";
}

function runsAtNode({ type, execution, environment }: JsonObject): boolean {
  if (type === "tool_search_call") return execution !== "client";
  return isObject(environment) && String(environment.type).startsWith("container");
}

/** Parts without an index have index 0. */
function keyOf(kind: PartKind, index: unknown): string {
  return `${kind} ${typeof index === "number" ? index : 0}`;
}
