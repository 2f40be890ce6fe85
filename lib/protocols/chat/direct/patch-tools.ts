import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { type OfferedCalls, offerCalls } from "@/lib/kernel/usage";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type { ChatRequest } from "@/lib/protocols/chat/client/schema";
import type { Losses } from "@/lib/protocols/generation/losses";
import { refusal } from "@/lib/protocols/generation/problems";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { ToolExtras, unusableTool } from "@/lib/protocols/passes/extras";

const rules = extrasOf("chat");

/**
 * Removes tools that the node would run and bill beside tokens and that have no price on the alias; returns the offered
 * calls of the remaining ones. Changes `body`. Throws: INVALID_REQUEST when the model must call a removed tool, and
 * under the strict setting. Source: docs/protocols.md#s6-3.
 */
export function keepChatTools(
  body: JsonObject,
  request: ChatRequest,
  target: Target,
  losses: Losses,
): OfferedCalls | undefined {
  const tools = request.tools ?? [];
  const extras = new ToolExtras(rules, target);
  const kept = tools.filter(
    (tool, index) => isSwitchedOff(tool) || extras.keeps(typeOf(tool), `tools[${index}]`),
  );
  if (kept.length < tools.length) {
    refuseForced(request, extras.dropped, kept.length === 0);
    extras.tell(losses);
    setTools(body, kept, withoutDropped(request.tool_choice, extras.dropped));
  }
  // Chat nodes have no field for a limit of calls.
  return extras.priced.size === 0 ? undefined : offerCalls([...extras.priced], null, target.perCall).offered;
}

function setTools(body: JsonObject, tools: readonly JsonObject[], choice: unknown): void {
  if (tools.length === 0)
    for (const field of ["tools", "tool_choice", "parallel_tool_calls"]) delete body[field];
  else {
    body.tools = tools;
    if (choice !== undefined) body.tool_choice = choice;
  }
}

/** The type of a tool; for a tool that a vendor has built in, its name. */
function typeOf(tool: JsonObject): string {
  const { type, function: definition } = tool;
  if (type === undefined || type === null) return "function";
  return type === "builtin_function" && isObject(definition) ? String(definition.name) : String(type);
}

/**
 * Tools of some vendors have settings under the name of their type, with a switch; some clients send it as a string.
 */
function isSwitchedOff(tool: JsonObject): boolean {
  const settings = tool[String(tool.type)];
  return isObject(settings) && String(settings.enable).toLowerCase() === "false";
}

type Dropped = ReadonlyMap<string, string>;

/** Throws: INVALID_REQUEST when the model must call a removed tool. */
function refuseForced({ tool_choice: choice }: ChatRequest, dropped: Dropped, noneLeft: boolean): void {
  if (choice === null || choice === undefined) return;
  const named = isObject(choice) ? droppedBy(choice, dropped) : undefined;
  if (named !== undefined) throw refusal(unusableTool(...named));
  const [first] = dropped;
  if (noneLeft && first !== undefined && isForced(choice)) throw refusal(unusableTool(...first));
  const isAllowed = isObject(choice) && choice.type === "allowed_tools" && first !== undefined;
  if (isAllowed && isForced(choice) && allowedOf(choice, dropped).length === 0)
    throw refusal(unusableTool(...first));
}

/** The removed tool that a choice names; undefined: it names none. */
function droppedBy(choice: JsonObject, dropped: Dropped): [string, string] | undefined {
  if (choice.type === "function" || choice.type === "custom") return undefined;
  const type = typeOf(choice);
  return [...dropped].find(([known]) => known === type);
}

function isForced(choice: unknown): boolean {
  if (!isObject(choice)) return choice === "required" || choice === "any";
  if (choice.type !== "allowed_tools") return true;
  const options = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  return options.mode === "required";
}

function allowedOf(choice: JsonObject, dropped: Dropped): JsonObject[] {
  const options = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  const listed = Array.isArray(options.tools) ? options.tools.filter(isObject) : [];
  return listed.filter((tool) => !dropped.has(typeOf(tool)));
}

/** A choice among some tools, without removed ones; without any tool it becomes "none". */
function withoutDropped(choice: unknown, dropped: Dropped): unknown {
  if (!isObject(choice) || choice.type !== "allowed_tools") return choice;
  const tools = allowedOf(choice, dropped);
  if (tools.length === 0) return "none";
  const options = choice.allowed_tools;
  return isObject(options) ? { ...choice, allowed_tools: { ...options, tools } } : { ...choice, tools };
}
