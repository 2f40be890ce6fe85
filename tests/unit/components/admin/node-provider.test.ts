import { describe, expect, test } from "vitest";
import { draftOf, type NodeDraft, nodeBody } from "@/components/admin/nodes/node-draft";
import {
  nameFor,
  type ProvidedFields,
  withProtocol,
  withProvider,
} from "@/components/admin/nodes/node-provider";
import { quirksOf } from "@/components/admin/nodes/provider-note";
import { requestErrors } from "@/components/forms/request-errors";
import { adminNodes } from "@/components/i18n/en/admin-nodes";
import { providers } from "@/lib/protocols/profiles/providers";

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

test("choosing a provider names a node that has no name, or that of the provider before", () => {
  expect(nameFor("groq", " ", "")).toBe("groq");
  expect(nameFor("anthropic", "groq", "groq")).toBe("anthropic");
  expect(nameFor("anthropic", "mine", "groq")).toBe("mine");
  expect([nameFor("other", "", ""), nameFor("", "", "")]).toEqual(["", ""]);
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
  const errorsOf = (fields: Partial<NodeDraft>) =>
    requestErrors("POST /api/admin/nodes", nodeBody({ ...draftOf(null), name: "n", ...fields }));

  test("takes an api-version in the address, and no other query", () => {
    const baseUrl = "https://mine.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21";
    expect(errorsOf({ baseUrl, provider: "azure" })).toEqual({});
    expect(errorsOf({ baseUrl })).toEqual({});
    expect(Object.keys(errorsOf({ baseUrl: "https://x.example/v1?key=1" }))).toEqual(["baseUrl"]);
  });

  test("reads headers by lines, and refuses what is none", () => {
    const baseUrl = "https://x.example/v1";
    const { headers } = nodeBody({ ...draftOf(null), headers: "X-Team: red\n\n x-other :  1:2 " });
    expect(headers).toEqual({ "X-Team": "red", "x-other": "1:2" });
    expect(Object.keys(errorsOf({ baseUrl, headers: "no header" }))).toEqual(["headers"]);
    expect(Object.keys(errorsOf({ baseUrl, timeouts: { ...draftOf(null).timeouts, idleMs: "0" } }))).toEqual([
      "timeouts.idleMs",
    ]);
  });

  test("sends a key only when one is typed or the stored one is to go", () => {
    expect(nodeBody(draftOf(null)).apiKey).toBeUndefined();
    expect(nodeBody({ ...draftOf(null), apiKey: " sk-1 " }).apiKey).toBe("sk-1");
    expect(nodeBody({ ...draftOf(null), clearKey: true }).apiKey).toBeNull();
  });
});

describe("what is done differently for a provider", () => {
  const quirks = (id: string, protocol: "chat" | "messages" | "responses") => {
    const provider = providers.find((one) => one.id === id);
    return provider === undefined ? [] : quirksOf(provider, protocol, adminNodes.quirks);
  };

  test("is told for every provider with something special", () => {
    for (const provider of providers) {
      if (provider.id === "other") continue;
      for (const protocol of ["chat", "messages", "responses"] as const) {
        const facts = provider.facts?.find((fact) => fact.protocol === protocol);
        const special = facts ?? provider.usage ?? provider.note ?? provider.query;
        if (provider.apis[protocol] === undefined || special === undefined) continue;
        const told = quirksOf(provider, protocol, adminNodes.quirks);
        expect([provider.id, protocol, told.length > 0]).toEqual([provider.id, protocol, true]);
      }
    }
  });

  test("names the header of the key, refused fields and the field for reasoning", () => {
    expect(quirks("azure", "chat")).toContain("The key goes into the header api-key.");
    expect(quirks("fireworks", "messages")).toContain("The key goes into the header Authorization: Bearer.");
    expect(quirks("groq", "chat").join()).toContain("logprobs, top_logprobs, logit_bias, messages[].name");
    expect(quirks("siliconflow", "chat").join()).toContain(
      "For some models: Reasoning is asked for with the field enable_thinking.",
    );
    expect(quirks("openai", "chat")).toEqual([]);
  });
});
