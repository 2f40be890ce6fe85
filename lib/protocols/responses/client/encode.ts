import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { StreamFailure } from "@/lib/protocols/adapters/error-format";
import type { GrowingKind, ItemSink } from "@/lib/protocols/responses/item-writer";
import { AnswerItems } from "@/lib/protocols/responses/items";
import { ResponseResource } from "@/lib/protocols/responses/resource";
import { WireEncoder } from "@/lib/protocols/wire/wire-encoder";
import { streamError } from "./errors";

/** The names in the frames of one kind of part. */
interface PartWords {
  /** The frame names of the part and its empty form; null: the input of a call is no part. */
  part: { name: string; opened: JsonObject } | null;
  delta: string;
  done: string;
  /** The member of the `done` frame with the whole text. */
  field: string;
  /** The member with the index of the part. */
  place: "content_index" | "summary_index" | null;
  /** Members that clients expect in addition to a text. */
  extra: string;
}

const contentPart = "response.content_part";

const summaryPart = "response.reasoning_summary_part";

const partWords: Readonly<Record<GrowingKind, PartWords>> = {
  text: {
    part: { name: contentPart, opened: { type: "output_text", text: "", annotations: [], logprobs: [] } },
    delta: "response.output_text.delta",
    done: "response.output_text.done",
    field: "text",
    place: "content_index",
    extra: ',"logprobs":[]',
  },
  refusal: {
    part: { name: contentPart, opened: { type: "refusal", refusal: "" } },
    delta: "response.refusal.delta",
    done: "response.refusal.done",
    field: "refusal",
    place: "content_index",
    extra: "",
  },
  summary: {
    part: { name: summaryPart, opened: { type: "summary_text", text: "" } },
    delta: "response.reasoning_summary_text.delta",
    done: "response.reasoning_summary_text.done",
    field: "text",
    place: "summary_index",
    extra: "",
  },
  reasoning: {
    part: { name: contentPart, opened: { type: "reasoning_text", text: "" } },
    delta: "response.reasoning_text.delta",
    done: "response.reasoning_text.done",
    field: "text",
    place: "content_index",
    extra: "",
  },
  arguments: {
    part: null,
    delta: "response.function_call_arguments.delta",
    done: "response.function_call_arguments.done",
    field: "arguments",
    place: null,
    extra: "",
  },
  input: {
    part: null,
    delta: "response.custom_tool_call_input.delta",
    done: "response.custom_tool_call_input.done",
    field: "input",
    place: null,
    extra: "",
  },
};

/** The beginning of a frame, before its sequence number. */
function headOf(type: string): string {
  return `event: ${type}\ndata: {"type":"${type}","sequence_number":`;
}

const deltaHeads = Object.fromEntries(
  Object.entries(partWords).map(([kind, { delta }]) => [kind, headOf(delta)]),
) as Readonly<Record<GrowingKind, string>>; // the keys are those of partWords

const addedHead = headOf("response.output_item.added");

const doneHead = headOf("response.output_item.done");

/** Writes an answer as the events of a response. Source: docs/responses.md#s2-1. */
export class ResponsesEncoder extends WireEncoder implements ItemSink {
  protected readonly shape: AnswerItems;
  readonly #resource: ResponseResource;
  #started = false;
  #sequence = 0;
  /** The JSON of the complete items. */
  #items = "";
  #part: PartWords = partWords.text;
  #name = "";
  #deltaHead = "";
  /** The place of the growing part, as members of its frames. */
  #place = "";
  #deltaPlace = "";
  #deltaTail = "";

  constructor(options: EncoderOptions) {
    super();
    this.#resource = new ResponseResource(options);
    this.shape = new AnswerItems(options, this);
  }

  end(): string {
    this.start();
    this.shape.close();
    const { ending, usage } = this.shape;
    this.#frame(`response.${ending.status}`, this.#resource.endedText(ending, usage, this.#items));
    return this.#last();
  }

  fail(failure: StreamFailure): string {
    this.start();
    this.#frame("response.failed", this.#resource.failedText(streamError(failure), this.#items));
    return this.#last();
  }

  addItem(index: number, item: JsonObject): void {
    this.start();
    this.#write(addedHead, `,"output_index":${index},"item":${printJson(item)}`);
  }

  openPart(kind: GrowingKind, item: JsonObject, itemIndex: number, partIndex: number): void {
    const words = partWords[kind];
    const index = words.place === null ? "" : `,"${words.place}":${partIndex}`;
    this.#part = words;
    this.#name = words.part === null && kind === "arguments" ? `,"name":${JSON.stringify(item.name)}` : "";
    this.#place = `,"item_id":${JSON.stringify(item.id)},"output_index":${itemIndex}${index}`;
    this.#deltaHead = deltaHeads[kind];
    this.#deltaPlace = `${this.#place},"delta":`;
    this.#deltaTail = `${words.extra}}\n\n`;
    if (words.part !== null)
      this.#write(
        headOf(`${words.part.name}.added`),
        `${this.#place},"part":${JSON.stringify(words.part.opened)}`,
      );
  }

  delta(text: string, logProbabilities?: readonly JsonObject[]): void {
    const tail =
      logProbabilities === undefined
        ? this.#deltaTail
        : `,"logprobs":${JSON.stringify(logProbabilities)}}\n\n`;
    this.wire += this.#deltaHead + this.#sequence + this.#deltaPlace + JSON.stringify(text) + tail;
    this.#sequence += 1;
  }

  annotate(annotation: JsonObject, index: number): void {
    const json = `"annotation_index":${index},"annotation":${JSON.stringify(annotation)}`;
    this.#write(headOf("response.output_text.annotation.added"), `${this.#place},${json}`);
  }

  closePart(text: string, part: JsonObject | null): void {
    const { done, field, extra, part: words } = this.#part;
    const whole = `${this.#place},"${field}":${JSON.stringify(text)}`;
    const told = part?.type === "output_text" ? `,"logprobs":${JSON.stringify(part.logprobs)}` : extra;
    this.#write(headOf(done), `${whole}${told}${this.#name}`);
    if (words !== null)
      this.#write(headOf(`${words.name}.done`), `${this.#place},"part":${JSON.stringify(part)}`);
  }

  doneItem(index: number, item: JsonObject): void {
    const json = printJson(item);
    this.#items += this.#items === "" ? json : `,${json}`;
    this.#write(doneHead, `,"output_index":${index},"item":${json}`);
  }

  protected start(): void {
    if (this.#started) return;
    this.#started = true;
    const response = this.#resource.begunText();
    this.#frame("response.created", response);
    this.#frame("response.in_progress", response);
  }

  #frame(type: string, response: string): void {
    this.#write(headOf(type), `,"response":${response}`);
  }

  #write(head: string, members: string): void {
    this.wire += `${head}${this.#sequence}${members}}\n\n`;
    this.#sequence += 1;
  }

  #last(): string {
    const wire = `${this.wire}data: [DONE]\n\n`;
    this.wire = "";
    return wire;
  }
}
