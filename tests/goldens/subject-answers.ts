import { shownUsage } from "@/lib/gateway/meter-answer";
import { billableOutput, OutputCap } from "@/lib/gateway/output-cap";
import { Translator, type TranslatorOptions } from "@/lib/gateway/translator";
import { keyedHash, sha256Hex } from "@/lib/kernel/hash";
import { MAX_CALLS, pricedTools } from "@/lib/kernel/usage";
import type { ReasoningSeal } from "@/lib/protocols/adapters/encoder";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";
import { ProtocolError, type UpstreamFailure } from "@/lib/protocols/generation/events";
import type { Meter } from "@/lib/protocols/generation/meter";
import { protocols } from "@/lib/protocols/registry";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { AnswerInput, AnswerOptions, JsonObject, Way } from "./shapes";
import { ALIAS, KEY } from "./subject";

// With subject.ts the only file of the goldens that knows the product's code: answers.

const CREATED = 1_700_000_000;

/** What a client and the bill get of a node's answer. */
export async function answerGolden(way: Way, input: AnswerInput, options: AnswerOptions): Promise<unknown> {
  const run = new AnswerRun(way, options);
  try {
    if ("pieces" in input) await run.stream(input.pieces);
    else await run.body(input.body);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { ...run.outcome(), broke: error.failure };
  }
  return run.outcome();
}

class AnswerRun {
  readonly #way: Way;
  readonly #options: TranslatorOptions;
  readonly #translator: Translator;
  readonly #cap: OutputCap;
  readonly #wire: string[] = [];
  readonly #sse = new SseDecoder();
  /** The frame at which something is true for the first time. */
  readonly #marks: Record<string, number> = {};
  #frames = 0;
  #ended = false;

  constructor(way: Way, options: AnswerOptions) {
    const { maxTokens = 4_096, choices = 1 } = options;
    this.#way = way;
    this.#options = translatorOptions(way, options);
    this.#translator = new Translator(this.#options);
    this.#cap = new OutputCap(maxTokens, protocols[way.upstream].limitEnding(choices));
  }

  async stream(pieces: readonly Uint8Array[]): Promise<void> {
    for (const piece of pieces) for (const frame of this.#sse.push(Buffer.from(piece))) this.#push(frame);
    for (const frame of this.#sse.end()) this.#push(frame);
    this.#finish();
  }

  async body(text: string): Promise<void> {
    const body: unknown = JSON.parse(text);
    if (!this.#way.stream) {
      this.#translator.takeWhole(text, body);
      this.#end();
      return;
    }
    this.#add(this.#translator.wholeAsStream(body));
    this.#finish();
  }

  #finish(): void {
    const rest = this.#translator.finish();
    if (this.#translator.failure) this.#add("");
    else this.#end(rest);
  }

  #end(rest = ""): void {
    const { meter, failure } = this.#translator;
    if (failure) this.#add("");
    else this.#add(rest + this.#translator.end(shownUsage(meter.final(estimate(meter)), meter)));
  }

  outcome(): JsonObject {
    const { meter, failure, warnings, meaningful, started } = this.#translator;
    const { usage, missing, odd, implausibleOutput, emitted, toolCalls, finish, ended, counted, sample } =
      meter;
    const told = {
      usage,
      missing,
      odd,
      implausibleOutput,
      emitted,
      toolCalls,
      finish,
      ended,
      counted,
      sample,
    };
    const billed = meter.final(estimate(meter));
    const failed = failure === null ? null : failureOutcome(this.#way, failure);
    return {
      wire: this.#wire,
      ping: protocols[this.#way.client].ping(started),
      told,
      billed,
      marks: this.#marks,
      meaningful,
      warnings: [...warnings],
      ...(failed === null ? {} : { failed }),
    };
  }

  /** A node that goes on beyond its ceiling is cut, as in the gateway's live answer. */
  #push(frame: SseFrame): void {
    if (this.#ended) return;
    this.#frames += 1;
    this.#cap.watch(frame);
    this.#add(this.#translator.push(frame));
    this.#mark();
    if (this.#translator.finishSeen || !this.#cap.isPassed(this.#translator.meter)) return;
    this.#ended = true;
    for (const last of this.#cap.ending()) this.#add(this.#translator.push(last));
  }

  #mark(): void {
    const { started, meaningful, finishSeen, meter, failure } = this.#translator;
    const found = { started, meaningful, finishSeen, counted: meter.counted, failed: failure !== null };
    for (const [name, isTrue] of Object.entries(found)) if (isTrue) this.#marks[name] ??= this.#frames;
  }

  #add(wire: string): void {
    if (wire !== "") this.#wire.push(wire);
  }
}

function translatorOptions(way: Way, options: AnswerOptions): TranslatorOptions {
  const client = protocols[way.client];
  const upstream = protocols[way.upstream];
  return {
    client,
    upstream,
    request: clientRequest(options),
    stream: way.stream,
    choices: options.choices ?? 1,
    hideReasoning: options.excludeReasoning ?? false,
    singleToolCall: options.singleToolCall ?? false,
    toolNames: new Map(options.toolNames ?? []),
    wrappedTools: new Set(),
    id: client.answerId("own"),
    alias: ALIAS,
    created: CREATED,
    inputEstimate: 7,
    usageCeiling: options.usageCeiling,
    outputCap: billableOutput(options.maxTokens ?? 4_096),
    offeredCalls: { tools: pricedTools, maxCalls: MAX_CALLS },
    seal: client === upstream ? null : seal,
  };
}

/** Tags in place of envelopes, which are never twice the same. */
const seal: ReasoningSeal = {
  sign: (text) => `gw1.${keyedHash(KEY, "reasoning", `${ALIAS}\n${sha256Hex(text)}`)}`,
  tag: (data) => `gw1.${keyedHash(KEY, "opaque", `${ALIAS}\n${data}`)}.${data}`,
  envelope: ({ text, opaque }) => `gw1.${keyedHash(KEY, "opaque", `${ALIAS}\n${text}`)}.${opaque}`,
};

/** The request of a client of either protocol that has these wishes. */
function clientRequest({
  includeUsage = true,
  legacyFunctions,
  stopSequences = [],
}: AnswerOptions): JsonObject {
  return {
    stream_options: { include_usage: includeUsage },
    ...(legacyFunctions ? { functions: [{ name: "f" }] } : {}),
    ...(stopSequences.length > 0 ? { stop: stopSequences, stop_sequences: stopSequences } : {}),
  };
}

/** Stands in for the tokenizer. */
function estimate({ emitted }: Meter): { input: number; output: number } {
  return { input: 11, output: Math.ceil(emitted.ascii / 4) + emitted.other };
}

function failureOutcome({ client }: Way, failure: UpstreamFailure): JsonObject {
  const kind = failure.status === null || failure.status < 300 ? "answer" : "status";
  const { code, reason } = classifyFailure(kind, failure);
  const told = { code, message: failure.message, requestId: "req_1" };
  return {
    failure,
    frame: protocols[client].errors.frame(reason === undefined ? told : { ...told, reason }),
  };
}
