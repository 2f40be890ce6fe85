import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import {
  eventually,
  gatewayFor,
  keyMoney,
  type LogEntry,
  logEntry,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import { answerWithHostedCalls } from "../support/hosted-calls-upstream";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";
import { forEachServerDatabase } from "../support/server-databases";

/** Units: cents per million tokens, micro-cents per call. */
const PRICES = {
  input: 100,
  output: 300,
  perCall: { webSearch: 7_200_000, imageGeneration: 28_800_001, codeInterpreter: 0 },
};
/** 10 tokens at 100 and 5 at 300 cents a million. Units: cents. */
const TOKENS = 0.0025;
const web = { type: "web_search" };
const picture = { type: "image_generation" };
const code = { type: "code_interpreter" };
const f = { type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: false };

interface Priced {
  perCall: Record<string, number | null>;
}

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(answerWithHostedCalls);
});
afterAll(() => upstream?.close());

await forEachServerDatabase(
  (database) => {
    const gateway = gatewayFor({
      database,
      nodes: () => {
        const url = upstream?.url ?? "";
        return [
          { name: "vendor", url, protocol: "responses" },
          { name: "other", url },
        ];
      },
      models: [
        ...["searches", "draws", "slow", "cut"].map((name) => ({
          alias: name,
          prices: PRICES,
          routes: [["vendor", name] as [string, string]],
        })),
        { alias: "unpriced", routes: [["vendor", "searches"]] },
        {
          alias: "moved",
          prices: PRICES,
          routes: [
            ["vendor", "down", 0],
            ["other", "gpt", 1],
          ],
        },
      ],
    });

    const body = (model: string, more: JsonObject = {}) => ({
      model,
      input: "Hi",
      store: false,
      max_output_tokens: 100,
      tools: [f, web, code],
      ...more,
    });

    function post(user: TestUser, fields: JsonObject): Promise<Response> {
      return gateway.server.gateway("/v1/responses", user.key, fields);
    }

    async function entryOf(user: TestUser, response: Response): Promise<LogEntry> {
      await response.text();
      return logEntry(gateway.server, user, requestIdOf(response));
    }

    const searchLine = { kind: "webSearch", calls: 2, centsPerCall: "7.2", amount: "14.4" };
    const codeLine = { kind: "codeInterpreter", calls: 1, centsPerCall: "0", amount: "0" };

    test.each([false, true])(
      "calls are billed to the micro-cent, each tool with a line of its own (stream: %s)",
      async (stream) => {
        const user = await gateway.key();
        const response = await post(user, body("searches", { stream }));
        expect(response.headers.get("x-tollgate-warnings")).toBe("added:max_tool_calls:10");
        const entry = await entryOf(user, response);
        expect(entry).toMatchObject({ cost: "14.4025", hostedCalls: { webSearch: 2, codeInterpreter: 1 } });
        expect(entry.receipt).toMatchObject({ total: "14.4025", sum: "14.4025" });
        expect(entry.receipt.lines.slice(2)).toEqual([searchLine, codeLine]);
        expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 14.4 + TOKENS, held: 0 });
      },
    );

    /** Source: docs/responses.md#s3-6. */
    test.each([false, true])(
      "R-38: a picture is billed although the output is empty (stream: %s)",
      async (stream) => {
        const user = await gateway.key();
        const response = await post(user, body("draws", { tools: [picture], stream }));
        expect(response.status).toBe(200);
        const entry = await entryOf(user, response);
        expect(entry.receipt).toMatchObject({ total: "28.802501", billed: true });
        expect(entry.receipt.lines.at(-1)).toEqual({
          kind: "imageGeneration",
          calls: 1,
          centsPerCall: "28.800001",
          amount: "28.800001",
        });
      },
    );

    test("a client that leaves pays for the calls that had ended; a stream that the node breaks off costs nothing", async () => {
      const user = await gateway.key();
      const leaving = new AbortController();
      const left = await fetch(`${gateway.server.url}/v1/responses`, {
        method: "POST",
        signal: leaving.signal,
        headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
        body: JSON.stringify(body("slow", { stream: true })),
      });
      const reader = left.body?.pipeThrough(new TextDecoderStream()).getReader();
      let seen = "";
      while (reader && !seen.includes("msg_1")) seen += (await reader.read()).value ?? "";
      leaving.abort();
      await eventually(async () => ((await keyMoney(gateway.server, user)).held === 0 ? true : null));
      const entry = await logEntry(gateway.server, user, requestIdOf(left));
      expect(entry).toMatchObject({ status: "cancelled", hostedCalls: { webSearch: 2, codeInterpreter: 1 } });
      expect(entry.receipt.lines).toContainEqual(searchLine);
      const { usedQuota } = await keyMoney(gateway.server, user);
      expect(usedQuota).toBeGreaterThan(14.4);

      const broken = await post(user, body("cut", { stream: true }));
      const cut = await entryOf(user, broken);
      expect(cut).toMatchObject({ status: "interrupted", cost: "0" });
      expect(Number(cut.receipt.wouldHaveCost)).toBeGreaterThan(14.4);
      expect((await keyMoney(gateway.server, user)).usedQuota).toBe(usedQuota);
    });

    test("a node that runs more than the request's limit is not paid for it, and the books never pass a quota by more than one request", async () => {
      const user = await gateway.server.user({ quota: 20 });
      const ask = body("searches", { max_tool_calls: 1 });
      const statuses = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const response = await post(user, ask);
          await response.arrayBuffer();
          return response.status;
        }),
      );
      const served = statuses.filter((status) => status === 200).length;
      await eventually(async () => ((await keyMoney(gateway.server, user)).held === 0 ? true : null));
      const { usedQuota } = await keyMoney(gateway.server, user);
      expect(usedQuota).toBeLessThanOrEqual(20);
      expect(usedQuota).toBeCloseTo(served * (7.2 + TOKENS), 0);

      const other = await gateway.key();
      const entry = await entryOf(other, await post(other, ask));
      expect(entry).toMatchObject({ cost: "7.2025", hostedCalls: { webSearch: 1 } });
      expect(entry.warnings).toContain("unbilled_calls:2");
      expect(Number(entry.receipt.held)).toBeGreaterThanOrEqual(Number(entry.cost));
    });

    test("a limit below 1 is a 400 and holds nothing", async () => {
      const user = await gateway.key();
      for (const max_tool_calls of [-1, 0, -1e9]) {
        const response = await post(user, body("searches", { max_tool_calls }));
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: { param: "max_tool_calls" } });
      }
      expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
    });

    test("the hold is the limit of calls times the dearest tool; the gateway's own limit is ten", async () => {
      const user = await gateway.key();
      const held = async (fields: JsonObject) => {
        const response = await fetch(`${gateway.server.url}/v1/responses`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${user.key}`,
            "content-type": "application/json",
            "x-tollgate-explain": "1",
          },
          body: JSON.stringify(body("searches", fields)),
        });
        return Number((await response.json()).hold);
      };
      const searches = { tools: [f, web] };
      const one = await held({ ...searches, max_tool_calls: 1 });
      expect((await held({ ...searches, max_tool_calls: 3 })) - one).toBeCloseTo(14.4, 6);
      expect((await held(searches)) - one).toBeCloseTo(64.8, 6);
      const both = { tools: [web, picture] };
      const alone = await held({ ...both, max_tool_calls: 1 });
      expect((await held({ ...both, max_tool_calls: 3 })) - alone).toBeCloseTo(57.600002, 6);
      expect((await held(both)) - alone).toBeCloseTo(259.200009, 6);
      const entry = await entryOf(user, await post(user, body("searches", { max_tool_calls: 3 })));
      expect(Number(entry.receipt.held)).toBeGreaterThan(21.6);
    });

    test("R-06: without a price a tool is left out with one warning, and a request that must call it is a 400", async () => {
      const user = await gateway.key();
      upstream?.calls.splice(0);
      const response = await post(user, body("unpriced", { tools: [f, web, picture] }));
      expect(response.headers.get("x-tollgate-warnings")).toBe("dropped:web_search:image_generation");
      expect(JSON.parse(upstream?.calls[0]?.body ?? "{}").tools).toEqual([f]);
      const { cost, receipt } = await entryOf(user, response);
      expect(cost).toBe("0.0025");
      expect(receipt.lines.map(({ kind }) => kind)).toEqual(["input", "output"]);
      for (const refused of [{ tool_choice: web }, { tools: [picture], tool_choice: "required" }]) {
        const answered = await post(user, body("unpriced", refused));
        expect(answered.status).toBe(400);
        await answered.text();
      }
      expect(upstream?.calls).toHaveLength(1);
    });

    test("a node of another protocol that takes over gets none of these tools, with the warning", async () => {
      const user = await gateway.key();
      upstream?.calls.splice(0);
      const response = await post(user, body("moved"));
      expect(response.status).toBe(200);
      expect(response.headers.get("x-tollgate-warnings")).toContain("dropped:web_search:code_interpreter");
      const [first, second] = upstream?.calls.map((call) => JSON.parse(call.body)) ?? [];
      expect(first.tools).toEqual([f, web, code]);
      expect(second.tools).toHaveLength(1);
      expect((await entryOf(user, response)).cost).toBe("0.0025");
    });

    test("an admin's new price applies to later requests; the receipt of an earlier one keeps its own", async () => {
      const { server } = gateway;
      const admin = await server.adminToken();
      const alias = "repriced";
      const routes = [{ node: "vendor", model: "searches" }];
      const prices = { input: 100, output: 300, perCall: { webSearch: 1_000_001 } };
      const made = await server.api<{ prices: Priced }>("POST", "/api/admin/models", admin, {
        alias,
        prices,
        routes,
      });
      expect(made.status).toBe(201);
      expect(made.body.prices.perCall).toEqual({
        webSearch: 1_000_001,
        fileSearch: null,
        codeInterpreter: null,
        imageGeneration: null,
      });
      const user = await gateway.key();
      const before = await post(user, body(alias));
      expect((await entryOf(user, before)).receipt.total).toBe("2.002502");
      const perCall = { webSearch: 0, fileSearch: null };
      const added = await server.api("POST", "/api/admin/prices", admin, {
        model: alias,
        input: 100,
        output: 300,
        perCall,
      });
      expect(added.body).toMatchObject({ version: 2, perCall: { webSearch: 0, fileSearch: null } });
      expect((await entryOf(user, await post(user, body(alias)))).receipt.total).toBe("0.0025");
      expect((await logEntry(server, user, requestIdOf(before))).receipt).toMatchObject({
        total: "2.002502",
        sum: "2.002502",
      });
      const shown = await server.api<{ data: { id: string; prices: Priced }[] }>(
        "GET",
        "/api/user/models",
        user.token,
      );
      const model = shown.body.data.find(({ id }) => id === alias);
      expect(model?.prices.perCall).toMatchObject({ webSearch: 0, imageGeneration: null });
      const audit = await server.api("GET", "/api/admin/audit?action=price.create", admin);
      expect(JSON.stringify(audit.body)).toContain('"webSearch":1000001');
    });

    test("the export has the calls, and every sum agrees with its records", async () => {
      const user = await gateway.key();
      await entryOf(user, await post(user, body("searches")));
      const csv = await fetch(`${gateway.server.url}/api/user/logs/export`, {
        headers: { authorization: `Bearer ${user.token}` },
      });
      const [header = "", ...rows] = (await csv.text()).split("\r\n");
      expect(header).toContain("hostedCalls");
      expect(rows.join()).toContain("webSearch=2; codeInterpreter=1");
      expect(await reconcile(gateway.server)).toMatchObject({ ok: true, mismatches: [] });
    });
  },
  { shortly: true },
);
