import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoProvider, startDemoProvider } from "@/lib/demo/provider";
import { type ApiError, accountServer, freshName } from "../support/account-server";
import { reconcile } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

const server = accountServer({ env: { ALLOW_PRIVATE_UPSTREAMS: "1" } });
let upstream: DemoProvider;
let user: TestUser;
let ids: Record<"user" | "node" | "model" | "plan" | "key", string>;
beforeAll(async () => {
  upstream = await startDemoProvider({ port: 0 });
  const admin = await server().adminToken();
  const make = async (path: string, body: unknown) => {
    const { status, body: made } = await server().api<{ id: string }>(
      "POST",
      `/api/admin/${path}`,
      admin,
      body,
    );
    expect(status).toBe(201);
    return String(made.id);
  };
  const plan = await make("plans", { name: "Wide", qps: null, rpm: null, tpm: null, selfService: true });
  user = await server().user({ planId: Number(plan), quota: 500 });
  const self = await server().api<{ id: string }>("GET", "/api/user/self", user.token);
  const node = await make("nodes", {
    name: "odd",
    protocol: "chat",
    baseUrl: `${upstream.url}/v1`,
    apiKey: "sk-odd",
  });
  const model = await make("models", {
    alias: "odd",
    prices: { input: 100, output: 300 },
    routes: [{ node: "odd", model: "sim-usage-10-5" }],
  });
  ids = { user: self.body.id, node, model, plan, key: user.keyId };
});
afterAll(() => upstream.close());

type As = "user" | "admin" | "key" | "nobody";

/** Sends a body exactly as it is written. */
async function send(as: As, method: string, path: string, body: string) {
  const credentials = {
    user: user.token,
    admin: as === "admin" ? await server().adminToken() : "",
    key: user.key,
    nobody: "",
  };
  const response = await fetch(server().url + path, {
    method,
    headers: {
      "content-type": "application/json",
      ...(as === "nobody" ? {} : { authorization: `Bearer ${credentials[as]}` }),
    },
    body,
  });
  const text = await response.text();
  return { status: response.status, text };
}

/** What a number may be in a body: as text, because some are more than a number holds. */
const numbers = [
  "-0",
  "0",
  "1",
  "-1",
  "0.1",
  "1e-7",
  "-1e-300",
  "1e-400",
  "1E+2",
  "1e21",
  "1e308",
  "1e309",
  "-1e309",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "-9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775809",
  "18446744073709551615",
  "2147483647",
  "2147483648",
  "4294967296",
  "1000000000000",
  "1000000000001",
  "999999999999.5",
  "0.30000000000000004",
  "123456789012345678901234567890",
  '"5"',
  '"1e3"',
  '"NaN"',
  "null",
  "true",
  "[]",
  "[5]",
  "{}",
  "1_000",
  "0x10",
  "010",
  "+1",
  "NaN",
  "Infinity",
  ".5",
  "5.",
];

