import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Passed, Passthrough, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import { chatWishes } from "@/lib/protocols/chat/client/wishes";
import { ChatDecoder } from "@/lib/protocols/chat/node/decode";
import { madeCallId } from "@/lib/protocols/chat/node/made-call-id";
import { writeChatUsage } from "@/lib/protocols/chat/usage";
import { framedFailure, isFailureName } from "@/lib/protocols/failures/failure-body";
import { brokenAnswer, type GenerationEvent, type PartialUsage } from "@/lib/protocols/generation/events";
import { DeltaFastPath } from "@/lib/protocols/sse/delta-fast-path";
import { parsePayloads } from "@/lib/protocols/sse/payloads";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { type Trimming, trimDelta } from "./trim-delta";

const nothing: Passed = { wire: "", events: [] };

/** Passes chat chunks on. Source: docs/protocols.md#s6-1, #s12-2. */
export class ChatPassthrough implements Passthrough {
  readonly losses: readonly string[] = [];
  readonly #alias: string;
  readonly #includeUsage: boolean;
  readonly #trimming: Trimming;
  readonly #decoder: ChatDecoder;
  #fastPath: DeltaFastPath | null = null;
  #usageChunk: JsonObject | null = null;
  #usageSent = false;
  #usage: PartialUsage | null = null;
  #over = false;
  #head: JsonObject = {};
  #model = "";
  #modelPatterns: readonly string[] = [];

  constructor(options: PassthroughOptions) {
    const { id, alias, request, finishOptional, choices } = options;
    this.#alias = alias;
    this.#includeUsage = chatWishes(request).includeUsage;
    this.#trimming = options;
    this.#decoder = new ChatDecoder({ id, finishOptional, choices }, madeCallId);
  }

  push(frame: SseFrame): Passed {
    if (this.#over) return nothing;
    const wire = this.#fastPath?.match(frame.data);
    if (wire && this.#fastPath) return { wire, events: [{ type: "text", text: this.#fastPath.text }] };
    const data = frame.data.trim();
    if (data === "") return nothing;
    if (data === "[DONE]") return this.#watch("", this.#decoder.done());
    if (isFailureName(frame.event)) return this.#watch("", [{ type: "error", failure: framedFailure(data) }]);
    return this.#parsed(data);
  }

  finish(): Passed {
    return this.#over ? nothing : this.#watch("", this.#decoder.end());
  }

  end(usage?: PartialUsage): string {
    const chunks = this.#decoder.pendingChunks().filter((chunk) => !this.#trim(chunk));
    const pending = chunks.map((chunk) => this.#write(chunk)).join("");
    return `${pending}${this.#usageFrame(usage)}data: [DONE]\n\n`;
  }

  #parsed(data: string): Passed {
    let chunks: JsonObject[];
    try {
      chunks = parsePayloads(data);
    } catch {
      const failure = brokenAnswer("The upstream sent a chunk that is not JSON");
      return this.#watch("", [{ type: "error", failure }]);
    }
    const only = chunks[0];
    if (chunks.length === 1 && only) return this.#chunk(only, data);
    let wire = "";
    const events: GenerationEvent[] = [];
    for (const chunk of chunks) {
      const passed = this.#chunk(chunk, null);
      wire += passed.wire;
      events.push(...passed.events);
    }
    return { wire, events };
  }

  #chunk(chunk: JsonObject, data: string | null): Passed {
    const events = this.#decoder.accept(chunk);
    const passed = this.#decoder.passed;
    if (passed === null) return this.#watch("", events);
    const empty = this.#trim(passed);
    if (empty && isObject(passed.usage)) passed.choices = [];
    if (this.#holdUsage(passed) || empty) return this.#watch("", events);
    this.#head = passed;
    const wire = this.#write(passed, this.#decoder.edited ? null : data);
    const only = events.length === 1 ? events[0] : undefined;
    if (data !== null && only?.type === "text")
      this.#fastPath = DeltaFastPath.learn(data, wire, "content", only.text);
    return this.#watch(wire, events);
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  /** Removes the parts that this client must not get. Returns true when the rest of the chunk is empty. */
  #trim(chunk: JsonObject): boolean {
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const kept = choices.filter((choice) => {
      if (!isObject(choice) || !isObject(choice.delta)) return true;
      const { edited, empty } = trimDelta(choice.delta, this.#trimming);
      if (edited) this.#decoder.edited = true;
      return !empty;
    });
    if (kept.length > 0 && kept.length < choices.length) chunk.choices = kept;
    return choices.length > 0 && kept.length === 0;
  }

  /** True when the chunk is a usage chunk, which is held until the end. */
  #holdUsage(chunk: JsonObject): boolean {
    if (Array.isArray(chunk.choices) && chunk.choices.length === 0) {
      this.#usageChunk = chunk;
      return true;
    }
    if (!("usage" in chunk)) return false;
    if (!this.#includeUsage) {
      delete chunk.usage;
      this.#decoder.edited = true;
    } else if (isObject(chunk.usage)) this.#usageSent = true;
    return false;
  }

  #usageFrame(usage: PartialUsage | undefined): string {
    if (!this.#includeUsage) return "";
    if (usage === undefined && this.#usageChunk) return this.#write(this.#usageChunk);
    if (usage === undefined && this.#usageSent) return "";
    const { choices: _choices, ...head } = this.#usageChunk ?? this.#head;
    const reported = isObject(head.usage) ? head.usage : {};
    const counts = writeChatUsage(usage ?? this.#usage ?? {});
    return this.#write({ ...head, choices: [], usage: { ...reported, ...counts } });
  }

  #watch(wire: string, events: GenerationEvent[]): Passed {
    for (const event of events) {
      if (event.type === "usage") this.#usage = event.usage;
      if (event.type === "error" || event.type === "end") this.#over = true;
    }
    return { wire, events };
  }

  /** Writes a chunk with the alias as model; `data` is its text if nothing else was changed. */
  #write(chunk: JsonObject, data: string | null = null): string {
    const model = chunk.model;
    if (data !== null && typeof model === "string") {
      if (model !== this.#model) this.#learnModel(model);
      for (const pattern of this.#modelPatterns) {
        const at = data.indexOf(pattern);
        if (at === -1 || data.includes(pattern, at + 1)) continue;
        const alias = `"model":${JSON.stringify(this.#alias)}`;
        return `data: ${oneLine(data.slice(0, at))}${alias}${oneLine(data.slice(at + pattern.length))}\n\n`;
      }
    }
    chunk.model = this.#alias;
    return `data: ${printJson(chunk)}\n\n`;
  }

  #learnModel(model: string): void {
    const text = JSON.stringify(model);
    this.#model = model;
    this.#modelPatterns = [`"model":${text}`, `"model": ${text}`];
  }
}

/** A line break between JSON tokens would end the data line. */
function oneLine(json: string): string {
  return json.includes("\n") ? json.replaceAll("\n", " ") : json;
}
