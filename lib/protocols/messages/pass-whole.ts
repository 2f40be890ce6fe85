import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapter";
import { withModelName } from "@/lib/protocols/model-name";
import { MessagesDecoder } from "./decode";
import { turnBlockNamesBack } from "./names";
import { writeMessagesUsage } from "./usage";
import { messagesPayloads } from "./whole";

/**
 * Passes a whole message on: its own bytes with the client's model name where nothing else has to change.
 * Throws: nothing; a body that is no answer gives an `error` event. Source: docs/protocols.md#s6-2.
 */
export function passWholeMessage(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const decoder = new MessagesDecoder({ id: options.id });
  const payloads = messagesPayloads(body);
  const events = [...payloads.flatMap((payload) => decoder.accept(payload)), ...decoder.end()];
  const renamed = turnBlockNamesBack(body, options);
  return {
    events,
    wire(usage) {
      const same = renamed || usage ? null : withModelName(json, body.model, options.alias);
      if (same !== null) return same;
      body.model = options.alias;
      if (usage) body.usage = { ...(isObject(body.usage) ? body.usage : {}), ...writeMessagesUsage(usage) };
      return JSON.stringify(body);
    },
  };
}
