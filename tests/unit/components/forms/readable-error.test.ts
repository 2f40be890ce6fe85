import { expect, test } from "vitest";
import { requestErrors } from "@/components/forms/request-errors";
import { dictionaries } from "@/components/i18n/dictionaries";
import { readableError } from "@/components/ui/readable-error";
import { providerProblem } from "@/lib/protocols/profiles/provider";

const count = (value: number) => value.toLocaleString("en");
const told = (error: string) => readableError(error, dictionaries["zh-CN"].common.errors, count);

const views = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ name: `view ${number}`, list: "own", filters: {} }));

test.each([
  ["views beyond those that are kept", requestErrors("PATCH /api/user/views", { views: views(21) })],
  [
    "a proxy that is no address",
    requestErrors("PATCH /api/admin/nodes/{id}", { proxy: "127.0.0.1:3128", headers: {} }),
  ],
  [
    "a password of the past that is too long",
    requestErrors("POST /api/user/self/password", {
      currentPassword: "x".repeat(3000),
      newPassword: "secret-1",
    }),
  ],
  [
    "a profile with values of the wrong kind and names that nobody knows",
    requestErrors("PATCH /api/admin/models/{id}", {
      profile: { nobody: 1, vision: "yes", maxTokensField: "x" },
    }),
  ],
  [
    "more models than are made at once",
    requestErrors("POST /api/admin/models/batch", {
      models: Array.from({ length: 101 }, (_, number) => ({
        alias: `model-${number}`,
        prices: { input: 1, output: 1 },
      })),
    }),
  ],
  [
    "prices that cannot be",
    requestErrors("POST /api/admin/prices", {
      model: "a",
      input: 1e9,
      output: 1,
      tiers: [2, 1, 3, 4, 5].map((above) => ({ above, input: 1, output: 1 })),
      services: { flex: {}, batch: { factor: 101 }, priority: { factor: 2 } },
      windows: [{ from: "8", to: "25:00", timeZone: "Nowhere", days: [], factor: 1 }],
    }),
  ],
  [
    "prices that are too high with their factors",
    requestErrors("POST /api/admin/prices", {
      model: "a",
      input: 1e9,
      output: 1,
      services: { priority: { factor: 2 } },
    }),
  ],
])("%s: every message has a Chinese text", (_name, errors) => {
  const messages = Object.values(errors).flat();
  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages) expect(told(message) ?? message, message).toMatch(/\p{Script=Han}/u);
});

test("what the server alone refuses has a Chinese text, too", () => {
  const base = { provider: null, protocol: "chat", baseUrl: "https://api.example.com/v1" } as const;
  const problems = [
    providerProblem({ ...base, provider: "mistral", protocol: "messages" }),
    providerProblem({ ...base, baseUrl: "https://api.example.com/v1?unknown=1" }),
    providerProblem({ ...base, baseUrl: "https://x.openai.azure.com/openai/deployments/y" }),
  ].map((problem) => problem?.message ?? "");
  for (const message of [
    ...problems,
    "would leave the account's quota outside 0 to 1000 cents",
    "must not be `a`: a speaks messages, which has no embeddings",
    "must use https, or set ALLOW_PRIVATE_UPSTREAMS=1",
    "points at a private address; set ALLOW_PRIVATE_UPSTREAMS=1 to allow that",
  ])
    expect(told(message) ?? message, message).toMatch(/\p{Script=Han}/u);
});

test.each([
  ["too large", 1e10],
  ["negative", -1],
  ["a fraction", 1.5],
  ["no number", "many"],
])("a number of a form that is %s is told the whole range", (_name, value) => {
  const planErrors = requestErrors("POST /api/admin/plans", {
    id: value,
    name: "a",
    qps: value,
    rpm: null,
    tpm: value,
    keyQuotaCents: 5,
  });
  const nodeErrors = requestErrors("PATCH /api/admin/nodes/{id}", {
    maxConcurrency: value,
    timeouts: { connectMs: value },
  });
  const modelErrors = requestErrors("PATCH /api/admin/models/{id}", {
    contextWindow: value,
    routes: [{ node: "n", model: "m", priority: value, weight: value }],
  });
  const inEnglish = (error: string) => readableError(error, dictionaries.en.common.errors, count);
  const inWords = (errors: Record<string, string[]>) =>
    Object.fromEntries(
      Object.entries(errors).map(([name, messages]) => [name, messages.map(inEnglish).join(" ")]),
    );
  const from = (min: string, max: string) => `Use a whole number from ${min} to ${max}.`;
  expect(inWords(planErrors)).toEqual({
    id: from("1", "1,000,000"),
    qps: from("1", "2,000,000,000"),
    tpm: from("1", "2,000,000,000"),
  });
  expect(inWords(nodeErrors)).toEqual({
    maxConcurrency: from("1", "2,000,000,000"),
    "timeouts.connectMs": from("1", "86,400,000"),
  });
  expect(inWords(modelErrors)).toEqual({
    contextWindow: from("1", "2,000,000,000"),
    "routes.0.priority": from("0", "1,000"),
    "routes.0.weight": from("0", "1,000,000"),
  });
});