/** Where a number stands, with `?` in its place. `%name` is an id made above. */
const numericFields: [as: As, method: string, path: string, body: string][] = [
  ...[
    "max_tokens",
    "temperature",
    "top_p",
    "n",
    "seed",
    "presence_penalty",
    "frequency_penalty",
    "top_logprobs",
    "max_completion_tokens",
  ].map((field): [As, string, string, string] => [
    "key",
    "POST",
    "/v1/chat/completions",
    `{"model":"odd",${field.startsWith("max") ? "" : '"max_tokens":5,'}"messages":[{"role":"user","content":"x"}],"${field}":?}`,
  ]),
  ...["max_tokens", "temperature", "top_p", "top_k"].map((field): [As, string, string, string] => [
    "key",
    "POST",
    "/v1/messages",
    `{"model":"odd",${field === "max_tokens" ? "" : '"max_tokens":5,'}"messages":[{"role":"user","content":"x"}],"${field}":?}`,
  ]),
  [
    "key",
    "POST",
    "/v1/messages",
    '{"model":"odd","max_tokens":5000,"thinking":{"type":"enabled","budget_tokens":?},"messages":[{"role":"user","content":"x"}]}',
  ],
  ["user", "POST", "/api/user/tokens", '{"name":"n","quota":?}'],
  ["user", "POST", "/api/user/tokens", '{"name":"n","planId":?}'],
  ["user", "PATCH", "/api/user/tokens/%key", '{"planId":?}'],
  ["admin", "POST", "/api/admin/users/%user/grants", '{"amount":?,"reason":"odd"}'],
  ["admin", "PATCH", "/api/admin/users/%user", '{"planId":?}'],
  ["admin", "PATCH", "/api/admin/users/%user", '{"limitOverrides":{"qps":?}}'],
  ["admin", "PATCH", "/api/admin/plans/%plan", '{"rpm":?}'],
  ["admin", "PATCH", "/api/admin/plans/%plan", '{"keyQuotaCents":?}'],
  ["admin", "POST", "/api/admin/prices", '{"model":"odd","input":?,"output":1}'],
  ["admin", "POST", "/api/admin/prices", '{"model":"odd","input":1,"output":1,"cacheWrite":?}'],
  ["admin", "PATCH", "/api/admin/models/%model", '{"maxOutputTokens":?}'],
  ["admin", "PATCH", "/api/admin/models/%model", '{"contextWindow":?}'],
  ["admin", "PATCH", "/api/admin/models/%model", '{"defaultMaxTokens":?}'],
  ["admin", "PATCH", "/api/admin/models/%model", '{"routes":[{"node":"odd","model":"m","weight":?}]}'],
  ["admin", "PATCH", "/api/admin/models/%model", '{"routes":[{"node":"odd","model":"m","priority":?}]}'],
  ["admin", "PATCH", "/api/admin/nodes/%node", '{"maxConcurrency":?}'],
  ["admin", "PATCH", "/api/admin/nodes/%node", '{"timeouts":{"totalMs":?}}'],
  ["admin", "PATCH", "/api/admin/settings", '{"inviteRewardCents":?}'],
  ["admin", "PATCH", "/api/admin/users/%user", '{"quota":?}'],
];

function withIds(path: string): string {
  return path.replace(/%(\w+)/g, (whole, name: keyof typeof ids) => ids[name] ?? whole);
}

/** Source: reliability 4.8 (121). */
describe("an odd number", () => {
  test.each(numericFields)(
    "as %s: %s %s %s is taken or refused, and nothing that was used is ever less",
    { timeout: 120_000 },
    async (as, method, path, body) => {
      const used = async () => {
        const { body: profile } = await server().api<{ usedQuota: string }>(
          "GET",
          "/api/user/self",
          user.token,
        );
        return Number(profile.usedQuota);
      };
      const before = await used();
      for (const number of numbers) {
        const { status, text } = await send(as, method, withIds(path), body.replace("?", number));
        expect([number, status, text.slice(0, 200)]).toEqual([
          number,
          expect.any(Number),
          expect.any(String),
        ]);
        expect([
          number,
          status < 500 || (as === "key" && [502, 503].includes(status)),
          text.slice(0, 200),
        ]).toEqual([number, true, text.slice(0, 200)]);
      }
      expect(await used()).toBeGreaterThanOrEqual(before);
    },
  );

  test("in a query is taken or refused", async () => {
    const admin = await server().adminToken();
    const queries = [
      "logs?page=",
      "logs?pageSize=",
      "logs?minLatencyMs=",
      "logs?cursor=",
      "stats?period=",
      "ledger?page=",
      "ledger?cursor=",
      "tokens?page=",
    ];
    for (const query of queries) {
      for (const number of numbers) {
        const value = encodeURIComponent(number.replaceAll('"', ""));
        for (const [token, root] of [
          [user.token, "user"],
          [admin, "admin"],
        ] as const) {
          const { status } = await server().api("GET", `/api/${root}/${query}${value}`, token);
          expect([query, number, [200, 400, 404].includes(status)]).toEqual([query, number, true]);
        }
      }
    }
  });

  test("has left the books in order", async () => {
    expect(await reconcile(server())).toMatchObject({ ok: true, mismatches: [], openHolds: 0 });
  });
});

const texts: Record<string, string> = {
  NUL: "a\\u0000b",
  "half a character": "a\\ud800b",
  "the other half": "\\udc00",
  "10,000 characters": "x".repeat(10_000),
  "CR and LF": "a\\r\\nb: c",
  "right to left and zero width": "\\u202eabc\\u200b\\ufeff",
  "not a character": "\\uffff\\ufffe",
  "control characters": "\\u0001\\u001b[31m\\u007f\\u0085",
  "pieces of SQL": "'; DROP TABLE users; --",
  "pieces of a pattern": "%_\\\\%",
  "a formula": "=1+1",
  "1,000 emoji": "\\ud83d\\ude00".repeat(1_000),
  nothing: "",
  spaces: "   ",
};

