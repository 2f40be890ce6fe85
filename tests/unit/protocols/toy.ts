import { type ErrorCode, errorStatus } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import type { AnswerAdapter, Decoder, Encoder, PassthroughOptions } from "@/lib/protocols/adapter";
import { readFailure } from "@/lib/protocols/failures/failure";
import { brokenAnswer } from "@/lib/protocols/failures/protocol-error";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { Recoding } from "@/lib/protocols/recoding";
import { commentPing, eventStreamType } from "@/lib/protocols/sse/frames";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

// A protocol of its own shape: an answer is a list of lines `[verb, {…}]`; a stream sends one line a frame.

type Line = readonly [verb: string, fields: JsonObject];

/** Verbs and the events that they stand for. */
const verbs: Readonly<Record<string, GenerationEvent["type"]>> = {
  hello: "start",
  say: "text",
  think: "reasoning",
  refuse: "refusal",
  call: "tool_open",
  args: "tool_args",
  called: "tool_close",
  count: "usage",
  bye: "finish",
};
const verbOf = new Map(Object.entries(verbs).map(([verb, type]) => [type, verb]));

const frameOf = (...line: Line): string => `data: ${JSON.stringify(line)}\n\n`;

function eventsOf([verb, fields]: Line): GenerationEvent[] {
  const type = verbs[verb];
  if (type === undefined) return [{ type: "error", failure: brokenAnswer(String(fields.message)) }];
  const event = { type, ...fields } as GenerationEvent; // lines are trusted; broken ones are for the real protocols
  return type === "finish" ? [event, { type: "end" }] : [event];
}

class ToyDecoder implements Decoder {
  finishSeen = false;
  failed = false;
  #over = false;

  push({ data }: SseFrame): GenerationEvent[] {
    return this.accept(JSON.parse(data));
  }

  accept(line: Line): GenerationEvent[] {
    const events = this.#over ? [] : eventsOf(line);
    this.finishSeen ||= events.some(({ type }) => type === "finish");
    this.failed ||= events.some(({ type }) => type === "error");
    this.#over = this.finishSeen || this.failed;
    return events;
  }

  end(): GenerationEvent[] {
    if (this.#over) return [];
    this.failed = true;
    return [{ type: "error", failure: brokenAnswer("The toy broke off") }];
  }
}

class ToyEncoder implements Encoder {
  readonly losses: string[] = [];
  readonly #options: PassthroughOptions;
  #usage: PartialUsage = {};
  #finish: JsonObject = {};

  constructor(options: PassthroughOptions) {
    this.#options = options;
  }

  push({ type, ...fields }: GenerationEvent): string {
    const { id, alias, hideReasoning, singleToolCall, toolNames } = this.#options;
    const verb = verbOf.get(type);
    if ("usage" in fields) Object.assign(this.#usage, fields.usage);
    if ("reason" in fields) this.#finish = fields;
    if (verb === undefined || type === "usage" || type === "finish") return "";
    if (hideReasoning && type === "reasoning") return "";
    if (singleToolCall && "slot" in fields && fields.slot > 0) return "";
    if (type === "start") return frameOf(verb, { id, model: alias });
    return frameOf(
      verb,
      "name" in fields ? { ...fields, name: toolNames?.get(fields.name) ?? fields.name } : fields,
    );
  }

  end(): string {
    return frameOf("count", { usage: this.#usage }) + frameOf("bye", this.#finish);
  }
}

function fold(events: Iterable<GenerationEvent>, options: PassthroughOptions) {
  const encoder = new ToyEncoder(options);
  const wire = [...events].map((event) => encoder.push(event)).join("") + encoder.end();
  const frames = wire.split("\n\n").filter(Boolean);
  return { body: { lines: frames.map((frame) => JSON.parse(frame.slice("data: ".length))) }, losses: [] };
}

function linesOf(body: unknown): Line[] {
  const { lines, error } = body as { lines?: Line[]; error?: { message: string } };
  return lines ?? [["fail", { ...error }]];
}

function decodeWhole(body: unknown): GenerationEvent[] {
  const decoder = new ToyDecoder();
  return [...linesOf(body).flatMap((line) => decoder.accept(line)), ...decoder.end()];
}

/** A protocol that only tests know; nothing outside this file is made for it. */
export const toyAdapter: AnswerAdapter = {
  id: "toy",
  clientPath: "/v1/toys",
  jsonToolArguments: false,
  streamType: eventStreamType,
  errors: {
    types: Object.fromEntries(Object.keys(errorStatus).map((code) => [code, code])) as Record<
      ErrorCode,
      string
    >,
    frame: ({ message }) => frameOf("fail", { message }),
    limitHeaders: ({ rpm }) => ({ "toy-used": String(rpm.used) }),
  },
  speaks: (headers) => headers["x-toy"] !== undefined,
  answerId: (requestId) => `toy-${requestId}`,
  ping: () => commentPing,
  decoder: () => new ToyDecoder(),
  decodeWhole,
  framesOfWhole: (body) => linesOf(body).map((line) => ({ event: null, data: JSON.stringify(line) })),
  limitEnding: () => ({ watch() {}, frames: () => [{ event: null, data: '["bye",{"reason":"length"}]' }] }),
  readFailure,
  encoder: (options) => new ToyEncoder(options),
  fold,
  passthrough: (options) => new Recoding(new ToyDecoder(), new ToyEncoder(options)),
  passWhole(_json, body: JsonObject, options) {
    const events = decodeWhole(body);
    const told = (usage?: PartialUsage): GenerationEvent[] => (usage ? [{ type: "usage", usage }] : []);
    return { events, wire: (usage) => JSON.stringify(fold([...events, ...told(usage)], options).body) };
  },
};
