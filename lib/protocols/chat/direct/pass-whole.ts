import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { withModelName } from "@/lib/kernel/model-name";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import { ChunkNormalizer } from "@/lib/protocols/chat/node/chunk-normalizer";
import { ChatDecoder } from "@/lib/protocols/chat/node/decode";
import { madeCallId } from "@/lib/protocols/chat/node/made-call-id";
import { plainChatEvents } from "@/lib/protocols/chat/node/plain-answer";
import { chatChunks } from "@/lib/protocols/chat/node/whole";
import { writeChatUsage } from "@/lib/protocols/chat/usage";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import { type Trimming, trimDelta } from "./trim-delta";

/**
 * Passes a whole chat answer on: the node's own bytes with the client's model name, if nothing else must change.
 * Throws: nothing; a body that is no answer gives an `error` event. Source: docs/protocols.md#s6-1.
 */
export function passWholeChat(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const { id, alias, choices } = options;
  const plain = plainChatEvents(body, choices);
  if (plain !== null) return { events: plain, wire: (usage) => wireOf(json, body, alias, true, usage) };
  const normalizer = new ChunkNormalizer(id, madeCallId, choices);
  normalizer.normaliseBody(body);
  const decoder = new ChatDecoder({ id, choices }, madeCallId);
  const chunks = chatChunks(body, choices);
  const events = [...chunks.flatMap((chunk) => decoder.accept(chunk)), ...decoder.done()];
  const trimmed = trimBody(body, options);
  return {
    events,
    wire: (usage) => wireOf(json, body, alias, !normalizer.edited && !trimmed, usage),
  };
}

/** The node's own bytes, if only the model name must change. */
function wireOf(
  json: string,
  body: JsonObject,
  alias: string,
  isSame: boolean,
  usage?: PartialUsage,
): string {
  const same = isSame && !usage ? withModelName(json, body.model, alias) : null;
  if (same !== null) return same;
  body.model = alias;
  if (usage) body.usage = { ...(isObject(body.usage) ? body.usage : {}), ...writeChatUsage(usage) };
  return printJson(body);
}

/** Removes the parts of a whole answer that this client must not get; returns whether there were any. */
function trimBody(body: JsonObject, trimming: Trimming): boolean {
  let edited = false;
  for (const choice of Array.isArray(body.choices) ? body.choices : []) {
    if (isObject(choice) && isObject(choice.message) && trimDelta(choice.message, trimming).edited)
      edited = true;
  }
  return edited;
}
