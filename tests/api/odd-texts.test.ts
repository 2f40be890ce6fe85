import { describe, expect, test } from "vitest";
import { type Field, fuzzServer } from "@/tests/support/fuzz-server";
import { type ApiError, freshName } from "../support/account-server";

const rig = fuzzServer();

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
const textFields: Field[] = [
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

/** Source: docs/reliability.md#r-127. */
describe("an odd text", () => {
  test.each(textFields)(
    "as %s: %s %s %s is taken or refused",
    { timeout: 120_000 },
    async (as, method, path, body) => {
      for (const [name, text] of Object.entries(texts)) {
        const written = body.replaceAll("?", text.replaceAll("$", "$$$$")).replaceAll("%fresh", freshName());
        const { status, text: answer } = await rig.send(as, method, path, written);
        expect([name, status < 500, answer.slice(0, 200)]).toEqual([name, true, answer.slice(0, 200)]);
        const storable = !["NUL", "half a character", "the other half"].includes(name);
        if (!storable) expect([name, status]).toEqual([name, 400]);
      }
    },
  );

  test("in a query or a path is taken or refused", async () => {
    const admin = await rig.admin();
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
      "user/logs?client=",
      "user/logs/values?protocol=",
      "user/logs/values?stream=",
      "user/ledger/months?from=",
      "admin/audit?search=",
      "admin/audit?batchId=",
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
        const response = await fetch(`${rig.server.url}/api/${query}${value}`, {
          headers: { authorization: `Bearer ${query.startsWith("admin") ? admin : rig.user.token}` },
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
    const admin = await rig.admin();
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
      const made = await rig.send(
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
        const { status } = await rig.server.api<ApiError>(
          "GET",
          `/api/${query}${value}`,
          query.startsWith("admin") ? admin : rig.user.token,
        );
        expect([query, moment, [200, 400].includes(status)]).toEqual([query, moment, true]);
      }
      const price = await rig.send(
        "admin",
        "POST",
        "/api/admin/prices",
        JSON.stringify({ model: "odd", input: 1, output: 1, validFrom: moment }),
      );
      expect([moment, price.status < 500]).toEqual([moment, true]);
    }
  });
});
