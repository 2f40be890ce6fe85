import { z } from "zod";
import { type ErrorCode, errorStatus } from "@/lib/kernel/errors";
import type { Decoder } from "@/lib/protocols/adapters/decoder";
import type { Encoder } from "@/lib/protocols/adapters/encoder";
import type { PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { type ConceptTable, mapped } from "@/lib/protocols/generation/concepts";
import { brokenAnswer, type GenerationEvent, type PartialUsage } from "@/lib/protocols/generation/events";
import { type Part, type Tool, type Turn, usesCustomTools } from "@/lib/protocols/generation/parts";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/event-stream";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { Recoding } from "@/lib/protocols/wire/recoding";
import { plainRequest } from "./plain-request";

// A request is a talk of lines `[role, …parts]`; an answer is a list of lines `[verb, {…}]`, one of them a frame.

const schema = z.looseObject({
  most: z.int().min(1).nullable(),
  stops: z.array(z.string()),
  tools: z.array(z.custom<Tool>()),
  talk: z.array(z.tuple([z.custom<Turn["role"]>()], z.custom<Part>())),
  flow: z.boolean(),
});

function parse(body: object): GenerationRequest {
  const { most, stops, tools, talk, flow } = body as z.infer<typeof schema>; // it has passed the schema
  const turns = talk.map(([role, ...parts], at): Turn => {
    const source = `talk[${at}]`;
    return { role, source, parts: parts.map((part) => ({ ...part, source })), cache: undefined };
  });
  return {
    ...plainRequest,
    outputLimit: most,
    stop: stops,
    stream: flow,
    answersFollowCalls: false,
    instructions: turns.filter(({ role }) => role === "system"),
    turns: turns.filter(({ role }) => role !== "system"),
    customTools: usesCustomTools(tools, turns),
    tools: tools.map((tool, at) => ({ ...tool, source: `tools[${at}]` })),
  };
}

function render(request: GenerationRequest, { upstreamModel }: Target): Rendered {
  const { outputLimit, stop, tools, instructions, turns, stream, reasoning } = request;
  const talk = [...instructions, ...turns].map(({ role, parts }) => [role, ...parts]);
  const limit = { maxTokens: outputLimit ?? 1_000, limitChosen: outputLimit === null, choices: 1 };
  const calls = { toolNames: new Map(), wrappedTools: new Set<string>(), singleToolCall: false };
  const answer = { ...calls, hideReasoning: reasoning.hidden };
  const body = { model: upstreamModel, most: outputLimit, stops: stop, tools, talk, flow: true };
  return { body, headers: {}, losses: [], stream: true, clientStream: stream, ...limit, ...answer };
}

const verbs = new Set("start text reasoning refusal tool_open tool_args tool_close usage finish".split(" "));
const frameOf = (verb: string, fields: object): string => `data: ${JSON.stringify([verb, fields])}\n\n`;

class ToyDecoder implements Decoder {
  finishSeen = false;
  #failed = false;

  push({ data }: SseFrame): GenerationEvent[] {
    if (this.finishSeen || this.#failed) return [];
    const [type, fields] = JSON.parse(data); // broken lines are for the tests of real protocols
    if (!verbs.has(type)) return this.#fail(fields.message);
    this.finishSeen = type === "finish";
    return this.finishSeen ? [{ type, ...fields }, { type: "end" }] : [{ type, ...fields }];
  }

  end(): GenerationEvent[] {
    return this.finishSeen || this.#failed ? [] : this.#fail("The toy broke off");
  }

  #fail(message: string): GenerationEvent[] {
    this.#failed = true;
    return [{ type: "error", failure: brokenAnswer(message) }];
  }
}

class ToyEncoder implements Encoder {
  readonly losses: string[] = [];
  readonly #usage: PartialUsage = {};
  #finish: object = {};

  constructor(private readonly options: PassthroughOptions) {}

  push({ type, ...fields }: GenerationEvent): string {
    const { id, alias, hideReasoning, singleToolCall, toolNames } = this.options;
    if ("usage" in fields) Object.assign(this.#usage, fields.usage);
    if ("reason" in fields) this.#finish = fields;
    if (!verbs.has(type) || type === "usage" || type === "finish") return "";
    if (hideReasoning && type === "reasoning") return "";
    if (singleToolCall && "slot" in fields && fields.slot > 0) return "";
    if (type === "start") return frameOf(type, { id, model: alias });
    const name = "name" in fields ? { name: toolNames?.get(fields.name) ?? fields.name } : {};
    return frameOf(type, { ...fields, ...name });
  }

  end(): string {
    return frameOf("usage", { usage: this.#usage }) + frameOf("finish", this.#finish);
  }
}

function fold(events: Iterable<GenerationEvent>, options: PassthroughOptions) {
  const encoder = new ToyEncoder(options);
  const wire = [...events].map((event) => encoder.push(event)).join("") + encoder.end();
  return { body: { lines: wire.split("\n\n").slice(0, -1) }, losses: [] };
}

function framesOfWhole(body: unknown): SseFrame[] {
  const { lines, error = {} } = body as { lines?: string[]; error?: object }; // what `fold` writes, or an error
  const frames = lines ?? [frameOf("fail", error)];
  return frames.map((line) => ({ event: null, data: line.slice("data: ".length) }));
}

function decodeWhole(body: unknown): GenerationEvent[] {
  const decoder = new ToyDecoder();
  return [...framesOfWhole(body).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}

const types = Object.fromEntries(Object.keys(errorStatus).map((code) => [code, code]));

/** A protocol that only tests know; nothing outside this file is made for it. */
export const toyAdapter: ProtocolAdapter = {
  id: "toy",
  clientPath: "/v1/toys",
  jsonToolArguments: false,
  streamType: eventStreamType,
  api: {
    generation: () => "/",
    models: { path: "/", next: () => null },
    credential: "authorization",
    headers: {},
  },
  schema,
  countSchema: schema,
  fields: {},
  isPlain: () => false,
  check() {},
  parse,
  render,
  conversation: () => "",
  promptFields: { turns: "lines", content: ["lines"], json: [] },
  extras: { fields: new Map(), tools: [] },
  concepts: new Proxy({} as ConceptTable, { get: () => mapped("as it is") }),
  errors: {
    types: types as Record<ErrorCode, string>, // the keys are those of errorStatus
    frame: ({ message }) => frameOf("fail", { message }),
    limitHeaders: ({ rpm }) => ({ "toy-used": String(rpm.used) }),
  },
  speaks: (headers) => headers["x-toy"] !== undefined,
  answerId: (requestId) => `toy-${requestId}`,
  ping: () => commentPing,
  readFailure,
  fold,
  framesOfWhole,
  decodeWhole,
  decoder: () => new ToyDecoder(),
  encoder: (options) => new ToyEncoder(options),
  limitEnding: () => ({
    watch() {},
    frames: () => [{ event: null, data: '["finish",{"reason":"length"}]' }],
  }),
  direct: {
    patch: (body, to) => ({ ...render(parse(body), to), body: { ...body, model: to.upstreamModel } }),
    passthrough: (options) => new Recoding(new ToyDecoder(), new ToyEncoder(options)),
    passWhole: (_json, body, options) => ({
      events: decodeWhole(body),
      wire: (usage = {}) =>
        JSON.stringify(fold([...decodeWhole(body), { type: "usage", usage }], options).body),
    }),
  },
};