/** Where a text stands, with `?` in its place. */
const textFields: [as: As, method: string, path: string, body: string][] = [
  ["nobody", "POST", "/api/user/register", '{"username":"?","password":"secret-password"}'],
  ["nobody", "POST", "/api/user/register", '{"username":"%fresh","password":"?"}'],
  ["nobody", "POST", "/api/user/register", '{"username":"%fresh","password":"secret-password","name":"?"}'],
  ["nobody", "POST", "/api/user/register", '{"username":"%fresh","password":"secret-password","email":"?"}'],
  [
    "nobody",
    "POST",
    "/api/user/register",
    '{"username":"%fresh","password":"secret-password","inviteCode":"?"}',
  ],
  ["nobody", "POST", "/api/user/login", '{"username":"?","password":"secret-password"}'],
  ["nobody", "POST", "/api/user/login", '{"username":"%fresh","password":"?"}'],
  ["user", "PATCH", "/api/user/self", '{"name":"?"}'],
  ["user", "PATCH", "/api/user/self", '{"email":"?"}'],
  ["user", "POST", "/api/user/self/password", '{"currentPassword":"?","newPassword":"secret-password"}'],
  ["user", "POST", "/api/user/tokens", '{"name":"?"}'],
  ["user", "POST", "/api/user/tokens", '{"name":"n","models":["?"]}'],
  ["user", "POST", "/api/user/tokens", '{"name":"n","expiresAt":"?"}'],
  ["user", "PATCH", "/api/user/tokens/%key", '{"name":"?"}'],
  ["admin", "POST", "/api/admin/nodes", '{"name":"?","protocol":"chat","baseUrl":"https://x.example"}'],
  ["admin", "POST", "/api/admin/nodes", '{"name":"%fresh","protocol":"chat","baseUrl":"?"}'],
  ["admin", "PATCH", "/api/admin/nodes/%node", '{"proxy":"?"}'],
  [
    "admin",
    "POST",
    "/api/admin/models",
    '{"alias":"?","prices":{"input":1,"output":1},"routes":[{"node":"odd","model":"m"}]}',
  ],
  ["admin", "PATCH", "/api/admin/models/%model", '{"displayName":"?"}'],
  ["admin", "PATCH", "/api/admin/models/%model", '{"alsoKnownAs":["?"]}'],
  ["admin", "PATCH", "/api/admin/models/%model", '{"routes":[{"node":"odd","model":"?"}]}'],
  ["admin", "PATCH", "/api/admin/models/%model", '{"routes":[{"node":"?","model":"m"}]}'],
  ["admin", "POST", "/api/admin/prices", '{"model":"?","input":1,"output":1}'],
  ["admin", "PATCH", "/api/admin/plans/%plan", '{"name":"?"}'],
  ["admin", "POST", "/api/admin/users", '{"username":"%fresh","password":"?"}'],
  ["admin", "PATCH", "/api/admin/users/%user", '{"name":"?"}'],
  ["admin", "POST", "/api/admin/users/%user/grants", '{"amount":1,"reason":"?"}'],
  ["admin", "POST", "/api/admin/rehearsal", '{"model":"?"}'],
  ["admin", "POST", "/api/admin/rehearsal", '{"model":"odd","assume":{"?":"down"}}'],
  ["admin", "POST", "/api/admin/nodes/%node/test", '{"model":"?"}'],
  [
    "key",
    "POST",
    "/v1/chat/completions",
    '{"model":"odd","max_tokens":5,"user":"?","messages":[{"role":"user","content":"x"}]}',
  ],
  [
    "key",
    "POST",
    "/v1/chat/completions",
    '{"model":"odd","max_tokens":5,"stop":"?","messages":[{"role":"user","content":"x","name":"?"}]}',
  ],
  [
    "key",
    "POST",
    "/v1/chat/completions",
    '{"model":"odd","max_tokens":5,"tools":[{"type":"function","function":{"name":"?"}}],"messages":[{"role":"user","content":"?"}]}',
  ],
  [
    "key",
    "POST",
    "/v1/messages",
    '{"model":"odd","max_tokens":5,"system":"?","metadata":{"user_id":"?"},"messages":[{"role":"user","content":"?"}]}',
  ],
];

