import { printJson } from "@/lib/kernel/exact-json";
import { isObject } from "@/lib/kernel/json-object";
import type { OfferedCalls } from "@/lib/kernel/usage";
import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import type { Decoder, DecoderOptions } from "@/lib/protocols/adapters/decoder";
import { type DirectAdapter, directOf } from "@/lib/protocols/adapters/direct-adapter";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { StreamFailure } from "@/lib/protocols/adapters/error-format";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { PassedWhole, Passthrough } from "@/lib/protocols/adapters/passthrough";
import {
  type GenerationEvent,
  isMeaningful,
  type PartialUsage,
  type UpstreamFailure,
} from "@/lib/protocols/generation/events";
import { Meter } from "@/lib/protocols/generation/meter";
import { UnfencingDecoder, withoutFence } from "@/lib/protocols/passes/fenced-json";
import { cutAtStops, StoppingDecoder } from "@/lib/protocols/passes/stop-sequences";
import { UnwrappingDecoder, unwrapCustomCalls } from "@/lib/protocols/passes/unwrap-custom-tools";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { FoldedStream } from "@/lib/protocols/wire/folded-stream";
import { Recoding } from "@/lib/protocols/wire/recoding";

/** The options of the translation of an answer. */
export interface TranslatorOptions extends EncoderOptions {
  client: ClientAdapter;
  upstream: NodeAdapter;
  /** The client wants a stream. */
  stream: boolean;
  /** How many choices the node was asked for. */
  choices: number;
  /** The node's names of custom tools that it knows as functions. */
  wrappedTools: ReadonlySet<string>;
  /** Stop sequences that the node does not know; absent: none. */
  stops?: readonly string[] | undefined;
  /** The prompt tells the node to answer with JSON; absent: it does not. */
  jsonInWords?: true | undefined;
  /** Token counts above this are ignored; undefined: the meter's own bound applies. */
  usageCeiling: number | undefined;
  /** More output than this is not billed. Units: tokens. */
  outputCap: number;
  /** The calls of hosted tools that are billed; absent: none. */
  offeredCalls?: OfferedCalls | undefined;
}

const noWarnings: readonly string[] = [];

/**
 * Translates one answer from a node for a client: frames in, wire text out, events to the meter. The terminal frames,
 * or the whole body, come from `end()` only, so that money can be settled before them.
 * Source: docs/architecture.md#s1-6, docs/reliability.md#d5.
 */
