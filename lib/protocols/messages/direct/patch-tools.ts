import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { isPricedTool, type OfferedCalls, offerCalls } from "@/lib/kernel/usage";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type { Losses } from "@/lib/protocols/generation/losses";
import { refusal } from "@/lib/protocols/generation/problems";
import type { MessagesRequest, MessagesTool } from "@/lib/protocols/messages/client/schema";
import { makesCodeFree, withFreeCode } from "@/lib/protocols/messages/node/free-code";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { priceOfTool, ToolExtras, unusableTool } from "@/lib/protocols/passes/extras";
import { withoutCallers } from "@/lib/protocols/passes/tool-callers";

const rules = extrasOf("messages");

const CODE_EXECUTION = "code_execution";

/**
 * Removes tools that the node would run and bill beside tokens and that have no price on the alias, and bounds the
 * searches of the remaining ones; returns the offered calls of these. Changes `body`. Throws: INVALID_REQUEST when the
 * model must call a removed tool, and under the strict setting. Source: docs/protocols.md#s6-3.
 */
export function keepMessagesTools(
  body: JsonObject,
  request: MessagesRequest,
  target: Target,
  losses: Losses,
): OfferedCalls | undefined {
  const tools = request.tools ?? [];
  const extras = new ToolExtras(rules, target);
  const codeIsFree = tools.some((tool) => makesCodeFree(tool) && extras.allows(typeOf(tool)));
  const isFree = (tool: JsonObject) => codeIsFree && isCodeExecution(tool);
  const kept = tools.filter((tool, index) => isFree(tool) || extras.keeps(typeOf(tool), `tools[${index}]`));
  if (kept.length < tools.length) {
    refuseForced(request, kept, extras.dropped);
    extras.tell(losses);
    const left = [...extras.dropped.keys()];
    if (!codeIsFree && !kept.some(isCodeExecution)) {
      left.push(CODE_EXECUTION);
      dropContainer(body, losses);
    }
    body.tools = withoutCallers(kept, left, kept.map(typeOf));
    if (kept.length === 0) for (const field of ["tools", "tool_choice"]) delete body[field];
  }
  const offered = extras.priced.size === 0 ? undefined : offer(body, extras, target, losses);
  return codeIsFree ? withFreeCode(offered) : offered;
}

/** Throws: INVALID_REQUEST when the model must call a removed tool. */
function refuseForced(
  { tools, tool_choice: choice }: MessagesRequest,
  kept: readonly MessagesTool[],
  dropped: ReadonlyMap<string, string>,
): void {
  const [first] = dropped;
  if (choice == null || first === undefined) return;
  if (choice.type === "any" && kept.length === 0) throw refusal(unusableTool(...first));
  if (choice.type !== "tool" || kept.some(({ name }) => name === choice.name)) return;
  const index = (tools ?? []).findIndex(({ name }) => name === choice.name);
  const type = tools?.[index]?.type;
  if (type != null) throw refusal(unusableTool(type, `tools[${index}]`));
}

function isCodeExecution({ type }: JsonObject): boolean {
  return typeof type === "string" && type.startsWith(CODE_EXECUTION);
}

/** The node refuses a container without code execution. */
function dropContainer(body: JsonObject, losses: Losses): void {
  if (body.container != null) losses.dropped("container");
  delete body.container;
}

/**
 * Only searches have a limit of their own in this protocol; the billed calls of other tools have the limit of a search
 * without one.
 */
function offer(body: JsonObject, { priced }: ToolExtras, { perCall }: Target, losses: Losses): OfferedCalls {
  const tools = Array.isArray(body.tools) ? body.tools.filter(isObject) : [];
  const searches = tools.filter(isSearch);
  const named = searches.map(({ max_uses: most }) => (typeof most === "number" ? most : null));
  const hasOthers = tools.some((tool) => {
    const price = priceOfTool(typeOf(tool), rules);
    return !isSearch(tool) && isPricedTool(price) && priced.has(price);
  });
  const { told, offered } = offerCalls([...priced], null, perCall);
  if (told === null) return offered;
  if (named.includes(null)) {
    losses.add(`added:max_uses:${told}`);
    body.tools = tools.map((tool) =>
      isSearch(tool) && tool.max_uses == null ? { ...tool, max_uses: told } : tool,
    );
  }
  const maxCalls = named.reduce<number>((sum, most) => sum + (most ?? told), hasOthers ? told : 0);
  return { ...offered, maxCalls };
}

function typeOf({ type }: JsonObject): string {
  return typeof type === "string" ? type : "custom";
}

function isSearch({ type }: JsonObject): boolean {
  return typeof type === "string" && type.startsWith("web_search");
}
