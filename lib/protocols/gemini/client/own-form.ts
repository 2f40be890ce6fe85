import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { OwnForm } from "@/lib/protocols/adapters/client-request";

/** Members whose content belongs to the caller: its names stay as they are. */
const opaque: ReadonlySet<string> = new Set([
  "args",
  "response",
  "parametersJsonSchema",
  "responseJsonSchema",
  "partMetadata",
  "labels",
  "default",
  "example",
  "enum",
  "headers",
]);

/** Members that are maps of schemas: names belong to the caller, values do not. */
const maps: ReadonlySet<string> = new Set(["properties", "defs", "$defs"]);

const snakeCase = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;

/**
 * A body with all names in camelCase and `contents` as a list, both of which this protocol leaves to its clients; a
 * count may hold the whole request as `generateContentRequest`. Null: the body has this form.
 * Throws: INVALID_REQUEST for a field that is there under both names. Source: docs/gemini.md#fields.
 */
export function geminiForm(received: JsonObject): OwnForm | null {
  const named = renamed(received, "");
  const { generateContentRequest: inner, ...outer } = named;
  const body = isObject(inner) && named.contents === undefined ? { ...inner, ...outer } : named;
  const { contents, systemInstruction } = body;
  const changed: JsonObject = {};
  if (isObject(contents)) changed.contents = [contents];
  if (typeof systemInstruction === "string")
    changed.systemInstruction = { parts: [{ text: systemInstruction }] };
  if (body === received && Object.keys(changed).length === 0) return null;
  return { body: { ...body, ...changed }, losses: [] };
}

/** The object with renamed members; the same one where nothing changes. */
function renamed(object: JsonObject, path: string): JsonObject {
  const entries = Object.entries(object);
  let changed = false;
  const kept = entries.map(([key, value]): [string, unknown] => {
    const name = snakeCase.test(key) ? camelCase(key) : key;
    if (name !== key && Object.hasOwn(object, name))
      throw invalid(`${path}${name}`, `${path}${name} must not be sent under two names.`);
    const inner = opaque.has(name) ? value : inside(value, `${path}${name}`, maps.has(name));
    changed ||= name !== key || inner !== value;
    return [name, inner];
  });
  return changed ? Object.fromEntries(kept) : object;
}

function inside(value: unknown, path: string, isMap: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => inside(item, `${path}[${index}]`, false));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  return isMap ? mapped(value, path) : renamed(value, `${path}.`);
}

function mapped(map: JsonObject, path: string): JsonObject {
  const entries = Object.entries(map).map(([name, value]): [string, unknown] => [
    name,
    inside(value, `${path}.${name}`, false),
  ]);
  return entries.every(([name, value]) => value === map[name]) ? map : Object.fromEntries(entries);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
