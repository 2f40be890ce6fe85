import { describe, expect, test } from "vitest";
import { draftOf, readNode } from "@/components/admin/nodes/node-draft";
import { type ProvidedFields, withProtocol, withProvider } from "@/components/admin/nodes/node-provider";
import { admin } from "@/components/i18n/en/admin";
import { adminNodes } from "@/components/i18n/en/admin-nodes";

const empty: ProvidedFields = { provider: "", protocol: "chat", baseUrl: "" };
const filled = (fields: ProvidedFields, part: Partial<ProvidedFields>) => ({ ...fields, ...part });

describe("choosing a provider", () => {
  test("fills in its address and its protocol", () => {
    const anthropic = filled(empty, withProvider(empty, "anthropic"));
    expect(anthropic).toEqual({
      provider: "anthropic",
      protocol: "messages",
      baseUrl: "https://api.anthropic.com",
    });
    expect(filled(anthropic, withProvider(anthropic, "groq"))).toEqual({
      provider: "groq",
      protocol: "chat",
      baseUrl: "https://api.groq.com/openai/v1",
    });
  });

  test("keeps an address that was typed, and its protocol where that is spoken", () => {
    const typed: ProvidedFields = { provider: "", protocol: "messages", baseUrl: "https://gpu.example" };
    expect(filled(typed, withProvider(typed, "vllm"))).toEqual({ ...typed, provider: "vllm" });
    expect(filled(typed, withProvider(typed, "groq"))).toEqual({
      ...typed,
      provider: "groq",
      protocol: "chat",
    });
    expect(filled(typed, withProvider(typed, ""))).toEqual(typed);
  });
});

test("choosing a protocol brings its address along, not over one that was typed", () => {
  const chosen = filled(empty, withProvider(empty, "openrouter"));
  expect(withProtocol(chosen, "messages")).toEqual({
    protocol: "messages",
    baseUrl: "https://openrouter.ai/api",
  });
  const typed = { ...chosen, baseUrl: "https://proxy.example" };
  expect(withProtocol(typed, "messages")).toEqual({ protocol: "messages" });
});

describe("a node's form", () => {
  const read = (fields: Partial<ProvidedFields>) =>
    readNode({ ...draftOf(null), name: "n", ...fields }, null, adminNodes, admin);

  test("asks for what a preset leaves open", () => {
    const azure = withProvider(empty, "azure");
    expect(read(azure)).toEqual({
      ok: false,
      errors: { baseUrl: ["Put your own value in place of {resource}."] },
    });
  });

  test("takes an api-version in the address, and no other query", () => {
    const baseUrl = "https://mine.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21";
    expect(read({ baseUrl, provider: "azure" })).toMatchObject({
      ok: true,
      body: { baseUrl, provider: "azure" },
    });
    expect(read({ baseUrl })).toMatchObject({ ok: true, body: { baseUrl, provider: null } });
    expect(read({ baseUrl: "https://x.example/v1?key=1" })).toMatchObject({ ok: false });
  });
});
