import { expect, test } from "vitest";
import { estimateInputTokens } from "@/lib/billing/token-estimate";
import type { JsonObject } from "@/lib/kernel/json-object";
import { protocols } from "@/lib/protocols/registry";

const withMargin = (tokens: number): number => tokens + Math.ceil(tokens / 10);
const estimate = (body: JsonObject, protocol: "chat" | "messages" = "chat"): number =>
  estimateInputTokens(body, protocols[protocol].promptFields);
const chat = (content: unknown) => ({ model: "gpt-main", messages: [{ role: "user", content }] });

test("text counts a third of a token per ASCII character and one and a half per other one", () => {
  expect(estimate(chat("a".repeat(300)))).toBe(withMargin(100 + 8 + 64));
  expect(estimate(chat("漢".repeat(100)))).toBe(withMargin(150 + 8 + 64));
  expect(estimate(chat(`${"a".repeat(30)}é漢`))).toBe(withMargin(10 + 3 + 8 + 64));
});

test("both protocols' ways to write the same prompt count the same", () => {
  const plain = estimate(chat("hello world"));
  expect(estimate(chat([{ type: "text", text: "hello world" }]))).toBe(plain);
  const system = {
    ...chat("hello"),
    system: [{ type: "text", text: " world", cache_control: { type: "ephemeral" } }],
  };
  expect(estimate(system, "messages")).toBe(plain);
});

test("an image counts by the piece, whatever the size of its data", () => {
  const data = "A".repeat(4_000_000);
  const expected = withMargin(1_600 + 8 + 64);
  expect(estimate(chat([{ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } }]))).toBe(
    expected,
  );
  expect(estimate(chat([{ type: "image", source: { type: "base64", media_type: "image/png", data } }]))).toBe(
    expected,
  );
});

test("an image inside a tool result is found", () => {
  const nested = [
    { type: "tool_result", tool_use_id: "", content: [{ type: "image", source: { data: "AAAA" } }] },
  ];
  expect(estimate(chat(nested))).toBe(withMargin(1_600 + 8 + 64));
});

test("a document counts by its size, well above its likely tokens", () => {
  const content = [{ type: "document", source: { type: "base64", data: "A".repeat(400_000) } }];
  const tokens = estimate(chat(content));
  expect(tokens).toBeGreaterThan(10_000);
  expect(tokens).toBeLessThan(20_000);
});

test("tools count by the length of their JSON", () => {
  const tools = [
    { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } },
  ];
  const bytes = JSON.stringify(tools).length;
  expect(estimate({ ...chat(""), tools })).toBe(withMargin(Math.ceil(bytes / 3) + 8 + 64));
});

test("ten mebibytes of any script are never estimated beyond the bound", () => {
  for (const text of ["a".repeat(10_000_000), "漢".repeat(3_400_000)])
    expect(estimate(chat(text))).toBeLessThanOrEqual(100_000_000);
});

test("deep nesting does not recurse", () => {
  let content: unknown = "x";
  for (let depth = 0; depth < 100_000; depth++) content = [content];
  expect(estimate(chat(content))).toBe(withMargin(1 + 8 + 64));
});