export class Translator {
  readonly meter: Meter;
  /** What was lost or changed, each code once. */
  warnings: readonly string[] = noWarnings;
  /** A meaningful event has been read: failover to another node is no longer possible. */
  meaningful = false;
  /** Wire text has been made: the protocol's own pings may be sent. */
  started = false;
  failure: UpstreamFailure | null = null;
  readonly #options: TranslatorOptions;
  #madeStage: Passthrough | null = null;
  #stopping: StoppingDecoder | null = null;
  /** A whole answer that waits for `end()`; null: none was received. */
  #whole: GenerationEvent[] | PassedWhole | null = null;
  /** The current frame reported an output count. */
  #usageCame = false;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    this.meter = new Meter(options.usageCeiling, options.outputCap, options.offeredCalls);
  }

  /** Created at the first frame; a whole answer needs none. */
  get #stage(): Passthrough {
    this.#madeStage ??= this.#makeStage();
    return this.#madeStage;
  }

  #makeStage(): Passthrough {
    const { stream, client } = this.#options;
    const direct = this.#direct;
    if (stream && direct !== undefined) return direct.passthrough(this.#options);
    const gathered = direct?.gather?.(this.#options);
    if (gathered !== undefined) return gathered;
    const decoder = this.#makeDecoder();
    if (!stream) return new FoldedStream(decoder, client, this.#options);
    return new Recoding(decoder, client.encoder(this.#options));
  }

  /** Set when the answer passes unchanged; undefined: it is converted. */
  get #direct(): DirectAdapter | undefined {
    const { client, upstream, stops } = this.#options;
    return stops === undefined ? directOf(client, upstream) : undefined;
  }

  #makeDecoder(): Decoder {
    const { upstream, wrappedTools, jsonInWords, stops, choices } = this.#options;
    let decoder = upstream.decoder(this.#decoderOptions());
    if (wrappedTools.size > 0) decoder = new UnwrappingDecoder(decoder, wrappedTools);
    if (jsonInWords === true) decoder = new UnfencingDecoder(decoder);
    if (stops === undefined) return decoder;
    this.#stopping = new StoppingDecoder(decoder, stops, choices);
    return this.#stopping;
  }

  /** Wire text that may go out now; always empty for unstreamed clients. */
  push(frame: SseFrame): string {
    const { wire, events } = this.#stage.push(frame);
    this.#observe(events);
    if (this.#stage.losses.length > 0) this.#warn(this.#stage.losses);
    if (wire !== "") this.started = true;
    if (this.#usageCame && this.finishSeen) this.meter.counted = true;
    this.#usageCame = false;
    return wire;
  }

  /** True once the upstream has sent its finish reason; little can follow. */
  get finishSeen(): boolean {
    return this.#stage.finishSeen;
  }

  /** The answer has ended at a stop sequence before the node ended it; the rest of the node's answer is not needed. */
  get stopped(): boolean {
    return this.#stopping?.stopped === true;
  }

  /** The upstream's bytes have ended: what is still to be sent before the terminal frames, unless `failure` is set. */
  finish(): string {
    const { wire, events } = this.#stage.finish();
    this.#observe(events);
    return this.failure ? "" : wire;
  }

  /**
   * The terminal frames, or the whole body. Call it once, after `finish()` or `takeWhole()`, and never after a failure.
   * `usage`: the counts to show where the upstream reported none or invalid ones.
   */
  end(usage: PartialUsage | undefined): string {
    if (this.#whole !== null) return this.#endWhole(this.#whole, usage);
    const last = this.#stage.end(usage);
    this.#warn(this.#stage.losses);
    return last;
  }

  /** The frames that break the stream visibly; nothing may follow them. */
  fail(failure: StreamFailure): string {
    const { client } = this.#options;
    const begun = this.#madeStage?.fail?.(failure) ?? client.encoder(this.#options).fail?.(failure);
    return begun ?? client.errors.frame(failure);
  }

  /** Takes a whole JSON answer, as text and parsed, for an unstreamed client; `end()` returns the body. */
  takeWhole(json: string, body: unknown): void {
    const { upstream, stops, choices } = this.#options;
    const direct = this.#direct;
    if (direct !== undefined && isObject(body)) {
      const passed = direct.passWhole(json, body, this.#options);
      this.#observe(passed.events);
      this.#whole = passed;
    } else {
      const decoded = upstream.decodeWhole(body, this.#decoderOptions());
      const calls = unwrapCustomCalls(decoded, this.#options.wrappedTools);
      const unwrapped = this.#options.jsonInWords === true ? withoutFence(calls) : calls;
      const events = stops === undefined ? unwrapped : cutAtStops(unwrapped, stops, choices);
      this.#observe(events);
      this.#whole = events;
    }
  }

  /** Converts a whole JSON answer to a stream: the frames before the terminal ones, which `end()` returns. */
  wholeAsStream(body: unknown): string {
    let wire = "";
    const { upstream, choices } = this.#options;
    for (const frame of upstream.framesOfWhole(body, choices)) wire += this.push(frame);
    return wire;
  }

  #decoderOptions(): DecoderOptions {
    const { id, choices, client } = this.#options;
    return { id, choices, jsonToolArguments: client.jsonToolArguments };
  }

  #endWhole(whole: GenerationEvent[] | PassedWhole, usage: PartialUsage | undefined): string {
    if (!Array.isArray(whole)) {
      const { client, request } = this.#options;
      const wire = whole.wire(usage);
      return client.wholeForm?.(wire, request) ?? wire;
    }
    if (usage) whole.push({ type: "usage", usage });
    const { body, losses } = this.#options.client.fold(whole, this.#options);
    this.#warn(losses);
    return printJson(body);
  }

  #warn(codes: readonly string[]): void {
    for (const code of codes) if (!this.warnings.includes(code)) this.warnings = [...this.warnings, code];
  }

  #observe(events: readonly GenerationEvent[]): void {
    for (const event of events) {
      this.meter.push(event);
      if (event.type === "error") this.failure ??= event.failure;
      else if (event.type === "warning") this.#warn([event.code]);
      else if (event.type === "usage") this.#usageCame ||= !event.early && event.usage.output !== undefined;
      else if (!this.meaningful) this.meaningful = isMeaningful(event);
    }
  }
}
