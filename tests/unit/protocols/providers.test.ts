import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { profileFor } from "@/lib/protocols/profiles/families";
import { mayReason } from "@/lib/protocols/profiles/profile";
import { exampleBaseUrl, providerOf, providerProblem } from "@/lib/protocols/profiles/provider";
import { type Provider, providers } from "@/lib/protocols/profiles/providers";

const DOCUMENT = "docs/protocols.md";
const BEGIN = "<!-- providers: begin -->\n";
const END = "<!-- providers: end -->";

const found = (baseUrl: string) => providerOf({ provider: null, baseUrl }).id;
const byId = (id: string) => providerOf({ provider: id, baseUrl: "https://x.example" });
const filled = (template: string) => template.replace(/\{\w+\}/g, "mine");
const chatProfile = (provider: string, model: string) => profileFor(model, "chat", {}, byId(provider).facts);

describe.each(providers.map((provider) => [provider.id, provider] as const))("%s", (id, provider) => {
  test.each(provider.hosts.map((host) => [host]))("is found by its host %s", (host) => {
    const baseUrl = host.startsWith(":")
      ? `http://box.example${host}`
      : `https://${host.replaceAll("*", "a-b.c")}`;
    for (const address of [baseUrl, `${baseUrl}/v1`, baseUrl.toUpperCase().replace("HTTP", "http")])
      expect([address, found(address)]).toEqual([address, id]);
  });

  test("is found by the addresses that its presets have, where its hosts are its own", () => {
    for (const { baseUrl } of Object.values(provider.apis)) {
      const expected = provider.hosts.length === 0 ? "other" : id;
      if (baseUrl !== "") expect([baseUrl, found(filled(baseUrl))]).toEqual([baseUrl, expected]);
    }
  });

  test("takes its own presets once they are filled in", () => {
    for (const protocol of ["chat", "messages", "responses"] as const) {
      const baseUrl = provider.apis[protocol]?.baseUrl;
      if (!baseUrl) continue;
      expect(providerProblem({ provider: id, protocol, baseUrl: filled(baseUrl) })).toBeNull();
      const gap = /\{\w+\}/.exec(baseUrl);
      if (gap !== null)
        expect(providerProblem({ provider: id, protocol, baseUrl })).toEqual({
          field: "baseUrl",
          message: `must have your own value in place of ${gap[0]}`,
        });
    }
  });

  test("has facts only for protocols that it speaks, and nothing that the profile lacks", () => {
    for (const { protocol, set } of provider.facts ?? []) {
      expect(provider.apis[protocol]).toBeDefined();
      expect(Object.keys(profileFor("any", protocol, {}))).toEqual(expect.arrayContaining(Object.keys(set)));
    }
  });
});

describe("a host", () => {
  test.each([
    "https://anthropic.com.example.org",
    "https://xanthropic.com",
    "http://api.anthropic.com",
    "http://127.0.0.1:1/api.anthropic.com",
    "https://example.org/?api.openai.com",
    "https://api.openai.com.example.org/v1",
    "https://openai.azure.com.example.org",
    "http://127.0.0.1:1434/v1",
    "http://11434.example.org:8080/v1",
  ])("that only looks like one of a provider is nobody's: %s", (baseUrl) => {
    expect(found(baseUrl)).toBe("other");
  });

  test("counts only where the node does not say who runs it", () => {
    const baseUrl = "https://api.groq.com/openai/v1";
    expect(providerOf({ provider: "other", baseUrl }).id).toBe("other");
    expect(providerOf({ provider: "vllm", baseUrl: "https://gpu.example" }).id).toBe("vllm");
    expect(providerOf({ provider: "of-a-later-version", baseUrl }).id).toBe("groq");
  });
});

describe("a node that does not fit its provider", () => {
  const deployment = "https://mine.openai.azure.com/openai/deployments/gpt";

  test("of Azure is told of the missing api-version, whether it says Azure or is found", () => {
    const message =
      "must end with ?api-version=, such as ?api-version=2024-10-21: Azure OpenAI wants it below /openai/deployments/";
    for (const provider of ["azure", null]) {
      for (const baseUrl of [deployment, `${deployment}?api-version=`])
        expect(providerProblem({ provider, protocol: "chat", baseUrl })).toEqual({
          field: "baseUrl",
          message,
        });
      const baseUrl = `${deployment}?api-version=2024-10-21`;
      expect(providerProblem({ provider, protocol: "chat", baseUrl })).toBeNull();
    }
  });

  test("may not carry query parameters that its provider does not know", () => {
    const baseUrl = "https://api.groq.com/openai/v1?api-version=1";
    expect(providerProblem({ provider: null, protocol: "chat", baseUrl })).toEqual({
      field: "baseUrl",
      message: "must be without the query parameter api-version",
    });
  });

  test("is told which protocols a provider speaks that it names, and may try what it likes unnamed", () => {
    const node = { protocol: "messages" as const, baseUrl: "https://api.groq.com" };
    expect(providerProblem({ ...node, provider: "groq" })).toEqual({
      field: "protocol",
      message: "must be chat or responses: Groq speaks no other",
    });
    expect(providerProblem({ ...node, provider: null })).toBeNull();
  });
});

