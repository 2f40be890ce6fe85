import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import { geminiEvents } from "@/lib/protocols/gemini/node/whole";
import { turnNamesBack } from "./turn-names-back";
import { underAlias } from "./under-alias";

/**
 * Passes a whole answer on: the node's own bytes with the client's model name. Throws: nothing; a body that is no answer
 * gives an `error` event. Source: docs/gemini.md#to-nodes.
 */
export function passWholeGemini(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const { id, choices, alias, toolNames } = options;
  const events = geminiEvents(body, { id, choices: choices ?? 1, keepsFailedCandidates: true });
  const named = toolNames && turnNamesBack(body, toolNames) ? printJson(body) : json;
  return { events, wire: (usage) => underAlias(named, body, alias, usage) };
}
