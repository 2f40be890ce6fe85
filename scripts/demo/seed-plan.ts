import { type ModelEntry, modelEntry } from "@/lib/config/file-schema";
import type { BudgetEach, BudgetMode, BudgetPeriod, BudgetUnit } from "@/lib/shared/budget-words";

/** A key of the demo; `share` is its part of the account's traffic. */
export interface DemoKey {
  name: string;
  share: number;
  state: "active" | "disabled" | "expired" | "exhausted";
  models: string[] | null;
  /** Absent: that of its account. */
  planId?: number;
}

/** An account of the demo; the first one is the admin's own. */
export interface DemoPerson {
  username: string | null;
  planId: number;
  weight: number;
  quotaCents: number;
  keys: readonly DemoKey[];
}

/** A project of the demo: who pays it (null: the admin), who is in it, and its keys with their makers. */
export interface DemoProject {
  payer: string | null;
  name: string;
  costCentre: string;
  members: Readonly<Record<string, "owner" | "member">>;
  keys: Readonly<Record<string, string | null>>;
}

/** The projects of the demo. */
export const demoProjects: readonly DemoProject[] = [
  {
    payer: null,
    name: "Product",
    costCentre: "4711",
    members: { platform: "owner", lin: "member" },
    keys: { Production: null, Staging: "lin" },
  },
  {
    payer: "platform",
    name: "Customer search",
    costCentre: "4712",
    members: { maria: "member" },
    keys: { "API backend": "maria" },
  },
];

/** The name of the key that calls while the demo runs. */
export const LIVE_KEY = "Live traffic";

/** The ids of the plans that every installation begins with. */
const [FREE, STARTER, PRO, ENTERPRISE] = [1, 2, 3, 4];

/** The accounts of the demo and their keys, with one key in every state. */
export const demoPeople: readonly DemoPerson[] = [
  {
    username: null,
    planId: PRO,
    weight: 6,
    quotaCents: 50_000,
    keys: [
      { name: "Production", share: 6, state: "active", models: null },
      { name: "Staging", share: 2, state: "active", models: ["sim-large", "sim-small"], planId: STARTER },
      { name: "Trial with a small quota", share: 1, state: "exhausted", models: null, planId: FREE },
      { name: "Former contractor", share: 1, state: "disabled", models: null },
      { name: "Conference demo", share: 1, state: "expired", models: ["claude-sim"], planId: FREE },
      { name: "Never used", share: 0, state: "active", models: null },
      { name: LIVE_KEY, share: 0, state: "active", models: null },
    ],
  },
  {
    username: "platform",
    planId: ENTERPRISE,
    weight: 5,
    quotaCents: 60_000,
    keys: [
      { name: "API backend", share: 5, state: "active", models: null },
      { name: "Nightly evaluation", share: 2, state: "active", models: ["sim-small", "claude-sim"] },
      { name: "Retrieval", share: 2, state: "active", models: ["sim-embedding", "sim-small"] },
    ],
  },
  {
    username: "support",
    planId: STARTER,
    weight: 4,
    quotaCents: 30_000,
    keys: [
      { name: "Chat widget", share: 4, state: "active", models: ["sim-small", "sim-resilient"] },
      { name: "Mail drafts", share: 1, state: "active", models: ["claude-sim"] },
    ],
  },
  {
    username: "research",
    planId: STARTER,
    weight: 2,
    quotaCents: 40_000,
    keys: [{ name: "Experiments", share: 1, state: "active", models: null }],
  },
  {
    username: "lin",
    planId: FREE,
    weight: 3,
    quotaCents: 20_000,
    keys: [{ name: "Agent", share: 1, state: "active", models: null }],
  },
  {
    username: "maria",
    planId: FREE,
    weight: 1,
    quotaCents: 5_000,
    keys: [{ name: "Notebook", share: 1, state: "active", models: null }],
  },
];

/** A budget of the demo. Units: cents, tokens or requests. */
export interface DemoBudget {
  name: string;
  subject:
    | { scope: "platform" }
    | { scope: "plan"; planId: number }
    | { scope: "account"; username: string | null }
    | { scope: "key"; key: string };
  each: BudgetEach;
  unit: BudgetUnit;
  period: BudgetPeriod;
  mode: BudgetMode;
  enabled: boolean;
  /** Made by an admin for somebody. */
  locked: boolean;
  /** Null: what was used, divided by `fullness`. */
  limit: number | null;
  fullness: number;
  periodsBefore: number;
  exceptions: readonly { username: string; limit: number | null }[];
}

const anyBudget = {
  each: "none",
  unit: "money",
  period: "month",
  mode: "stop",
  enabled: true,
  locked: false,
  limit: null,
  fullness: 0.55,
  periodsBefore: 0,
  exceptions: [],
} as const;