/** Source: reliability 4.8 (127). */
describe("an odd text", () => {
  test.each(textFields)(
    "as %s: %s %s %s is taken or refused",
    { timeout: 120_000 },
    async (as, method, path, body) => {
      for (const [name, text] of Object.entries(texts)) {
        const written = body.replaceAll("?", text.replaceAll("$", "$$$$")).replaceAll("%fresh", freshName());
        const { status, text: answer } = await send(as, method, withIds(path), written);
        expect([name, status < 500, answer.slice(0, 200)]).toEqual([name, true, answer.slice(0, 200)]);
        const storable = !["NUL", "half a character", "the other half"].includes(name);
        if (!storable) expect([name, status]).toEqual([name, 400]);
      }
    },
  );

  test("in a query or a path is taken or refused", async () => {
    const admin = await server().adminToken();
    const values = [
      "%00",
      "a%00b",
      "%ff",
      "%ed%a0%80",
      "%0d%0a",
      "'",
      "%27%20OR%201%3D1--",
      "../..",
      "..%2f..",
      "%25",
      "x".repeat(5_000),
      "%f0%9f%98%80",
      "__proto__",
      "constructor",
    ];
    const queries = [
      "user/logs?model=",
      "user/logs?tokenId=",
      "user/logs?requestId=",
      "user/logs?from=",
      "user/logs?to=",
      "user/logs?cursor=",
      "user/logs?status=",
      "user/logs?errorCode=",
      "user/logs/",
      "user/tokens/",
      "user/stats?tz=",
      "user/stats?model=",
      "user/logs/export?model=",
      "user/ledger?cursor=",
      "admin/users?search=",
      "admin/users?status=",
      "admin/users/",
      "admin/audit?actorId=",
      "admin/audit?action=",
      "admin/audit?targetId=",
      "admin/audit?from=",
      "admin/logs?userId=",
      "admin/logs?model=",
      "admin/logs?requestId=",
      "admin/logs/",
      "admin/stats?userId=",
      "admin/prices?model=",
      "admin/nodes/",
      "admin/models/",
      "admin/plans/",
    ];
    for (const query of queries) {
      for (const value of values) {
        const response = await fetch(`${server().url}/api/${query}${value}`, {
          headers: { authorization: `Bearer ${query.startsWith("admin") ? admin : user.token}` },
          redirect: "manual",
        });
        const text = await response.text();
        expect([query, value.slice(0, 20), response.status < 500, text.slice(0, 200)]).toEqual([
          query,
          value.slice(0, 20),
          true,
          text.slice(0, 200),
        ]);
      }
    }
  });

  test("as a moment is taken or refused, the last day there is included", async () => {
    const admin = await server().adminToken();
    const moments = [
      "9999-12-31",
      "9999-12-31T23:59:59.999Z",
      "9999-12-31T23:59:59-14:00",
      "1970-01-01",
      "1969-12-31",
      "0000-01-01",
      "2026-02-30",
      "2026-13-01",
      "+010000-01-01T00:00:00Z",
      "2026-11-21T24:00:00Z",
      "2026-11-21T23:59:60Z",
      "-000001-01-01",
    ];
    for (const moment of moments) {
      const made = await send(
        "user",
        "POST",
        "/api/user/tokens",
        JSON.stringify({ name: "n", expiresAt: moment }),
      );
      expect([moment, [201, 400].includes(made.status), made.text]).toEqual([moment, true, made.text]);
      const value = encodeURIComponent(moment);
      for (const query of [
        "user/logs?from=",
        "user/logs?to=",
        "admin/audit?to=",
        "admin/audit?from=",
        "admin/logs?to=",
      ]) {
        const { status } = await server().api<ApiError>(
          "GET",
          `/api/${query}${value}`,
          query.startsWith("admin") ? admin : user.token,
        );
        expect([query, moment, [200, 400].includes(status)]).toEqual([query, moment, true]);
      }
      const price = await send(
        "admin",
        "POST",
        "/api/admin/prices",
        JSON.stringify({ model: "odd", input: 1, output: 1, validFrom: moment }),
      );
      expect([moment, price.status < 500]).toEqual([moment, true]);
    }
  });
});
