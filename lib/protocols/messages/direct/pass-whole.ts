import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { withModelName } from "@/lib/kernel/model-name";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { MessagesDecoder } from "@/lib/protocols/messages/node/decode";
import { plainMessagesEvents } from "@/lib/protocols/messages/node/plain-answer";
import { messagesPayloads } from "@/lib/protocols/messages/node/whole";
import { writeMessagesUsage } from "@/lib/protocols/messages/usage";

/**
 * Passes a whole message on: the node's own bytes with the client's model name, if nothing else must change.
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

interface Names {
  toolNames?: ReadonlyMap<string, string>;
}

/**
 * Restores the client's tool name in one content block, in place; true when it changed. Source: docs/protocols.md#s7.
 */
export function turnNameBack(block: JsonObject, { toolNames }: Names): boolean {
  if (block.type !== "tool_use" || typeof block.name !== "string") return false;
  const name = toolNames?.get(block.name);
  if (name === undefined) return false;
  block.name = name;
  return true;
}

/** Restores the client's tool names in a whole message, in place; true when any changed. */
function turnBlockNamesBack(message: JsonObject, names: Names): boolean {
  if (!Array.isArray(message.content)) return false;
  let changed = false;
  for (const block of message.content) if (isObject(block) && turnNameBack(block, names)) changed = true;
  return changed;
}
