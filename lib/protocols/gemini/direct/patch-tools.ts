import type { JsonObject } from "@/lib/kernel/json-object";
import { type OfferedCalls, offerCalls } from "@/lib/kernel/usage";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type { GeminiRequest, GeminiTool } from "@/lib/protocols/gemini/client/schema";
import type { Losses } from "@/lib/protocols/generation/losses";
import type { Problem } from "@/lib/protocols/generation/problems";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { ToolExtras } from "@/lib/protocols/passes/extras";

const rules = extrasOf("gemini");

/**
 * Removes tools that the node would run and bill beside tokens and that have no price on the alias; returns the offered
 * calls of the others. An entry of `tools` may hold several. Changes `body`. Throws: INVALID_REQUEST under the strict
 * setting. Source: docs/protocols.md#s6-3.
 */
export function keepGeminiTools(
  body: JsonObject,
  { tools }: GeminiRequest,
  target: Target,
  losses: Losses,
): OfferedCalls | undefined {
  if (tools == null) return undefined;
  const extras = new ToolExtras(rules, target, unusableMember);
  const kept = tools.map((tool, index) => keptMembers(tool, `tools[${index}]`, extras));
  if (extras.dropped.size > 0) {
    extras.tell(losses);
    const filled = kept.filter((tool) => Object.keys(tool).length > 0);
    if (filled.length === 0) delete body.tools;
    else body.tools = filled;
  }
  return extras.priced.size === 0 ? undefined : offerCalls([...extras.priced], null, target.perCall).offered;
}

/** The type of a tool is the name of its member. */
function unusableMember(type: string, at: string): Problem {
  const param = `${at}.${type}`;
  return { param, message: `${param} cannot be used with this model.` };
}

function keptMembers(tool: GeminiTool, at: string, extras: ToolExtras): JsonObject {
  return Object.fromEntries(
    Object.entries(tool).filter(([type, value]) => value == null || extras.keeps(type, at)),
  );
}
