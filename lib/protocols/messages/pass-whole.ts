import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { withModelName } from "@/lib/kernel/model-name";
import type { LimitEnding } from "@/lib/protocols/adapters/decoder";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { MessagesDecoder } from "./decode";
import { writeMessagesUsage } from "./usage";
import { messagesPayloads, plainMessagesEvents } from "./whole";

/**
 * Passes a whole message on: its own bytes with the client's model name where nothing else has to change.
 * Throws: nothing; a body that is no answer gives an `error` event. Source: docs/protocols.md#s6-2.
 */
export function passWholeMessage(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const events = plainMessagesEvents(body) ?? decodedEvents(body, options);
  const renamed = turnBlockNamesBack(body, options);
  return {
    events,
    wire(usage) {
      const same = renamed || usage ? null : withModelName(json, body.model, options.alias);
      if (same !== null) return same;
      body.model = options.alias;
      if (usage) body.usage = { ...(isObject(body.usage) ? body.usage : {}), ...writeMessagesUsage(usage) };
      return printJson(body);
    },
  };
}

function decodedEvents(body: JsonObject, { id }: PassthroughOptions): GenerationEvent[] {
  const decoder = new MessagesDecoder({ id });
  return [...messagesPayloads(body).flatMap((payload) => decoder.accept(payload)), ...decoder.end()];
}

/** Ends a messages stream that is cut at its output limit: the open block is closed first. Source: docs/reliability.md#s4-4. */
export class MessagesLimitEnding implements LimitEnding {
  #openBlock: string | null = null;

  watch(frame: SseFrame): void {
    if (frame.event === "content_block_start") this.#openBlock = frame.data;
    else if (frame.event === "content_block_stop") this.#openBlock = null;
  }

  frames(output: number): SseFrame[] {
    const index = /"index"\s*:\s*(\d+)/.exec(this.#openBlock ?? "")?.[1];
    const delta = { stop_reason: "max_tokens", stop_sequence: null };
    return [
      ...(index === undefined ? [] : [frameOf({ type: "content_block_stop", index: Number(index) })]),
      frameOf({ type: "message_delta", delta, usage: { output_tokens: output } }),
      frameOf({ type: "message_stop" }),
    ];
  }
}

function frameOf(payload: { type: string } & Record<string, unknown>): SseFrame {
  return { event: payload.type, data: printJson(payload) };
}

interface Names {
  toolNames?: ReadonlyMap<string, string>;
}

/** Turns the tool name of one content block back, in place; true when it changed. Source: docs/protocols.md#s7. */
export function turnNameBack(block: JsonObject, { toolNames }: Names): boolean {
  if (block.type !== "tool_use" || typeof block.name !== "string") return false;
  const name = toolNames?.get(block.name);
  if (name === undefined) return false;
  block.name = name;
  return true;
}

/** Turns the tool names of a whole message back, in place; true when any changed. */
function turnBlockNamesBack(message: JsonObject, names: Names): boolean {
  if (!Array.isArray(message.content)) return false;
  let changed = false;
  for (const block of message.content) if (isObject(block) && turnNameBack(block, names)) changed = true;
  return changed;
}
