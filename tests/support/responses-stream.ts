import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { WireFrame } from "./fold";

/** What a produced stream of a response says, and what is wrong with it. */
export interface ReadResponse {
  problems: string[];
  /** The response of the terminal event with an output that is put together from the deltas; null: none came. */
  body: JsonObject | null;
}

interface OpenItem {
  item: JsonObject;
  parts: OpenPart[];
  text: string;
  textDone: boolean;
}

interface OpenPart {
  part: JsonObject;
  done: boolean;
}

const textOf: Readonly<Record<string, string>> = {
  output_text: "text",
  summary_text: "text",
  reasoning_text: "text",
  refusal: "refusal",
};

const terminals = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** Reads a stream as strictly as the strictest client does; arguments are the model's own matter. Source: docs/responses.md#s2-1. */
export function readResponse(frames: readonly WireFrame[]): ReadResponse {
  return new Reader().read(frames);
}

class Reader {
  readonly #problems: string[] = [];
  readonly #output: JsonObject[] = [];
  readonly #ids = new Set<unknown>();
  readonly #callIds = new Set<unknown>();
  #open: OpenItem | null = null;
  #terminal: JsonObject | null = null;
  #responseId: unknown = null;

  read(frames: readonly WireFrame[]): ReadResponse {
    const bodies = frames.filter(({ data }) => data !== "[DONE]").map(({ data }) => object(JSON.parse(data)));
    if (frames.at(-1)?.data !== "[DONE]" || bodies.length !== frames.length - 1)
      this.#fault("does not end with one [DONE]");
    bodies.forEach((body, at) => {
      if (frames[at]?.event !== body.type)
        this.#fault(`event ${frames[at]?.event} is not its type ${body.type}`);
      if (body.sequence_number !== at) this.#fault(`sequence number ${body.sequence_number} at ${at}`);
      if (this.#terminal !== null) this.#fault(`${body.type} after the end`);
      this.#take(body, at);
    });
    if (this.#terminal === null) this.#fault("no terminal event");
    else this.#checkTerminal(this.#terminal);
    const body = this.#terminal === null ? null : { ...this.#terminal, output: this.#output };
    return { problems: this.#problems, body };
  }

  #take(body: JsonObject, at: number): void {
    const type = String(body.type);
    if ((at === 0) !== (type === "response.created")) this.#fault(`${type} at ${at}`);
    if ((at === 1) !== (type === "response.in_progress")) this.#fault(`${type} at ${at}`);
    if (isObject(body.response)) this.#lifecycle(type, body.response);
    else if (type === "response.output_item.added") this.#added(body);
    else if (this.#open === null || body.output_index !== this.#output.length)
      this.#fault(`${type} for item ${body.output_index}, which is not open`);
    else if (type === "response.output_item.done") this.#itemDone(this.#open, object(body.item));
    else if (body.item_id !== this.#open.item.id) this.#fault(`${type} names item ${body.item_id}`);
    else this.#inItem(type, body, this.#open);
  }

  #lifecycle(type: string, response: JsonObject): void {
    this.#responseId ??= response.id;
    if (response.id !== this.#responseId) this.#fault("more than one response id");
    if (`response.${response.status}` !== type && type !== "response.created")
      this.#fault(`${type} with status ${response.status}`);
    if (terminals.has(type)) this.#terminal = response;
    else if (response.usage !== null || !isDeepStrictEqual(response.output, []))
      this.#fault(`${type} with usage or output`);
  }

  #added({ output_index: index, item }: JsonObject): void {
    if (this.#open !== null) this.#fault("an item is added while another is open");
    if (index !== this.#output.length) this.#fault(`item ${index} where ${this.#output.length} was due`);
    const added = object(item);
    const { id, call_id: callId, type, status, name } = added;
    if (typeof id !== "string" || id === "" || this.#ids.has(id)) this.#fault(`item id ${id}`);
    this.#ids.add(id);
    if (type !== "reasoning" && status !== "in_progress") this.#fault(`${type} added as ${status}`);
    if (String(type).endsWith("_call") && type !== "web_search_call") {
      if (callId === id || !callId || this.#callIds.has(callId)) this.#fault(`call id ${callId}`);
      this.#callIds.add(callId);
    }
    if ((added.arguments === "" || added.input === "") && !name) this.#fault(`${type} without a name`);
    if (list(added.content).length + list(added.summary).length > 0) this.#fault(`${type} added with parts`);
    this.#open = { item: added, parts: [], text: "", textDone: false };
  }

  #inItem(type: string, body: JsonObject, open: OpenItem): void {
    const index = body.content_index ?? body.summary_index;
    const part = open.parts.at(-1);
    if (type.endsWith("_part.added")) {
      if (part !== undefined && !part.done) this.#fault("a part is added while another is open");
      if (index !== open.parts.length) this.#fault(`part ${index} where ${open.parts.length} was due`);
      open.parts.push({ part: { ...object(body.part) }, done: false });
      open.textDone = false;
      open.text = "";
      return;
    }
    if (index !== undefined && (part === undefined || part.done || index !== open.parts.length - 1))
      this.#fault(`${type} for part ${index}, which is not open`);
    if (type.endsWith(".annotation.added") && part)
      part.part.annotations = [...list(part.part.annotations), object(body.annotation)];
    else if (type.endsWith(".delta")) {
      if (open.textDone) this.#fault(`${type} after its end`);
      open.text += String(body.delta);
    } else if (type.endsWith("_part.done")) this.#partDone(open, part, object(body.part));
    else if (type.endsWith(".done")) {
      const whole = body.text ?? body.refusal ?? body.arguments ?? body.input;
      if (open.textDone) this.#fault(`${type} twice`);
      if (whole !== open.text) this.#fault(`${type} says ${whole} after ${open.text}`);
      open.textDone = true;
    } else this.#fault(`unknown event ${type}`);
  }

  #partDone(open: OpenItem, part: OpenPart | undefined, done: JsonObject): void {
    if (part === undefined) return;
    part.part[textOf[String(part.part.type)] ?? "?"] = open.text;
    part.done = true;
    if (!open.textDone) this.#fault("a part ends before its text");
    if (!isDeepStrictEqual(part.part, done)) this.#fault(`the part ends as ${JSON.stringify(done)}`);
  }

  /** What the deltas say must be what the item says. */
  #itemDone(open: OpenItem, done: JsonObject): void {
    const made: JsonObject = { ...done, ...open.item };
    if (done.status !== undefined) made.status = done.status;
    const parts = open.parts.map(({ part }) => part);
    if (open.parts.some((part) => !part.done)) this.#fault("an item ends before its part");
    if (parts[0]?.type === "summary_text") made.summary = parts;
    else if (parts.length > 0 || made.type === "message") made.content = parts;
    if (made.arguments === "") made.arguments = open.text;
    else if (made.input === "") made.input = open.text;
    else if (!open.parts.length) Object.assign(made, { arguments: done.arguments, action: done.action });
    for (const name of ["arguments", "action"]) if (made[name] === undefined) delete made[name];
    if (!isDeepStrictEqual(made, done))
      this.#fault(`item ${JSON.stringify(done)}, not ${JSON.stringify(made)}`);
    if (done.type !== "reasoning" && done.status !== "completed" && done.status !== "incomplete")
      this.#fault(`${done.type} done as ${done.status}`);
    this.#output.push(made);
    this.#open = null;
  }

  #checkTerminal(response: JsonObject): void {
    const { status, usage, error, incomplete_details: details, output } = response;
    if (status === "failed") {
      if (typeof object(error).code !== "string" || typeof object(error).message !== "string")
        this.#fault("failed without an error");
      return;
    }
    if (this.#open !== null) this.#fault("an item is still open");
    if ((status === "incomplete") !== isObject(details) || error !== null)
      this.#fault(`odd ${status} response`);
    if (!isDeepStrictEqual(output, this.#output)) this.#fault("the output is not what was done");
    const { input_tokens: input, output_tokens: spent, total_tokens: total } = object(usage);
    if (Number(input) + Number(spent) !== total) this.#fault("the total is not the sum");
    const cached = object(object(usage).input_tokens_details);
    if (!(Number(cached.cached_tokens) + Number(cached.cache_write_tokens) <= Number(input)))
      this.#fault("more cached than there is");
    if (!(Number(object(object(usage).output_tokens_details).reasoning_tokens) <= Number(spent)))
      this.#fault("more reasoning than output");
  }

  #fault(problem: string): void {
    this.#problems.push(problem);
  }
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}
