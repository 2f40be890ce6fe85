import { describe, expect, test } from "vitest";
import { dictionaries } from "@/components/i18n/dictionaries";
import { fill, plural } from "@/components/i18n/fill";
import { pickLocale } from "@/components/i18n/locale";
import { fieldDescriptions } from "@/lib/api/openapi/describe-fields";
import { openApiDocument } from "@/lib/api/openapi/document";

/** Every text of a dictionary with its path. */
function texts(value: unknown, path = ""): Array<[string, string]> {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => texts(inner, `${path}.${name}`));
}

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
}

describe("the two dictionaries", () => {
  const english = new Map(texts(dictionaries.en));
  // The reference takes its English from the OpenAPI document, so only translations stand here.
  const fromDocument = /^\.reference\.(summaries|tags|fields)\./;
  const chinese = new Map(texts(dictionaries["zh-CN"]).filter(([path]) => !fromDocument.test(path)));

  test("have the same members", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test("fill the same placeholders, but for the count of a singular", () => {
    for (const [path, text] of english) {
      if (path.endsWith(".one")) continue;
      expect(placeholders(chinese.get(path) ?? ""), path).toEqual(placeholders(text));
    }
  });

  test("have no empty text", () => {
    for (const [path, text] of [...english, ...chinese]) expect(text.trim(), path).not.toBe("");
  });

  test("are really translated", () => {
    const names = new Set([
      "Base URL",
      "Claude Code",
      "Chat completions",
      "Chat Completions",
      "Anthropic SDKs",
      "Python SDK",
      "Node SDK",
    ]);
    const same = [...english].filter(
      ([path, text]) => /[a-z]{4,} [a-z]{3,}/i.test(text) && !names.has(text) && chinese.get(path) === text,
    );
    expect(same).toEqual([]);
  });
});

test("every operation and part of the API has a name in Chinese", () => {
  const document = openApiDocument("http://gateway.test", "1.0.0");
  const { summaries, tags } = dictionaries["zh-CN"].reference;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  // A PUT is named by its PATCH.
  const ids = operations.map(({ operationId }) => operationId.replace(/Put$/, ""));
  expect(ids.filter((id) => summaries[id] === undefined)).toEqual([]);
  expect(document.tags.map(({ name }) => name).filter((name) => tags[name] === undefined)).toEqual([]);
});

test("every parameter says beside its schema what it means", () => {
  const bare = parameters().filter(({ description }) => typeof description !== "string");
  expect(bare.map(({ name }) => name)).toEqual([]);
});

test("every shared description of a field and every one of a parameter is translated, and no other", () => {
  const translated = Object.keys(dictionaries["zh-CN"].reference.fields);
  const ofParameters = parameters().map(({ description }) => String(description));
  const all = [...Object.values(fieldDescriptions), ...ofParameters];
  expect(translated.sort()).toEqual([...new Set(all)].sort());
});

function parameters() {
  const { paths } = openApiDocument("http://gateway.test", "1.0.0");
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => operation.parameters ?? []),
  );
}

test("every member that programs with a key send or get has a description", () => {
  const document = openApiDocument("http://gateway.test", "1.0.0");
  const bare: string[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === "properties") {
        for (const [field, schema] of Object.entries<object>(member))
          if (!("description" in schema || "$ref" in schema)) bare.push(`${path}.${field}`);
      }
      look(member, name === "properties" ? path : `${path}.${name}`);
    }
  };
  for (const [path, methods] of Object.entries(document.paths))
    if (path.startsWith("/v1/")) look(methods, path);
  expect(bare).toEqual([]);
});

describe("messages", () => {
  test("plurals follow the language", () => {
    const message = { one: "{count} key", other: "{count} keys" };
    expect(plural(message, 1, "en")).toBe("1 key");
    expect(plural(message, 0, "en")).toBe("0 keys");
    expect(plural(message, 1234, "en")).toBe("1,234 keys");
  });

  test("values go in as they are, and nothing is filled twice", () => {
    expect(fill("{a} and {b}", { a: "{b}", b: "$&" })).toBe("{b} and $&");
    expect(fill("{unknown}", {})).toBe("{unknown}");
  });

  test("a number with a Chinese unit takes no space before Chinese", () => {
    const message = "共 {count} 个 Token";
    expect(fill(message, { count: "446.6万" })).toBe("共 446.6万个 Token");
    expect(fill(message, { count: 12 })).toBe("共 12 个 Token");
    expect(fill("在 {time} 后离开", { time: "4.0 秒" })).toBe("在 4.0 秒后离开");
    expect(fill("套餐 {plan} 允许", { plan: "专业版" })).toBe("套餐 专业版 允许");
  });
});

describe("the language", () => {
  test("is the cookie's, else the best of Accept-Language, else English", () => {
    expect(pickLocale("zh-CN", "en")).toBe("zh-CN");
    expect(pickLocale("xx", "fr, zh-TW;q=0.8, en;q=0.9")).toBe("en");
    expect(pickLocale(undefined, "zh;q=0.9, en;q=0.1")).toBe("zh-CN");
    expect(pickLocale(undefined, null)).toBe("en");
    expect(pickLocale(undefined, "fr")).toBe("en");
  });
});
