import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/**
 * The tools without `allowed_callers` that name a removed tool of which no other version remains: a node refuses them.
 * Includes members of namespaces. `left` and `kept`: types of tools. Source: docs/protocols.md#s6-3.
 */
export function withoutCallers(
  tools: readonly JsonObject[],
  left: Iterable<string>,
  kept: Iterable<string>,
): JsonObject[] {
  const isLeft = [...left];
  const isKept = [...kept];
  const isRemoved = (caller: unknown) =>
    isLeft.some((type) => standsFor(caller, type)) && !isKept.some((type) => standsFor(caller, type));
  return tools.map((tool) => toolWithout(tool, isRemoved));
}

function toolWithout(tool: JsonObject, isRemoved: (caller: unknown) => boolean): JsonObject {
  const { allowed_callers: callers, ...plain } = tool;
  if (Array.isArray(tool.tools)) {
    const members = tool.tools.map((member: unknown) =>
      isObject(member) ? toolWithout(member, isRemoved) : member,
    );
    return { ...tool, tools: members };
  }
  if (!Array.isArray(callers)) return tool;
  const others = callers.filter((caller) => !isRemoved(caller));
  if (others.length === callers.length) return tool;
  return others.length === 0 ? plain : { ...plain, allowed_callers: others };
}

/**
 * A caller has the name of the tool's type, with or without the version date, or of its first words: `programmatic`.
 */
function standsFor(caller: unknown, type: string): boolean {
  const name = withoutDate(String(caller));
  const known = withoutDate(type);
  return known === name || known.startsWith(`${name}_`);
}

function withoutDate(type: string): string {
  return type.replace(/_\d{8}$/, "");
}
