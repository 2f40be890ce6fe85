import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { StreamFailure } from "@/lib/protocols/adapters/error-format";
import type { Passed, Passthrough, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import { brokenAnswer, type GenerationEvent, type PartialUsage } from "@/lib/protocols/generation/events";
import { streamError } from "@/lib/protocols/responses/client/errors";
import { ResponsesDecoder } from "@/lib/protocols/responses/node/decode";
import { completeUsage, writeResponsesUsage } from "@/lib/protocols/responses/usage";
import { parsePayloads } from "@/lib/protocols/sse/payloads";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

const nothing: Passed = { wire: "", events: [] };

/** Events that contain the whole response. */
const lifecycle: ReadonlySet<unknown> = new Set([
  "response.created",
  "response.queued",
  "response.in_progress",
  "response.completed",
  "response.incomplete",
  "response.done",
]);

/**
 * Passes the events of a response on, byte for byte except the members about the response itself. A failure of the node
 * is not passed on: the gateway reports its own. Source: docs/responses.md#s3-4.
 */
export class ResponsesPassthrough implements Passthrough {
  readonly losses: readonly string[] = [];
  protected readonly options: PassthroughOptions;
  readonly #decoder: ResponsesDecoder;
  #over = false;
  /** The response at the beginning of the stream, and the number of the latest event. */
  #begun: JsonObject | null = null;
  #sequence = -1;
  /** The terminal event, held until the counts are known and the request is settled. */
  protected terminal: { event: string; payload: JsonObject; data: string } | null = null;

  constructor(options: PassthroughOptions) {
    this.options = options;
    this.#decoder = new ResponsesDecoder({ id: options.id });
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  push(frame: SseFrame): Passed {
    if (this.#over) return nothing;
    const data = frame.data.trim();
    if (data === "" || data === "[DONE]") return nothing;
    let payloads: JsonObject[];
    try {
      payloads = parsePayloads(data);
    } catch {
      const failure = brokenAnswer("The upstream sent an event that is not JSON");
      return { wire: "", events: this.#watch([{ type: "error", failure }]) };
    }
    const only = payloads[0];
    if (payloads.length === 1 && only) return this.#payload(only, frame.event, data);
    const passed = payloads.map((payload) => this.#payload(payload, null, printJson(payload)));
    return { wire: passed.map(({ wire }) => wire).join(""), events: passed.flatMap(({ events }) => events) };
  }

  finish(): Passed {
    return this.#over ? nothing : { wire: "", events: this.#watch(this.#decoder.end()) };
  }

  end(usage?: PartialUsage): string {
    if (this.terminal === null) return "";
    const { event, payload, data } = this.terminal;
    return `${wireOf(event, underAlias(payload, data, this.options, usage))}data: [DONE]\n\n`;
  }

  fail(failure: StreamFailure): string | undefined {
    if (this.#begun === null) return undefined;
    const response = { ...this.#begun, status: "failed", error: streamError(failure) };
    const event = { type: "response.failed", sequence_number: this.#sequence + 1, response };
    return `${wireOf(event.type, printJson(event))}data: [DONE]\n\n`;
  }

  #payload(payload: JsonObject, event: string | null, data: string): Passed {
    const events = this.#watch(this.#decoder.accept(payload, event));
    const last = events.at(-1)?.type;
    if (last === "error") return { wire: "", events };
    const type = typeof payload.type === "string" ? payload.type : event;
    if (type === null) return { wire: "", events };
    if (last === "end") {
      const renamed = turnNamesBack(payload, this.options.toolNames);
      this.terminal = { event: type, payload, data: renamed ? printJson(payload) : data };
      return { wire: "", events };
    }
    if (typeof payload.sequence_number === "number") this.#sequence = payload.sequence_number;
    const named = turnNamesBack(payload, this.options.toolNames) ? printJson(payload) : data;
    const text = lifecycle.has(type) ? underAlias(payload, named, this.options) : named;
    if (isObject(payload.response)) this.#begun ??= payload.response;
    return { wire: wireOf(type, text), events };
  }

  #watch(events: GenerationEvent[]): GenerationEvent[] {
    const last = events.at(-1)?.type;
    if (last === "error" || last === "end") this.#over = true;
    return events;
  }
}

/** Restores the client's tool names in the items of a payload, in place; true when any changed. */
export function turnNamesBack(
  { item, response }: JsonObject,
  names: PassthroughOptions["toolNames"],
): boolean {
  if (names === undefined || names.size === 0) return false;
  const output = isObject(response) && Array.isArray(response.output) ? response.output : [];
  let changed = false;
  for (const one of [item, ...output]) {
    const name = isObject(one) && typeof one.name === "string" ? names.get(one.name) : undefined;
    if (!isObject(one) || name === undefined) continue;
    one.name = name;
    changed = true;
  }
  return changed;
}

function underAlias(
  payload: JsonObject,
  data: string,
  options: PassthroughOptions,
  usage?: PartialUsage,
): string {
  return isObject(payload.response) ? rewritten(data, payload, payload.response, options, usage) : data;
}

/**
 * The JSON text of `whole` with the client's values of model, id, time and predecessor; where a place is ambiguous, or
 * counts are added, the object is serialised again. Changes `response`.
 */
export function rewritten(
  json: string,
  whole: JsonObject,
  response: JsonObject,
  { alias, id, created, request }: PassthroughOptions,
  usage: PartialUsage | undefined,
): string {
  const shown: JsonObject = { model: alias, id, store: request.store ?? true };
  if (typeof response.created_at !== "number" && created !== undefined) shown.created_at = created;
  if (typeof request.previous_response_id === "string")
    shown.previous_response_id = request.previous_response_id;
  let text: string | null = usage === undefined ? json : null;
  for (const name in shown) {
    text = text === null ? null : withMember(text, name, response[name], shown[name]);
    response[name] = shown[name];
  }
  const reported = isObject(response.usage) ? response.usage : null;
  if (usage !== undefined) response.usage = { ...reported, ...writeResponsesUsage(usage) };
  else if (reported !== null) {
    response.usage = completeUsage(reported);
    if (text !== null && response.usage !== reported) text = withUsage(text, reported, response.usage);
  }
  return text ?? printJson(whole);
}

/** The text with another usage; null if its place is ambiguous. */
function withUsage(json: string, usage: JsonObject, replacement: unknown): string | null {
  const member = `"usage":${printJson(usage)}`;
  const at = json.indexOf(member);
  if (at === -1 || json.includes(member, at + 1)) return null;
  return `${json.slice(0, at)}"usage":${printJson(replacement)}${json.slice(at + member.length)}`;
}

/** The text with another value of one member; null if the place of the member is ambiguous. */
function withMember(json: string, name: string, value: unknown, replacement: unknown): string | null {
  if (value === replacement) return json;
  if (value === undefined || (typeof value === "object" && value !== null)) return null;
  for (const space of ["", " "]) {
    const member = `"${name}":${space}${JSON.stringify(value)}`;
    const at = json.indexOf(member);
    if (at === -1 || json.includes(member, at + 1)) continue;
    const end = at + member.length;
    return `${json.slice(0, at)}"${name}":${space}${JSON.stringify(replacement)}${json.slice(end)}`;
  }
  return null;
}

function wireOf(event: string, data: string): string {
  const lines = data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data;
  return `event: ${event}\ndata: ${lines}\n\n`;
}
