import { describe, expect, test } from "vitest";
import { type Field, fuzzServer } from "@/tests/support/fuzz-server";
import { isComplete } from "../support/complete";
import { reconcile } from "../support/gateway-fixtures";

const rig = fuzzServer();

/** Each field takes one of so many numbers, other ones than the field before it, unless all tests run. */
const SHARE = 3;

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
const numericFields: Field[] = [
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
  ].map(
    (field): Field => [
      "key",
      "POST",
      "/v1/chat/completions",
      `{"model":"odd",${field.startsWith("max") ? "" : '"max_tokens":5,'}"messages":[{"role":"user","content":"x"}],"${field}":?}`,
    ],
  ),
  ...["max_tokens", "temperature", "top_p", "top_k"].map(
    (field): Field => [
      "key",
      "POST",
      "/v1/messages",
      `{"model":"odd",${field === "max_tokens" ? "" : '"max_tokens":5,'}"messages":[{"role":"user","content":"x"}],"${field}":?}`,
    ],
  ),
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
  ["admin", "PATCH", "/api/admin/settings", '{"newAccountQuotaCents":?}'],
  ["admin", "PATCH", "/api/admin/users/%user", '{"quota":?}'],
];

/** Source: docs/reliability.md#r-121. */
describe("an odd number", () => {
  test.each(numericFields.map((field, place) => [...field, place] as const))(
    "as %s: %s %s %s is taken or refused, and nothing that was used is ever less",
    { timeout: 120_000 },
    async (as, method, path, body, place) => {
      const tried = isComplete ? numbers : numbers.filter((_, index) => index % SHARE === place % SHARE);
      const used = async () => {
        const { body: profile } = await rig.server.api<{ usedQuota: string }>(
          "GET",
          "/api/user/self",
          rig.user.token,
        );
        return Number(profile.usedQuota);
      };
      const before = await used();
      for (const number of tried) {
        const { status, text } = await rig.send(as, method, path, body.replace("?", number));
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
    const admin = await rig.admin();
    const queries = [
      "logs?page=",
      "logs?pageSize=",
      "logs?minLatencyMs=",
      "logs/values?httpStatus=",
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
          [rig.user.token, "user"],
          [admin, "admin"],
        ] as const) {
          const { status } = await rig.server.api("GET", `/api/${root}/${query}${value}`, token);
          expect([query, number, [200, 400, 404].includes(status)]).toEqual([query, number, true]);
        }
      }
    }
  });

  test("of tokens that no answer can have is answered, or refused for want of money", async () => {
    const enlarge = '{"maxOutputTokens":2000000000}';
    expect((await rig.send("admin", "PATCH", "/api/admin/models/%model", enlarge)).status).toBe(200);
    const unlimit = '{"planId":4,"limitOverrides":null}';
    expect((await rig.send("admin", "PATCH", "/api/admin/users/%user", unlimit)).status).toBe(200);
    for (const rest of ['"max_tokens":1500000000', '"max_completion_tokens":1999999999']) {
      const body = `{"model":"odd",${rest},"messages":[{"role":"user","content":"x"}]}`;
      const { status, text } = await rig.send("key", "POST", "/v1/chat/completions", body);
      // The one request that may go beyond a quota is let in.
      expect([rest, [200, 402].includes(status), text]).toEqual([rest, true, text]);
    }
  });

  test("has left the books in order", async () => {
    expect(await reconcile(rig.server)).toMatchObject({ ok: true, mismatches: [], openHolds: 0 });
  });
});
