import type { JsonObject } from "@/lib/kernel/json-object";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { type ConceptTable, mapped } from "@/lib/protocols/generation/concepts";
import { brokenAnswer, type GenerationEvent } from "@/lib/protocols/generation/events";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { WireDecoder } from "@/lib/protocols/wire/wire-decoder";

// A request is a list of lines, its model stands in the path. A stream brings `say` and `call`, and in its last frame
// `why` it ended and the counts; a whole answer has all of them in one object.

function render(request: GenerationRequest, { contextLeft, affordableOutput }: Target): Rendered {
  const { instructions, turns, tools, stream, outputLimit, reasoning } = request;
  const lines = [...instructions, ...turns].map(({ role, parts }) => ({ role, parts }));
  const maxTokens = outputLimit ?? Math.min(1_000, contextLeft, affordableOutput);
  return {
    body: { lines, tools: tools.map(({ name }) => name), most: maxTokens },
    headers: {},
    losses: [],
    stream,
    clientStream: stream,
    choices: 1,
    maxTokens,
    limitChosen: outputLimit === null,
    toolNames: new Map(),
    wrappedTools: new Set(),
    hideReasoning: reasoning.hidden,
    singleToolCall: false,
  };
}

class Reader extends WireDecoder {
  finishSeen = false;
  #begun = false;
  #calls = 0;

  constructor(readonly id: string) {
    super("a line");
  }

  accept({ say, call, why, counts, fault }: JsonObject): GenerationEvent[] {
    if (fault !== undefined) return this.fail({ ...brokenAnswer(String(fault)), status: 500 });
    const events: GenerationEvent[] = this.#begun ? [] : [{ type: "start", id: this.id, model: "" }];
    this.#begun = true;
    if (say !== undefined) events.push({ type: "text", text: String(say) });
    if (Array.isArray(call)) events.push(...this.#called(call));
    if (why !== undefined) events.push(...this.#ended(String(why), counts as [number, number]));
    return events;
  }

  /** The calls have no ids; the gateway makes them. */
  #called([name, args]: unknown[]): GenerationEvent[] {
    const slot = this.#calls++;
    return [
      { type: "tool_open", slot, id: "", name: String(name), kind: "function" },
      { type: "tool_args", slot, text: String(args) },
      { type: "tool_close", slot },
    ];
  }

  #ended(native: string, [input, output]: [number, number]): GenerationEvent[] {
    this.finishSeen = true;
    this.over = true;
    return [
      { type: "usage", usage: { inputUncached: input, output } },
      { type: "finish", reason: native === "call" ? "tool_use" : "end", native },
      { type: "end" },
    ];
  }

  done(): GenerationEvent[] {
    return this.end();
  }

  end(): GenerationEvent[] {
    return this.over ? [] : this.fail(brokenAnswer("The toy broke off"));
  }
}

/** The frames of a whole answer. */
function framesOf(body: unknown): SseFrame[] {
  return [{ event: null, data: JSON.stringify(body) }];
}

/** A protocol that only nodes speak; nothing outside this file is made for it. */
export const toyNode: NodeAdapter = {
  id: "toy-node",
  api: {
    generation: ({ model, stream }) =>
      `/toys/${encodeURIComponent(model.toWellFormed())}:${stream ? "stream?form=lines" : "answer"}`,
    models: { path: "/toys", next: () => null },
    credential: "x-goog-api-key",
    headers: {},
  },
  fields: {},
  concepts: new Proxy({} as ConceptTable, { get: () => mapped("as it is") }),
  extras: { fields: new Map(), tools: [] },
  render,
  decoder: ({ id }) => new Reader(id),
  decodeWhole: (body, { id }) => {
    const reader = new Reader(id);
    return [...framesOf(body).flatMap((frame) => reader.push(frame)), ...reader.end()];
  },
  framesOfWhole: framesOf,
  limitEnding: () => ({
    watch() {},
    frames: (output) => framesOf({ why: "most", counts: [undefined, output] }),
  }),
  readFailure,
};
