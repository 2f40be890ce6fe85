import type { JsonObject } from "../../lib/kernel/json-object";
import { objectOf, objectsOf, textOf, textsOf } from "./json";

const MAX_DEPTH = 8;

/** What a made-up value may draw on. */
export interface Hints {
  prompt: string;
  /** Which of several values of one kind to take, e.g. the second city. */
  ordinal: number;
}

/** A value that satisfies a JSON schema and looks as if the prompt had led to it. Deterministic. */
export function plausibleValue(schema: JsonObject, hints: Hints, name = "", depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0)
    return schema.enum[hints.ordinal % schema.enum.length];
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  const choice = objectsOf(schema.anyOf ?? schema.oneOf)[0];
  if (choice) return plausibleValue(choice, hints, name, depth + 1);
  switch (typeOf(schema)) {
    case "object":
      return depth < MAX_DEPTH ? plausibleObject(schema, hints, depth) : {};
    case "array":
      return depth < MAX_DEPTH ? [plausibleValue(objectOf(schema.items), hints, name, depth + 1)] : [];
    case "integer":
    case "number":
      return plausibleNumber(schema, hints.ordinal);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return plausibleText(name, textOf(schema.format), hints);
  }
}

function typeOf(schema: JsonObject): string {
  const type = textsOf(schema.type)[0];
  return type ?? (schema.properties === undefined ? "string" : "object");
}

function plausibleObject(schema: JsonObject, hints: Hints, depth: number): JsonObject {
  const properties = objectOf(schema.properties);
  const required = textsOf(schema.required);
  const wanted = Object.keys(properties).filter((name) => required.length === 0 || required.includes(name));
  return Object.fromEntries(
    wanted.map((name) => [name, plausibleValue(objectOf(properties[name]), hints, name, depth + 1)]),
  );
}

function plausibleNumber(schema: JsonObject, ordinal: number): number {
  const low = Number(schema.minimum ?? Number(schema.exclusiveMinimum ?? 0) + 1);
  return Math.min(low + ordinal, Number(schema.maximum ?? low + ordinal));
}

function plausibleText(name: string, format: string, hints: Hints): string {
  if (format === "date") return "2026-01-31";
  if (format === "date-time") return "2026-01-31T12:00:00Z";
  if (format === "email") return "someone@example.org";
  if (format === "uri" || /url|link/i.test(name)) return "https://example.org/";
  if (/city|location|place|country|town|destination/i.test(name)) return placeFor(hints);
  if (/path|file/i.test(name)) return "README.md";
  if (/command|script/i.test(name)) return "echo simulated";
  if (/expression|formula/i.test(name)) return /[\d.]+\s*[-+*/]\s*[\d.]+/.exec(hints.prompt)?.[0] ?? "1 + 1";
  return hints.prompt.slice(0, 60).trim() || "simulated";
}

function placeFor(hints: Hints): string {
  const places = placesIn(hints.prompt);
  return (
    places[hints.ordinal % Math.max(places.length, 1)] ?? ["Paris", "Tokyo"][hints.ordinal % 2] ?? "Paris"
  );
}

/** Names of places a prompt mentions: capitalised words after in, for, of, at, and, or a comma. */
export function placesIn(prompt: string): string[] {
  const found = prompt.matchAll(
    /(?:\b(?:in|for|of|at|and)|,)\s+((?:\p{Lu}[\p{L}'-]+)(?:\s\p{Lu}[\p{L}'-]+)*)/gu,
  );
  return [...new Set([...found].map((match) => match[1] ?? ""))];
}
