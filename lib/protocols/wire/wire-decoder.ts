import type { JsonObject } from "@/lib/kernel/json-object";
import type { Decoder } from "@/lib/protocols/adapters/decoder";
import { framedFailure, isFailureName } from "@/lib/protocols/failures/failure-body";
import { brokenAnswer, type GenerationEvent, type UpstreamFailure } from "@/lib/protocols/generation/events";
import { parsePayloads } from "@/lib/protocols/sse/payloads";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** The common part of decoders for JSON payloads in server-sent events. */
export abstract class WireDecoder implements Decoder {
  /** The answer has ended or failed; nothing more is read. */
  protected over = false;
  readonly #payloadName: string;
  readonly #warned = new Set<string>();

  abstract readonly finishSeen: boolean;

  /** `payloadName`: the word for a payload in messages to callers, e.g. `a chunk`. */
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

  /** Handles one payload; `event` is the name of its frame. */
  abstract accept(payload: JsonObject, event?: string | null): GenerationEvent[];

  /** Handles `[DONE]`. */
  abstract done(): GenerationEvent[];

  abstract end(): GenerationEvent[];

  /** True for a frame name that reports a failure, regardless of the data. */
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
