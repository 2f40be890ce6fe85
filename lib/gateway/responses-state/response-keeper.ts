import { estimateInputTokens } from "@/lib/billing/token-estimate";
import type { AnswerKeeper } from "@/lib/gateway/generation-context";
import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { DeadlineError, withDeadline } from "@/lib/kernel/with-deadline";
import type { PromptFields } from "@/lib/protocols/adapters/client-request";
import type { ResponseStore, StateOwner, UnstoredReason } from "./store";

/** How long an answer waits to be stored. Source: docs/responses.md#s4-1. */
const WRITE_MS = 2_000;

/** What is known of a response before the model answers. */
export interface ResponsePlace {
  requestId: string;
  createdAt: Date;
  /** The id that the client sent; it is returned in the response. */
  previousId: string | null;
  /** The stored response whose items come before `input`; null: none. */
  parentId: string | null;
  depth: number;
  input: readonly JsonObject[];
}

/** Stores one answer before its client is told that it is complete. Source: docs/responses.md#s4-1. */
export class ResponseKeeper implements AnswerKeeper {
  readonly #store: ResponseStore;
  readonly #owner: StateOwner;
  readonly #fields: PromptFields;
  readonly #place: ResponsePlace;

  /** `fields`: the parts of a request that become its prompt. */
  constructor(store: ResponseStore, owner: StateOwner, fields: PromptFields, place: ResponsePlace) {
    this.#store = store;
    this.#owner = owner;
    this.#fields = fields;
    this.#place = place;
  }

  /**
   * Stores the response that `wire` ends with: a whole body, or the terminal frames of a stream. Resolves with the text
   * to send, which says whether the response is stored. Takes two seconds at most.
   */
  async keep(wire: string, nodeId: string | null): Promise<string> {
    const found = findResponse(wire);
    if (found === null || found.response.status === "failed") return wire;
    const { response } = found;
    const stored = await this.#write(response, nodeId);
    const previous = response.previous_response_id ?? this.#place.previousId;
    if (response.store === stored && response.previous_response_id === previous) return wire;
    return found.replaced({ ...response, store: stored, previous_response_id: previous });
  }

  async #write({ output, ...rest }: JsonObject, nodeId: string | null): Promise<boolean> {
    const { requestId, createdAt, previousId, parentId, depth, input } = this.#place;
    const items = { input, output: Array.isArray(output) ? output.filter(isObject) : [] };
    const envelope = { ...rest, store: true, previous_response_id: previousId };
    const tokens = tokensOf([...items.input, ...items.output], this.#fields);
    const draft = { requestId, createdAt, parentId, depth, nodeId, items, tokens, envelope };
    let failure: { reason: UnstoredReason; cause?: unknown } = { reason: "too_large" };
    try {
      if (await withDeadline(this.#store.write(this.#owner, draft), WRITE_MS)) return true;
    } catch (cause) {
      failure = { reason: cause instanceof DeadlineError ? "late" : "failed", cause };
    }
    this.#store.tellUnstored(failure.reason, failure.cause);
    return false;
  }
}

/** What items add to the estimate of a request, rounded down. Units: tokens. */
export function tokensOf(items: readonly JsonObject[], fields: PromptFields): number {
  const empty = estimateInputTokens({ [fields.turns]: [] }, fields);
  return Math.max(0, estimateInputTokens({ [fields.turns]: items }, fields) - empty - 1);
}

/** The response in a piece of wire text. */
export interface FoundResponse {
  response: JsonObject;
  /** The text with another response in its place. */
  replaced(response: JsonObject): string;
}

/** The response in the end of an answer; null: there is none. */
export function findResponse(wire: string): FoundResponse | null {
  if (wire.startsWith("{")) {
    const response = parseJson(wire);
    return isObject(response) ? { response, replaced: printJson } : null;
  }
  const prefix = "data: {";
  for (let at = wire.indexOf(prefix); at !== -1; at = wire.indexOf(prefix, at + 1)) {
    const start = at + prefix.length - 1;
    const lineEnd = wire.indexOf("\n", start);
    const end = lineEnd === -1 ? wire.length : lineEnd;
    const event = parseJson(wire.slice(start, end));
    if (!isObject(event) || !isObject(event.response)) continue;
    const replaced = (response: JsonObject) =>
      `${wire.slice(0, start)}${printJson({ ...event, response })}${wire.slice(end)}`;
    return { response: event.response, replaced };
  }
  return null;
}
