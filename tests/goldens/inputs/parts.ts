import type { Random } from "../random";
import type { JsonObject } from "../shapes";

const texts = [
  "Hello",
  "What is the weather in Paris?",
  "北京的天气如何？",
  "emoji 🌏 and é",
  'quotes " and \\ backslash\nnew line\ttab',
  "error: it failed",
  " Error in it",
  "trailing space ",
  "(conversation continued)",
  "data: [DONE]",
  "\u2028 separators \u2029",
];
const blanks = ["", " ", "\n", "\t \n"];
const ids = [
  "call_1",
  "call_2",
  "toolu_01A",
  "call_0",
  "call_0",
  "functions.Bash:0",
  "a.b",
  "a:b",
  "",
  "x".repeat(41),
];
const longId = `call_${"long-".repeat(18)}`;
const names = [
  "f",
  "g",
  "get_weather",
  "ns.do/it",
  "do it",
  "工具",
  "f_",
  `long_${"name_".repeat(17)}`,
  "lookup-2",
];

/** Words of any kind, at times none that can be seen. */
export function text(random: Random): string {
  if (random.chance(0.06)) return random.pick(blanks);
  if (random.chance(0.01)) return "long words ".repeat(40);
  return random.pick(texts);
}

export function callId(random: Random): string {
  return random.chance(0.05) ? longId : random.pick(ids);
}

export function toolName(random: Random): string {
  return random.pick(names);
}

export function cacheMark(random: Random): JsonObject {
  return random.maybe(0.12, () => ({
    cache_control: random.pick<unknown>([
      { type: "ephemeral" },
      { type: "ephemeral" },
      { type: "ephemeral", ttl: "1h" },
      { type: "ephemeral", ttl: "5m" },
      null,
    ]),
  }));
}

/** Bytes that begin like a file of some kind. */
const heads: Readonly<Record<string, string>> = {
  "image/png": "\x89PNG\r\n\x1a\n0000",
  "image/jpeg": "\xff\xd8\xff\xe000000000",
  "image/gif": "GIF89a0000000000",
  "image/webp": "RIFF0000WEBP0000",
  "image/bmp": "BM00000000000000",
  "image/tiff": "II*\x0000000000000",
  "image/heic": "0000ftypheic0000",
  "image/avif": "0000ftypavif0000",
  "video/mp4": "0000ftypisom0000",
  "application/pdf": "%PDF-1.7 0000000",
  "text/plain": "just some words.",
};

export function base64(random: Random, type?: string): string {
  const head = heads[type ?? random.pick(Object.keys(heads))] ?? "";
  const data = Buffer.from(head, "latin1").toString("base64");
  return random.chance(0.1) ? `${data.slice(0, 8)}\n ${data.slice(8)}` : data;
}

const goodImages = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** An image's type and bytes, which mostly agree. */
export function image(random: Random): { type: string; data: string } {
  const type = random.usual(goodImages, Object.keys(heads));
  return {
    type,
    data: base64(random, random.chance(0.9) ? type : random.usual(goodImages, Object.keys(heads))),
  };
}

export function dataUri(random: Random): string {
  const { type, data } = image(random);
  return random.make(
    () => `data:${type};base64,${data}`,
    () => `data:${type};base64,${data}`,
    () => `data:${type};base64,${data}`,
    () => `DATA:${type.toUpperCase()};charset=x; base64,${data}`,
    () => `data:image/jpg;base64,${data}`,
    () => `data:image/x-png;base64,${data.replaceAll("=", "%3D")}`,
    () =>
      random.usual([`data:image/gif;base64,${data}`], ["data:,plain%20words", "data:text/plain,päin words"]),
  );
}

export function url(random: Random): string {
  return random.usual(
    ["https://example.com/a.png", "HTTPS://example.com/b.jpg?x=1"],
    ["http://example.com/c.png", "ftp://example.com/d", ""],
  );
}

