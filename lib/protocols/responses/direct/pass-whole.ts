import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import { responseEvents } from "@/lib/protocols/responses/node/whole";
import { rewritten, turnNamesBack } from "./passthrough";

/**
 * Passes a whole response on: the node's own bytes, except the members about the response itself. Throws: nothing; a
 * body that is no answer gives an `error` event. Source: docs/responses.md#s3-4.
 */
export function passWholeResponse(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const events = responseEvents(body, { id: options.id });
  const text = turnNamesBack({ response: body }, options.toolNames) ? printJson(body) : json;
  return { events, wire: (usage) => rewritten(text, body, body, options, usage) };
}
