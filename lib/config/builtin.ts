import type { NodeProtocol } from "@/lib/protocols/protocol";
import type { Settings } from "./env";
import { type ModelEntry, modelEntry, type NodeEntry, nodeEntry } from "./file-schema";

/** Nodes and models that the gateway adds itself; admins' changes to them stay. */
export interface BuiltinCatalog {
  nodes: NodeEntry[];
  models: ModelEntry[];
}

/** List prices in US cents per million tokens, November 2026. */
interface ListedModel {
  alias: string;
  displayName: string;
  contextWindow: number;
  maxOutputTokens: number;
  usCents: { input: number; output: number; cacheRead: number; cacheWrite?: number };
}

const OPENAI_MODELS: readonly ListedModel[] = [
  listed("gpt-5.2", "GPT-5.2", 400_000, 128_000, { input: 175, output: 1400, cacheRead: 17.5 }),
  listed("gpt-5-mini", "GPT-5 mini", 400_000, 128_000, { input: 25, output: 200, cacheRead: 2.5 }),
  listed("gpt-4.1-mini", "GPT-4.1 mini", 1_047_576, 32_768, { input: 40, output: 160, cacheRead: 10 }),
];

const ANTHROPIC_MODELS: readonly ListedModel[] = [
  listed("claude-opus-4-5", "Claude Opus 4.5", 200_000, 64_000, {
    input: 500,
    output: 2500,
    cacheRead: 50,
    cacheWrite: 625,
  }),
  listed("claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000, 64_000, {
    input: 300,
    output: 1500,
    cacheRead: 30,
    cacheWrite: 375,
  }),
  listed("claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000, {
    input: 100,
    output: 500,
    cacheRead: 10,
    cacheWrite: 125,
  }),
];

function listed(
  alias: string,
  displayName: string,
  contextWindow: number,
  maxOutputTokens: number,
  usCents: ListedModel["usCents"],
): ListedModel {
  return { alias, displayName, contextWindow, maxOutputTokens, usCents };
}

/**
 * Nodes and models for `OPENAI_API_KEY` and `ANTHROPIC_API_KEY`; none when there is a configuration file.
 * Source: docs/contract.md#s2.
 */
export function environmentCatalog(settings: Settings): BuiltinCatalog {
  const { openaiApiKey, anthropicApiKey, usdCnyMillionths } = settings;
  if (settings.configFile !== null) return { nodes: [], models: [] };
  const openai = vendorCatalog(
    { name: "openai", protocol: "chat", baseUrl: "https://api.openai.com/v1", apiKey: openaiApiKey },
    OPENAI_MODELS,
    usdCnyMillionths,
  );
  const anthropic = vendorCatalog(
    {
      name: "anthropic",
      protocol: "messages",
      baseUrl: "https://api.anthropic.com",
      apiKey: anthropicApiKey,
    },
    ANTHROPIC_MODELS,
    usdCnyMillionths,
  );
  return { nodes: [...openai.nodes, ...anthropic.nodes], models: [...openai.models, ...anthropic.models] };
}

function vendorCatalog(
  node: { name: string; protocol: NodeProtocol; baseUrl: string; apiKey: string | null },
  models: readonly ListedModel[],
  usdCnyMillionths: bigint,
): BuiltinCatalog {
  if (node.apiKey === null) return { nodes: [], models: [] };
  return {
    nodes: [nodeEntry.parse(node)],
    models: models.map(({ usCents, ...model }) =>
      modelEntry.parse({
        ...model,
        prices: converted(usCents, usdCnyMillionths),
        routes: [{ node: node.name, model: model.alias }],
      }),
    ),
  };
}

function converted(usCents: ListedModel["usCents"], usdCnyMillionths: bigint): Record<string, number> {
  return Object.fromEntries(
    Object.entries(usCents).map(([kind, cents]) => [kind, inCny(cents, usdCnyMillionths)]),
  );
}

/** Rounds up to the third decimal, the precision of prices. */
function inCny(usCents: number, usdCnyMillionths: bigint): number {
  const thousandths = BigInt(Math.round(usCents * 1000)) * usdCnyMillionths;
  return Number((thousandths + 999_999n) / 1_000_000n) / 1000;
}

const DEMO_PRICES = { input: 100, output: 400, cacheRead: 10, cacheWrite: 125 };

/** Units: micro-cents per call. */
const DEMO_CALL_PRICES = {
  webSearch: 1_000_000,
  fileSearch: 250_000,
  codeInterpreter: 3_000_000,
  imageGeneration: 4_000_000,
};

/** A text that no answer contains, because a node's key is redacted in every shown text. */
const DEMO_KEY = "demo-provider-needs-no-key";

/** Nodes and aliases of the simulated provider at `url`. Source: docs/contract.md#s2 (`DEMO_PROVIDER`). */
export function demoCatalog(url: string): BuiltinCatalog {
  const chat = { node: "demo-chat-node", model: "sim-chat+every-5ms" };
  const messages = { node: "demo-messages-node", model: "sim-messages+every-5ms" };
  const responses = { node: "demo-responses-node", model: "sim-responses+every-5ms" };
  return {
    nodes: [
      nodeEntry.parse({ name: chat.node, protocol: "chat", baseUrl: `${url}/v1`, apiKey: DEMO_KEY }),
      nodeEntry.parse({ name: messages.node, protocol: "messages", baseUrl: url, apiKey: DEMO_KEY }),
      nodeEntry.parse({
        name: responses.node,
        protocol: "responses",
        baseUrl: `${url}/v1`,
        apiKey: DEMO_KEY,
      }),
    ],
    models: [
      demoModel("demo-chat", "Demo, chat protocol", [chat]),
      demoModel("demo-messages", "Demo, messages protocol", [messages]),
      demoModel("demo-responses", "Demo, Responses protocol", [responses], {
        prices: { ...DEMO_PRICES, perCall: DEMO_CALL_PRICES },
      }),
      demoModel("demo-mixed", "Demo, a chat node with failover to a messages node", [
        chat,
        { ...messages, priority: 1 },
      ]),
      demoModel("claude-demo", "Demo for clients that list claude models only", [messages]),
      demoModel("demo-failover", "Demo of a failing first node", [
        { node: chat.node, model: "sim-503" },
        { ...messages, priority: 1 },
      ]),
      demoModel("demo-embedding", "Demo, embeddings", [{ ...chat, model: "sim-embedding" }], {
        kind: "embedding",
        contextWindow: 8192,
        maxOutputTokens: null,
        prices: { input: 10, output: 0 },
      }),
    ],
  };
}

function demoModel(alias: string, displayName: string, routes: object[], others: object = {}): ModelEntry {
  return modelEntry.parse({
    alias,
    displayName,
    contextWindow: 200_000,
    maxOutputTokens: 8192,
    prices: DEMO_PRICES,
    routes,
    ...others,
  });
}