const leaf: readonly JsonObject[] = [
  { type: "string" },
  { type: "string", minLength: 1, description: "words" },
  { type: "integer", minimum: 0, maximum: 9 },
  { type: ["string", "null"] },
  { type: "string", format: "email" },
  { type: "string", format: "odd", examples: ["x"], $comment: "c" },
  { enum: ["a", "b"] },
  { oneOf: [{ type: "string", pattern: "^a" }, { type: "number" }] },
  { anyOf: [{ type: "string" }, { type: "object", properties: { q: { type: "number" } } }] },
  { type: "array", items: { type: "string", maxLength: 2 }, minItems: 1 },
  { type: "array", prefixItems: [{ type: "number" }], uniqueItems: true },
  { type: "object" },
  { type: "object", additionalProperties: { type: "string" } },
  { type: "object", patternProperties: { "^a": {} } },
  { $ref: "#/$defs/inner" },
  { $ref: "#" },
  { allOf: [{ type: "string" }], not: { const: "x" } },
];

/** A JSON schema of an object: closed, open, nested, recursive, with what not every upstream takes. */
export function schema(random: Random, depth = 0): JsonObject {
  if (depth === 0 && random.chance(0.05)) return {};
  if (depth === 0 && random.chance(0.04)) return { type: "object", properties: manyOptional };
  const properties: JsonObject = {};
  for (const name of ["a", "b", "c"].slice(0, 1 + random.below(3))) {
    properties[name] = depth < 2 && random.chance(0.2) ? schema(random, depth + 1) : random.pick(leaf);
  }
  const usesDefs = JSON.stringify(properties).includes("$defs");
  return {
    ...random.maybe(0.9, () => ({ type: "object" })),
    properties,
    ...random.maybe(0.7, () => ({ required: random.chance(0.7) ? Object.keys(properties) : ["a"] })),
    ...random.maybe(0.75, () => ({ additionalProperties: random.chance(0.15) })),
    ...random.maybe(0.1, () => ({ $schema: "https://json-schema.org/draft", $id: "s" })),
    ...random.maybe(0.1, () => ({ description: "An object.", minProperties: 1 })),
    ...(usesDefs ? { $defs: { inner: random.pick(innerSchemas) } } : {}),
  };
}

const manyOptional = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`p${at}`, { type: "string" }]),
);
const innerSchemas: readonly JsonObject[] = [
  { type: "string", maxLength: 3 },
  { type: "object", properties: { next: { $ref: "#/$defs/inner" } } },
  { type: "object", properties: { z: { type: "number" } }, required: ["z"], additionalProperties: false },
];

/** Arguments of a call as a model or a bad server writes them. */
export function callArguments(random: Random): unknown {
  return random.pick<unknown>([
    '{"a":1}',
    '{"a":"x","b":[1,2]}',
    "{}",
    "",
    " ",
    '{"a":',
    "[1]",
    '"x"',
    "null",
    { a: 1 },
  ]);
}

const strange: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e21,
  "",
  " ",
  "x",
  true,
  [],
  [null],
  [7],
  {},
  { type: "text" },
  [[1]],
  { a: { b: null } },
  "nul\0",
  "\ud800 alone",
  "y".repeat(200),
];

/** So many names of tools, no two alike but in a case that is not tame. */
export function toolNames(random: Random, most: number): string[] {
  if (random.wrong(0.1)) return random.many(0, most, () => toolName(random));
  return random.shuffled(names).slice(0, random.below(most + 1));
}

/** A copy of a body with one place exchanged for something strange. */
export function mutated(random: Random, body: JsonObject): JsonObject {
  const copy: JsonObject = structuredClone(body);
  let holder: object = copy;
  for (;;) {
    const keys = Object.keys(holder);
    if (keys.length === 0) return copy;
    const key = random.pick(keys);
    const inner: unknown = Reflect.get(holder, key);
    if (typeof inner === "object" && inner !== null && random.chance(0.85)) {
      holder = inner;
      continue;
    }
    Reflect.set(holder, key, random.pick(strange));
    return copy;
  }
}
