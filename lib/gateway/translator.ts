import type { PreparedRequest } from "@/lib/convert/prepare";
import { createDecoder, decodeWhole } from "@/lib/protocol/decoder";
import { createEncoder, type EncodeOptions, foldWhole } from "@/lib/protocol/encoder";
import {
  type GenerationEvent,
  isMeaningful,
  type PartialUsage,
  type UpstreamFailure,
} from "@/lib/protocol/events";
import { createForwarder, forwardWhole } from "@/lib/protocol/forwarder";
import { Meter } from "@/lib/protocol/meter";
import { isObject, type Protocol } from "@/lib/protocol/protocol";
import type { SseFrame } from "@/lib/protocol/sse";

/** What decides how an answer is translated. */
export interface TranslatorOptions extends EncodeOptions {
  clientProtocol: Protocol;
  upstreamProtocol: Protocol;
  /** The client wants a stream. */
  stream: boolean;
  /** The counts to show where the upstream told none or impossible ones; undefined when its own are good. */
  estimateUsage(meter: Meter): PartialUsage | undefined;
}

interface Stage {
  push(frame: SseFrame): string;
  end(): string;
}

/**
 * One answer on its way from a node to a client: frames in, wire text out, events to the meter. The terminal
 * frames come from `end()` only, so that money can be settled before them. Source: architecture 1.4, reliability D5.
 */
export class Translator {
  readonly meter = new Meter();
  readonly warnings = new Set<string>();
  /** A meaningful event has passed: there is no way back to another node. */
  meaningful = false;
  /** Wire text has been made: the protocol's own pings may be sent. */
  started = false;
  failure: UpstreamFailure | null = null;
  readonly #options: TranslatorOptions;
  readonly #stage: Stage;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    if (!options.stream) this.#stage = this.#folding();
    else
      this.#stage =
        options.clientProtocol === options.upstreamProtocol ? this.#forwarding() : this.#encoding();
  }

  /** Wire text that may go out now; always empty for unstreamed clients. */
  push(frame: SseFrame): string {
    const wire = this.#stage.push(frame);
    if (wire !== "") this.started = true;
    return wire;
  }

  /** The upstream's bytes have ended: the terminal frames or the whole body, unless `failure` is set. */
  end(): string {
    return this.#stage.end();
  }

  /** A whole JSON answer: everything the client gets for it, unless `failure` is set. */
  whole(body: unknown): string {
    const { clientProtocol, upstreamProtocol, stream } = this.#options;
    if (clientProtocol === upstreamProtocol && !stream && isObject(body)) {
      const forwarded = forwardWhole(clientProtocol, body, this.#options);
      this.#observe(forwarded.events);
      return this.failure ? "" : JSON.stringify(forwarded.body);
    }
    const events = decodeWhole(upstreamProtocol, body, this.#options);
    this.#observe(events);
    if (this.failure) return "";
    const usage = this.#estimate();
    if (usage) events.push({ type: "usage", usage });
    if (!stream) return JSON.stringify(foldWhole(clientProtocol, events, this.#options));
    const encoder = createEncoder(clientProtocol, this.#options);
    return events.map((event) => encoder.push(event)).join("") + encoder.end();
  }

  #forwarding(): Stage {
    const forwarder = createForwarder(this.#options.clientProtocol, this.#options);
    const pass = (step: { wire: string; events: readonly GenerationEvent[] }) => {
      this.#observe(step.events);
      return step.wire;
    };
    return { push: (frame) => pass(forwarder.push(frame)), end: () => pass(forwarder.end(this.#estimate())) };
  }

  #encoding(): Stage {
    const decoder = createDecoder(this.#options.upstreamProtocol, this.#options);
    const encoder = createEncoder(this.#options.clientProtocol, this.#options);
    const encode = (events: readonly GenerationEvent[]) => {
      this.#observe(events);
      let wire = "";
      if (this.failure === null) for (const event of events) wire += encoder.push(event);
      return wire;
    };
    return {
      push: (frame) => encode(decoder.push(frame)),
      end: () => {
        const wire = encode(decoder.end());
        if (this.failure) return "";
        const usage = this.#estimate();
        if (usage) encoder.push({ type: "usage", usage });
        return wire + encoder.end();
      },
    };
  }

  #folding(): Stage {
    const decoder = createDecoder(this.#options.upstreamProtocol, this.#options);
    const collected: GenerationEvent[] = [];
    const collect = (events: readonly GenerationEvent[]) => {
      this.#observe(events);
      for (const event of events) collected.push(event);
    };
    return {
      push: (frame) => {
        collect(decoder.push(frame));
        return "";
      },
      end: () => {
        collect(decoder.end());
        if (this.failure) return "";
        const usage = this.#estimate();
        if (usage) collected.push({ type: "usage", usage });
        return JSON.stringify(foldWhole(this.#options.clientProtocol, collected, this.#options));
      },
    };
  }

  #estimate(): PartialUsage | undefined {
    return this.#options.estimateUsage(this.meter);
  }

  #observe(events: readonly GenerationEvent[]): void {
    for (const event of events) {
      this.meter.push(event);
      if (event.type === "error") this.failure ??= event.failure;
      else if (event.type === "warning") this.warnings.add(event.code);
      else if (!this.meaningful) this.meaningful = isMeaningful(event);
    }
  }
}

/** The answer-side options that a prepared request fixes. */
export function answerOptions(prepared: PreparedRequest) {
  const {
    stream,
    includeUsage,
    legacyFunctions,
    excludeReasoning,
    singleToolCall,
    toolNames,
    stopSequences,
  } = prepared;
  return {
    stream,
    includeUsage,
    legacyFunctions,
    excludeReasoning,
    singleToolCall,
    toolNames,
    stopSequences,
  };
}
