import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  gatewayFor,
  keyMoney,
  logEntry,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import { answerAsAsked } from "../support/priced-upstream";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";
import { forEachServerDatabase } from "../support/server-databases";

let vendor: ScriptedUpstream | null = null;
beforeAll(async () => {
  vendor = await startScriptedUpstream(answerAsAsked);
});
afterAll(() => vendor?.close());

const LONG = { prompt_tokens: 1_001, completion_tokens: 10, total_tokens: 1_011 };
const SHORT = { ...LONG, prompt_tokens: 1_000, total_tokens: 1_010 };

/** What the node answers stands in the name of its model. */
const asked = (answer: object) => JSON.stringify(answer);

await forEachServerDatabase((database) => {
  const prices = {
    input: 100,
    output: 300,
    tiers: [{ above: 1_000, input: 200, output: 450 }],
    services: { priority: { factor: 2 }, flex: { input: 10, output: 30 } },
  };
  const gateway = gatewayFor({
    database,
    nodes: () => [
      { name: "vendor", url: vendor?.url ?? "" },
      { name: "vendor-m", protocol: "messages", url: vendor?.url ?? "" },
    ],
    models: [
      { alias: "standard", routes: [["vendor", asked({ usage: SHORT })]] },
      {
        alias: "lenient",
        routes: [["vendor", asked({ usage: SHORT })]],
        profile: { unpricedExtras: ["service_tier"] },
      },
      { alias: "silent", prices, routes: [["vendor", asked({ usage: SHORT })]] },
      {
        alias: "silent-elsewhere",
        prices,
        routes: [["vendor-m", asked({ usage: { input_tokens: 1_000, output_tokens: 10 } })]],
      },
      { alias: "long", prices, routes: [["vendor", asked({ usage: LONG })]] },
      ...["priority", "PRIORITY", "flex", "batch", "default", "scale"].map((tier) => ({
        alias: `served-${tier}`,
        prices,
        routes: [["vendor", asked({ usage: SHORT, service_tier: tier })]] as [string, string][],
      })),
    ],
  });

  const call = async (model: string, fields = {}) => {
    const user = await gateway.key();
    const answer = await gateway.server.gateway("/v1/chat/completions", user.key, chatBody(model, fields));
    const text = await answer.text();
    return { user, answer, text };
  };
  const billed = async (model: string, fields = {}) => {
    const { user, answer, text } = await call(model, fields);
    expect(answer.status, text).toBe(200);
    const entry = await logEntry(gateway.server, user, requestIdOf(answer));
    expect(await keyMoney(gateway.server, user)).toMatchObject({
      usedQuota: Number(entry.cost),
      held: 0,
    });
    return entry;
  };

  /** Source: docs/prices.md#service-tiers. */
  describe("a service tier without a price", () => {
    test.each(["priority", "flex", "batch", "ultrafast"])(
      "%s is a 400 that names the usable ones, before any node is asked",
      async (tier) => {
        const before = vendor?.calls.length;
        const { answer, text, user } = await call("standard", { service_tier: tier });
        expect(answer.status).toBe(400);
        const { error } = JSON.parse(text) as ErrorBody;
        expect(error.param).toBe("service_tier");
        expect(error.message).toContain("auto, default");
        expect(vendor?.calls.length).toBe(before);
        expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
      },
    );

    test.each(["auto", "default", null])("%s passes", async (tier) => {
      expect((await call("standard", { service_tier: tier })).answer.status).toBe(200);
    });

    test("passes at the usual price where the operator lets it", async () => {
      expect((await billed("lenient", { service_tier: "priority" })).cost).toBe("0.103");
    });
  });

  describe("a service tier with a price", () => {
    test.each([
      ["served-priority", { service_tier: "priority" }, "0.206", "priority"],
      ["served-flex", { service_tier: "flex" }, "0.0103", "flex"],
      // The node had no room: what it served is billed, not what was asked.
      ["served-default", { service_tier: "priority" }, "0.103", null],
      // The node's own setting decides for callers who ask for nothing.
      ["served-priority", {}, "0.206", "priority"],
      ["served-scale", {}, "0.103", null],
      ["served-PRIORITY", {}, "0.206", "priority"],
      // The standard tier in the words of another protocol is sent in those of the node.
      ["silent-elsewhere", { service_tier: "standard" }, "0.103", null],
      // Messages nodes are told "auto" only: it is not known that they have served priority.
      ["silent-elsewhere", { service_tier: "priority" }, "0.103", null],
      // A node that says nothing has done as it was told.
      ["silent", { service_tier: "flex" }, "0.0103", "flex"],
      ["silent", {}, "0.103", null],
      // A node of another protocol cannot be told `flex`.
      ["silent-elsewhere", { service_tier: "flex" }, "0.103", null],
    ] as const)("%s, asked for %j, costs %s", async (model, fields, cost, service) => {
      for (const stream of [false, true]) {
        const entry = await billed(model, { ...fields, stream });
        expect(entry.cost).toBe(cost);
        expect(entry.receipt).toMatchObject({ tier: service === null ? null : { service } });
      }
    });

    test("that only the node names is billed as standard, and the log says so", async () => {
      const entry = await billed("served-batch");
      expect([entry.cost, entry.warnings]).toEqual(["0.103", ["unpriced_tier:batch"]]);
      expect((await billed("served-scale")).warnings).toEqual(["unpriced_tier:other"]);
    });

    test("covers by its hold what the node's own setting makes of a request that asks for nothing", async () => {
      const entry = await billed("served-priority", { max_tokens: 10 });
      expect(Number(entry.receipt.held)).toBeGreaterThanOrEqual((2 * 10 * 300) / 1e6);
      expect(entry.receipt).toMatchObject({ tier: { service: "priority" } });
    });

    test("holds the dearer of what was asked and standard", async () => {
      const held = async (service_tier: string | null) =>
        Number((await billed("silent", { service_tier })).receipt.held);
      const [standard, flex, priority, any, unsaid] = [
        await held("default"),
        await held("flex"),
        await held("priority"),
        await held("auto"),
        await held(null),
      ];
      const dearest = 2 * standard;
      expect([flex, priority, any, unsaid]).toEqual([standard, dearest, dearest, dearest]);
    });
  });

  /** Source: docs/prices.md#tiers. */
  test("a prompt beyond the size of a tier costs the tier's price for all of it, and its receipt says so", async () => {
    const entry = await billed("long");
    expect(entry.cost).toBe("0.2047");
    expect(entry.receipt).toMatchObject({
      tier: { above: 1_000, service: null, window: null, factor: "1" },
      lines: [
        { kind: "input", tokens: 1_001, centsPerMillion: 200 },
        { kind: "output", tokens: 10, centsPerMillion: 450 },
      ],
    });
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true });
  });
});