describe("what a provider refuses", () => {
  it.each([
    ["groq", "llama-3.3-70b-versatile", ["logprobs", "top_logprobs", "logit_bias", "messages[].name"]],
    ["mistral", "mistral-large-latest", ["messages[user].name"]],
    ["xai", "grok-4", ["presence_penalty", "frequency_penalty", "stop", "reasoning_effort"]],
    ["xai", "grok-4-fast-reasoning", ["presence_penalty", "frequency_penalty", "stop", "reasoning_effort"]],
    ["xai", "grok-4-fast-non-reasoning", ["reasoning_effort"]],
    ["xai", "grok-3-mini", ["presence_penalty", "frequency_penalty", "stop"]],
    ["xai", "grok-3", ["reasoning_effort"]],
    ["xai", "grok-4.3", ["presence_penalty", "frequency_penalty", "stop"]],
    ["azure", "deepseek-v4-pro", ["prompt_cache_key", "thinking", "prompt_cache_retention"]],
    ["azure", "kimi-k2.5", ["prompt_cache_key"]],
    ["azure", "gpt-5.2", []],
    ["other", "grok-4", []],
    ["openrouter", "x-ai/grok-4", []],
  ])("at %s depends on the model: %s", (provider, model, refused) => {
    expect(chatProfile(provider, model).refusedFields).toEqual(refused);
  });

  it("is what the alias says, when it says something", () => {
    const overrides = { refusedFields: [] };
    expect(profileFor("llama", "chat", overrides, byId("groq").facts).refusedFields).toEqual([]);
  });
});

it("DeepSeek at Azure is asked to reason with the word of Azure", () => {
  const profile = chatProfile("azure", "deepseek-v4-pro");
  expect(profile).toMatchObject({
    reasoningSwitch: "reasoning_effort",
    effortLevels: ["low", "medium", "high"],
  });
  expect(mayReason(profile)).toBe(true);
  expect(chatProfile("deepseek", "deepseek-v4-pro").reasoningSwitch).toBe("thinking");
});

it("DeepSeek and GLM at SiliconFlow are asked to reason with its own field", () => {
  for (const model of ["Pro/deepseek-ai/DeepSeek-V3.2", "zai-org/GLM-5.2"])
    expect([model, chatProfile("siliconflow", model)]).toMatchObject([
      model,
      { reasoningSwitch: "enable_thinking", thinking: ["enabled", "disabled"] },
    ]);
});

it("Ollama gets images as data only", () => {
  expect(chatProfile("ollama", "llava").imageUrl).toBe(false);
  expect(chatProfile("other", "llava").imageUrl).toBe(true);
});

it("only Anthropic hears which of its programs is calling", () => {
  for (const provider of providers) {
    const { vendorHeaders } = profileFor("claude-opus-5", "messages", {}, provider.facts);
    expect([provider.id, vendorHeaders]).toEqual([provider.id, provider.id === "anthropic"]);
  }
});

it("the document of protocols has every provider's row", () => {
  const document = readFileSync(DOCUMENT, "utf8");
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END);
  expect(from, `${DOCUMENT} holds ${BEGIN}`).toBeGreaterThan(0);
  if (process.env.UPDATE_DOCS === "1") {
    writeFileSync(DOCUMENT, document.slice(0, from + BEGIN.length) + table() + document.slice(to));
    return;
  }
  expect(
    document.slice(from + BEGIN.length, to),
    "run UPDATE_DOCS=1 npx vitest run tests/unit/protocols/providers.test.ts",
  ).toBe(table());
});

function table(): string {
  const rows = providers.map((provider) => {
    const cells = [idOf(provider), ofHosts(provider), ofApis(provider), ofFacts(provider)];
    return `| ${cells.map((cell) => cell || "–").join(" | ")} |`;
  });
  return ["| provider | found by | base URL, credential | special |", "|---|---|---|---|", ...rows, ""].join(
    "\n",
  );
}

function idOf({ id, label, docs }: Provider): string {
  return docs === "" ? `\`${id}\` ${label}` : `\`${id}\` [${label}](${docs})`;
}

function ofHosts({ hosts }: Provider): string {
  return hosts.map((host) => `\`${host}\``).join(", ");
}

function ofApis({ apis, query = {} }: Provider): string {
  const own = Object.entries(apis).flatMap(([protocol, { baseUrl, credential }]) => {
    if (baseUrl === "") return [];
    return [`${protocol}: \`${baseUrl}\`${credential === undefined ? "" : `, \`${credential}\``}`];
  });
  const needed = Object.entries(query).map(
    ([name, { neededBelow }]) => `\`?${name}=\` below \`${neededBelow}\``,
  );
  return [...own, ...needed].join("<br>");
}

function ofFacts({ facts = [], usage, note }: Provider): string {
  const told = facts.map(({ protocol, models, set }) => {
    const { refusedFields = [], ...profile } = set;
    const parts = [
      ...(refusedFields.length === 0
        ? []
        : [`refuses ${refusedFields.map((field) => `\`${field}\``).join(", ")}`]),
      ...Object.entries(profile).map(([flag, value]) => `\`${flag}\`: ${JSON.stringify(value)}`),
    ];
    const which = models === undefined ? "" : ` (\`${models.source.replaceAll("|", "\\|")}\`)`;
    return `${protocol}${which}: ${parts.join("; ")}`;
  });
  return [
    ...told,
    ...(usage === undefined ? [] : [`usage: ${usage}`]),
    ...(note === undefined ? [] : [note]),
  ].join("<br>");
}

test("the example of a base URL has the version where the protocol's paths have none", () => {
  expect(exampleBaseUrl("chat")).toBe("https://api.openai.com/v1");
  expect(exampleBaseUrl("messages")).toBe("https://api.anthropic.com");
  expect(exampleBaseUrl("responses")).toBe("https://api.openai.com/v1");
});
