import { invalid } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import { framedFailure, isFailureName } from "@/lib/protocols/failures/failure-body";
import {
  brokenAnswer,
  type GenerationEvent,
  type PartialUsage,
  type UpstreamFailure,
} from "@/lib/protocols/generation/events";
import { Losses, refusedHere, remaining } from "@/lib/protocols/generation/problems";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import { extraField, leaveOutExtras, withOffer } from "@/lib/protocols/passes/extras";
import { clientNames, dropRefusedFields } from "@/lib/protocols/passes/refused-fields";
import { endedHere } from "@/lib/protocols/passes/rendering";
import { parsePayloads, type SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type {
  AnswerAdapter,
  Decoder,
  Encoder,
  EncoderOptions,
  Passed,
  Passthrough,
  RateLimits,
  RateLimitUse,
  StreamFailure,
} from "./adapter";
import type { Rendered, RequestAdapter, Target } from "./request-adapter";

/** What the decoders of all protocols share that send JSON payloads in server-sent events. */
export abstract class WireDecoder implements Decoder {
  /** The answer has ended, well or not; nothing more is read. */
  protected over = false;
  readonly #payloadName: string;
  readonly #warned = new Set<string>();

  abstract readonly finishSeen: boolean;

  /** `payloadName`: what messages to callers call a payload, e.g. `a chunk`. */
  constructor(payloadName: string) {
    this.#payloadName = payloadName;
  }

  push(frame: SseFrame): GenerationEvent[] {
    const data = frame.data.trim();
    if (this.over || data === "") return [];
    if (data === "[DONE]") return this.done();
    if (frame.event !== null && this.isFailure(frame.event)) return this.fail(framedFailure(data));
    try {
      const payloads = parsePayloads(data);
      const only = payloads[0];
      return payloads.length === 1 && only
        ? this.accept(only, frame.event)
        : payloads.flatMap((payload) => this.accept(payload, null));
    } catch {
      return this.fail(brokenAnswer(`The upstream sent ${this.#payloadName} that is not JSON`));
    }
  }

  /** Takes one payload; `event` is the name of its frame. */
  abstract accept(payload: JsonObject, event?: string | null): GenerationEvent[];

  /** Takes `[DONE]`. */
  abstract done(): GenerationEvent[];

  abstract end(): GenerationEvent[];

  /** True for the name of a frame that reports a failure, whatever its data. */
  protected isFailure(event: string): boolean {
    return isFailureName(event);
  }

  /** Ends the answer with a failure. */
  protected fail(failure: UpstreamFailure): GenerationEvent[] {
    this.over = true;
    return [{ type: "error", failure }];
  }

  /** Adds a warning, once per answer. */
  protected warn(code: string, events: GenerationEvent[]): void {
    if (this.#warned.has(code)) return;
    this.#warned.add(code);
    events.push({ type: "warning", code });
  }
}

/** Turns events into the parts of a protocol's answer and hands each part to the encoder, which writes it. */
interface AnswerShape {
  readonly losses: readonly string[];
  push(event: GenerationEvent): void;
}

/** What the encoders of all protocols share: what they write is collected until the event is processed. */
export abstract class WireEncoder implements Encoder {
  protected abstract readonly shape: AnswerShape;
  /** Text that is written but not yet returned. */
  protected wire = "";

  get losses(): readonly string[] {
    return this.shape.losses;
  }

  push(event: GenerationEvent): string {
    if (event.type === "start") this.start();
    else this.shape.push(event);
    const { wire } = this;
    this.wire = "";
    return wire;
  }

  abstract end(): string;

  /** Writes the first frame, unless it is written already. */
  protected abstract start(): void;
}

/** What a request for one node depends on besides its body. */
export interface PrepareContext extends Target {
  /** What the caller speaks. */
  client: RequestAdapter;
  /** What the node speaks. */
  upstream: RequestAdapter;
}

/**
 * The exact request for one node. Same protocol on both sides: only what must change is changed. Otherwise converted.
 * Pure: the same body and context give the same bytes. `body` must have passed `validateRequest`.
 * Throws: INVALID_REQUEST for what this node cannot express. Source: docs/protocols.md#s4 to #s8.
 */
export function prepareRequest(body: JsonObject, context: PrepareContext): Rendered {
  const { client, upstream } = context;
  const request = client === upstream ? null : client.parse(body, context);
  const written = request === null ? client.patch(body, context) : upstream.render(request, context);
  const rendered = withoutRefusedFields(withoutExtras(written, request, context), request, context);
  if (rendered.stops !== undefined) refuseManyStops(rendered.stops, context.client);
  return rendered;
}

/** What the node refuses goes; at stop sequences the answer is ended for it. Source: docs/protocols.md#s3-1, #s10-1. */
function withoutRefusedFields(
  rendered: Rendered,
  request: GenerationRequest | null,
  { upstream, profile }: PrepareContext,
): Rendered {
  if (profile.refusedFields.length === 0) return rendered;
  const losses = new Losses(rendered.losses);
  const stops = stopsOf(rendered.body);
  for (const field of dropRefusedFields(rendered.body, profile.refusedFields, upstream)) {
    if (stopFields.has(field)) {
      Object.assign(rendered, endedHere([...(rendered.stops ?? []), ...stops]));
      continue;
    }
    const names = request === null ? [field] : clientNames(field, request, upstream);
    for (const name of names) losses.dropped(name);
  }
  return { ...rendered, losses: losses.list() };
}

/** Each piece of an answer is compared with all of them. */
const MAX_STOPS = 64;
const MAX_STOP_CHARACTERS = 256;

/** Throws: INVALID_REQUEST naming the client's field. Source: docs/protocols.md#s10-1. */
function refuseManyStops(stops: readonly string[], { fields }: RequestAdapter): void {
  if (stops.length <= MAX_STOPS && stops.every(({ length }) => length <= MAX_STOP_CHARACTERS)) return;
  const [field = "stop"] = Object.keys(fields).filter((name) => fields[name]?.concepts.includes("stop"));
  throw invalid(
    field,
    `${field} must have at most ${MAX_STOPS} entries of at most ${MAX_STOP_CHARACTERS} characters for this model.`,
  );
}

/** How protocols call the stop sequences. */
const stopFields: ReadonlySet<string> = new Set(["stop", "stop_sequences"]);

function stopsOf({ stop, stop_sequences }: JsonObject): string[] {
  return [stop, stop_sequences].flat().filter((sequence) => typeof sequence === "string");
}

/**
 * The request without the fields that cost extra and have no price on the alias. Throws: INVALID_REQUEST under the strict
 * setting. Source: docs/protocols.md#s6-3.
 */
function withoutExtras(
  rendered: Rendered,
  request: GenerationRequest | null,
  context: PrepareContext,
): Rendered {
  const { upstream, compatibility } = context;
  const { lost, changed, priced } = leaveOutExtras(rendered.body, upstream.extras, context);
  if (lost.length + changed.length + priced.length === 0) return rendered;
  const losses = new Losses(rendered.losses);
  for (const field of lost) {
    const names = request === null ? [field] : clientNames(field, request, upstream);
    if (compatibility === "strict") throw refusedHere(extraField(names[0] ?? field), "it is left out");
    for (const name of names) losses.dropped(name);
  }
  for (const code of changed) losses.add(code);
  const offeredCalls = withOffer(rendered.offeredCalls, priced, context);
  return { ...rendered, losses: losses.list(), ...(offeredCalls && { offeredCalls }) };
}

const noLosses: readonly string[] = [];

/** Converts one protocol's stream into another one's by way of events. */
export class Recoding implements Passthrough {
  readonly #decoder: Decoder;
  readonly #encoder: Encoder;

  constructor(decoder: Decoder, encoder: Encoder) {
    this.#decoder = decoder;
    this.#encoder = encoder;
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  get losses(): readonly string[] {
    return this.#encoder.losses;
  }

  push(frame: SseFrame): Passed {
    return this.#pass(this.#decoder.push(frame));
  }

  finish(): Passed {
    return this.#pass(this.#decoder.end());
  }

  end(usage?: PartialUsage): string {
    if (usage) this.#encoder.push({ type: "usage", usage });
    return this.#encoder.end();
  }

  fail(failure: StreamFailure): string | undefined {
    return this.#encoder.fail?.(failure);
  }

  /** An error ends the stream; events that came with it are not sent. */
  #pass(events: readonly GenerationEvent[]): Passed {
    let wire = "";
    if (events.at(-1)?.type !== "error") for (const event of events) wire += this.#encoder.push(event);
    return { wire, events };
  }
}

/** A stream for a client that does not want one: the whole body comes at the end. */
export class FoldedStream implements Passthrough {
  readonly #decoder: Decoder;
  readonly #client: AnswerAdapter;
  readonly #options: EncoderOptions;
  readonly #events: GenerationEvent[] = [];
  losses = noLosses;

  constructor(decoder: Decoder, client: AnswerAdapter, options: EncoderOptions) {
    this.#decoder = decoder;
    this.#client = client;
    this.#options = options;
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  push(frame: SseFrame): Passed {
    return this.#collect(this.#decoder.push(frame));
  }

  finish(): Passed {
    return this.#collect(this.#decoder.end());
  }

  end(usage?: PartialUsage): string {
    if (usage) this.#events.push({ type: "usage", usage });
    const { body, losses } = this.#client.fold(this.#events, this.#options);
    this.losses = losses;
    return printJson(body);
  }

  #collect(events: readonly GenerationEvent[]): Passed {
    for (const event of events) this.#events.push(event);
    return { wire: "", events };
  }
}

/** The limit headers of the vendor of chat and Responses. Source: docs/contract.md#s6. */
export function vendorLimitHeaders({ rpm, tpm }: RateLimits): Record<string, string> {
  const headers: Record<string, string> = {};
  addLimit(headers, requestNames, rpm);
  addLimit(headers, tokenNames, tpm);
  return headers;
}

/** Whole names: V8 would look each joined one up in its table of names again for every answer. */
const requestNames = {
  limit: "x-ratelimit-limit-requests",
  remaining: "x-ratelimit-remaining-requests",
  reset: "x-ratelimit-reset-requests",
};
const tokenNames = {
  limit: "x-ratelimit-limit-tokens",
  remaining: "x-ratelimit-remaining-tokens",
  reset: "x-ratelimit-reset-tokens",
};

function addLimit(headers: Record<string, string>, names: typeof requestNames, use: RateLimitUse): void {
  if (use.limit === null) return;
  headers[names.limit] = String(use.limit);
  headers[names.remaining] = remaining(use.limit, use.used);
  headers[names.reset] = durationText(use.resetMs);
}

/** A duration in the words of that vendor: `120ms`, `1s`, `8.64s`, `6m0s`, `1h0m0s`. Units: milliseconds in. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole > 0 && whole < 1_000) return `${whole}ms`;
  const seconds = `${(whole % 60_000) / 1_000}s`;
  const minutes = Math.floor(whole / 60_000);
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}