/** One budget in every state. */
export const demoBudgets: readonly DemoBudget[] = [
  {
    ...anyBudget,
    name: "All of my account",
    subject: { scope: "account", username: null },
    period: "quarter",
  },
  {
    ...anyBudget,
    name: "Production, each week",
    subject: { scope: "key", key: "Production" },
    period: "week",
    mode: "hard",
    locked: true,
    fullness: 0.86,
    periodsBefore: 3,
  },
  {
    ...anyBudget,
    name: "Staging, requests",
    subject: { scope: "key", key: "Staging" },
    unit: "requests",
    period: "quarter",
    fullness: 1,
  },
  {
    ...anyBudget,
    name: "Tokens, only counted",
    subject: { scope: "account", username: null },
    unit: "tokens",
    period: "year",
    mode: "warn",
    fullness: 1.2,
  },
  {
    ...anyBudget,
    name: "Never used",
    subject: { scope: "key", key: "Never used" },
    enabled: false,
    limit: 2000,
  },
  {
    ...anyBudget,
    name: "Support",
    subject: { scope: "account", username: "support" },
    locked: true,
    fullness: 0.7,
  },
  {
    ...anyBudget,
    name: "Every account on Free",
    subject: { scope: "plan", planId: FREE },
    each: "account",
    unit: "requests",
    period: "day",
    limit: 200,
    exceptions: [{ username: "maria", limit: 500 }],
  },
  {
    ...anyBudget,
    name: "Whole platform",
    subject: { scope: "platform" },
    period: "year",
    mode: "warn",
    fullness: 0.4,
  },
];

/** The name of an unreachable node, which demonstrates failover and an open circuit. */
export const UNREACHABLE_NODE = "demo-unreachable";

/** The price of a model before the change of the demo. */
export const EARLIER_PRICE = {
  alias: "sim-large",
  daysAgo: 12,
  version: 1,
  declared: { input: 1200, output: 9600, cacheRead: 120 },
} as const;

/** What the admin of the demo has told its users; days count from now. */
export const demoAnnouncements = [
  {
    title: "Planned maintenance",
    titleZh: "计划维护",
    textZh: "一个节点将更换机器，期间由其他节点应答，您无需做任何更改。",
    text: "One node gets a new machine. Calls are answered by the other nodes meanwhile; nothing has to be changed.",
    tone: "warning",
    public: true,
    inDays: 3,
    untilDays: 4,
  },
  {
    title: "sim-large costs less",
    titleZh: "sim-large 降价",
    textZh: "价格比以前降低四分之一。降价之前的调用仍按当时的价格计费。",
    text: "It costs a quarter less than before. Calls from before the change keep the price that they were made at.",
    tone: "info",
    public: false,
    inDays: -EARLIER_PRICE.daysAgo,
    untilDays: -5,
  },
] as const;

/** Prices with everything that a vendor may bill apart. */
const LARGE_PRICES = {
  input: 900,
  output: 7200,
  cacheRead: 90,
  tiers: [{ above: 128_000, input: 1800, output: 10_800, cacheRead: 180 }],
  services: { priority: { factor: 2 }, flex: { factor: 0.5 } },
};

const chat = { node: "demo-chat-node", model: "sim-chat+every-5ms" };
const messages = { node: "demo-messages-node", model: "sim-messages+every-5ms" };

/** Additional simulated models with clearly different prices; what their nodes charge is below that, and a fallback is dearer. */
export const demoModels: readonly ModelEntry[] = [
  model("sim-large", "Large", LARGE_PRICES, [
    { ...chat, cost: { input: 690, output: 5520, cacheRead: 69 } },
    { ...messages, priority: 1, cost: { input: 780, output: 6240, cacheRead: 78 } },
  ]),
  model("sim-small", "Small", { input: 110, output: 880, cacheRead: 11 }, [
    { ...chat, cost: { input: 72, output: 576, cacheRead: 7.2 } },
  ]),
  model(
    "claude-sim",
    "Claude-like",
    { input: 2160, output: 10_800, cacheRead: 216, cacheWrite: 2700, cacheWrite1h: 4320 },
    [
      { ...messages, cost: { input: 1800, output: 9000, cacheRead: 180, cacheWrite: 2250 } },
      { ...chat, priority: 1, cost: { input: 1980, output: 9900, cacheRead: 198, cacheWrite: 2475 } },
    ],
  ),
  model("sim-resilient", "First node unreachable", { input: 300, output: 1500 }, [
    { node: UNREACHABLE_NODE, model: "sim-chat", cost: { input: 220, output: 1100 } },
    { ...chat, priority: 1, cost: { input: 285, output: 1425 } },
  ]),
  model(
    "sim-embedding",
    "Embeddings",
    { input: 14, output: 0 },
    [{ ...chat, model: "sim-embedding", cost: { input: 9, output: 0 } }],
    { kind: "embedding", contextWindow: 8192, maxOutputTokens: null },
  ),
];

function model(
  alias: string,
  displayName: string,
  prices: object,
  routes: object[],
  others: object = {},
): ModelEntry {
  return modelEntry.parse({
    alias,
    displayName,
    contextWindow: 200_000,
    maxOutputTokens: 8192,
    prices,
    routes,
    ...others,
  });
}
