import type { JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { Tool } from "@/lib/protocols/kit/tool";
import { type JsonErrorPlace, jsonErrorPlace } from "@/lib/shared/json-error";

/** A tool to begin with. */
export const exampleTools = JSON.stringify(
  [
    {
      name: "get_weather",
      description: "The current weather of a city.",
      parameters: {
        type: "object",
        properties: { city: { type: "string", description: "Such as Hangzhou" } },
        required: ["city"],
      },
    },
  ],
  null,
  2,
);

/** Why a text describes no tools; `index` counts from 1. */
export type ToolsProblem =
  | ({ kind: "json" | "jsonEnd" } & JsonErrorPlace)
  | { kind: "list" }
  | { kind: "name" | "parameters"; index: number };

/**
 * The tools of a JSON text, an array of `{name, description, parameters}`, or of the form of any of the protocols;
 * none for an empty one.
 */
export function readTools(text: string): { tools: Tool[] } | { problem: ToolsProblem } {
  if (text.trim() === "") return { tools: [] };
  const list = parseJson(text);
  if (list === undefined) {
    const place = jsonErrorPlace(text);
    return { problem: { kind: place.found === "" ? "jsonEnd" : "json", ...place } };
  }
  if (!Array.isArray(list)) return { problem: { kind: "list" } };
  const tools: Tool[] = [];
  for (const [position, entry] of list.entries()) {
    const index = position + 1;
    const given = isRecord(entry) && isRecord(entry.function) ? entry.function : entry;
    if (!isRecord(given) || typeof given.name !== "string" || !isToolName(given.name))
      return { problem: { kind: "name", index } };
    const {
      name,
      description,
      parameters = given.input_schema ?? { type: "object", properties: {} },
    } = given;
    if (!isRecord(parameters)) return { problem: { kind: "parameters", index } };
    tools.push({ name, description: typeof description === "string" ? description : undefined, parameters });
  }
  return { tools };
}

/** Whether a tool can be called so. */
export function isToolName(name: string): boolean {
  return /^[\w-]{1,64}$/.test(name);
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
