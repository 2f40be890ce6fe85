import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapter";
import { withModelName } from "@/lib/protocols/model-name";
import { ChunkNormalizer } from "./chunk-normalizer";
import { ChatDecoder } from "./decode";
import { type Trimming, trimDelta } from "./trim";
import { writeChatUsage } from "./usage";
import { chatChunks } from "./whole";

/**
 * Passes a whole chat answer on: its own bytes with the client's model name where nothing else has to change.
 * Throws: nothing; a body that is no answer gives an `error` event. Source: docs/protocols.md#s6-1.
 */
export function passWholeChat(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const { id, alias, choices } = options;
  const normalizer = new ChunkNormalizer(id, choices);
  normalizer.normaliseBody(body);
  const decoder = new ChatDecoder({ id, choices });
  const chunks = chatChunks(body, choices);
  const events = [...chunks.flatMap((chunk) => decoder.accept(chunk)), ...decoder.done()];
  const trimmed = trimBody(body, options);
  return {
    events,
    wire(usage) {
      const same = normalizer.edited || trimmed || usage ? null : withModelName(json, body.model, alias);
      if (same !== null) return same;
      body.model = alias;
      if (usage) body.usage = { ...(isObject(body.usage) ? body.usage : {}), ...writeChatUsage(usage) };
      return JSON.stringify(body);
    },
  };
}

/** Takes out of a whole answer what this client must not get; returns whether there was anything. */
function trimBody(body: JsonObject, trimming: Trimming): boolean {
  let edited = false;
  for (const choice of Array.isArray(body.choices) ? body.choices : []) {
    if (isObject(choice) && isObject(choice.message) && trimDelta(choice.message, trimming).edited)
      edited = true;
  }
  return edited;
}
