import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AlertStates, Alerts, alertSubjects } from "@/lib/admin/alerts";
import { updateSettings } from "@/lib/admin/settings";
import type { Database } from "@/lib/db/database";
import { settingsTable } from "@/lib/db/schema/catalog";
import { buildSnapshot, type CatalogNode, DEFAULT_TIMEOUTS } from "@/lib/router/catalog";
import { Health } from "@/lib/router/health";
import { Pools } from "@/lib/upstream/pools";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { priceOf } from "@/tests/support/prices";
import { HealthRig, target } from "../router/health-rig";

const node = (id: string, enabled = true): CatalogNode => ({
  id,
  name: `node ${id}`,
  protocol: "chat",
  baseUrl: "https://x.example",
  provider: null,
  enabled,
  credential: null,
  credentialKeyId: null,
  credentialKind: "key",
  headers: {},
  proxy: null,
  ca: null,
  maxConcurrency: null,
  timeouts: DEFAULT_TIMEOUTS,
  simulated: false,
  managedByFile: false,
});
const price = priceOf({ input: 0, output: 0 });
const model = (alias: string, nodeIds: string[]) => ({
  id: alias,
  alias,
  kind: "generation" as const,
  alsoKnownAs: [],
  displayName: "",
  contextWindow: null,
  maxOutputTokens: null,
  defaultMaxTokens: null,
  profile: {},
  enabled: true,
  price,
  routes: nodeIds.map((nodeId) => ({
    id: `${alias} ${nodeId}`,
    nodeId,
    upstreamModel: "m",
    priority: 1,
    weight: 1,
    cost: null,
  })),
  createdAt: new Date(0),
});
const catalogOf = (nodes: CatalogNode[], models: ReturnType<typeof model>[]) => ({
  current: buildSnapshot({ version: "1", nodes, plans: [], nextPriceAt: null, models }),
});
const both = catalogOf([node("a"), node("b")], [model("one", ["a"]), model("two", ["a", "b"])]);
const rig = new HealthRig();

describe("the states of nodes and models", () => {
  let states: AlertStates;
  beforeEach(() => {
    states = new AlertStates();
  });
  const look = (catalog = both, afterMs = 5_000) => {
    rig.now += afterMs;
    return states.changes(rig.now, alertSubjects(catalog.current, rig.health));
  };
  const fail = () => rig.call("connect", target("a"), 5);
  const recover = () => {
    rig.now += 400_000;
    rig.call("ok", target("a"), 5);
  };

  test("an account that cannot pay is told as such, and not as a node that fails", () => {
    expect(look()).toEqual([]);
    rig.call("billing", target("a"));
    expect(look()).toEqual([
      { event: "node.unpaid", node: "node a" },
      { event: "model.down", model: "one" },
    ]);
    rig.health.reset("a");
    rig.call("ok", target("a"));
    expect(look(both, 60_000)).toEqual([]);
    expect(look(both, 30_000)).toEqual([
      { event: "node.paid", node: "node a" },
      { event: "model.up", model: "one" },
    ]);
  });

  test("an account that cannot pay is told to pay again only after a success, whatever else the node does meanwhile", () => {
    const said: unknown[] = [];
    const watchFor = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 5_000)
        said.push(...look().filter(({ node: name }) => name !== undefined));
    };
    watchFor(5_000);
    rig.call("billing", target("a"));
    watchFor(120_000);
    expect(said).toEqual([{ event: "node.unpaid", node: "node a" }]);
    fail();
    watchFor(10_000);
    expect(said.slice(1)).toEqual([{ event: "node.open", node: "node a" }]);
    watchFor(600_000);
    rig.call("credential", target("a"));
    watchFor(600_000);
    expect(said).toHaveLength(2);
    rig.call("ok", target("a"), 3);
    watchFor(100_000);
    expect(said.slice(2)).toEqual([
      { event: "node.closed", node: "node a" },
      { event: "node.paid", node: "node a" },
    ]);
  });

  test("a reset says nothing of the account until a request has succeeded", () => {
    look();
    rig.call("billing", target("a"));
    look();
    rig.health.reset("a");
    const quiet = () => look(both, 60_000).filter(({ event }) => event === "node.paid");
    expect([quiet(), quiet(), quiet()].flat()).toEqual([]);
    rig.call({ kind: "server", status: 500 }, target("a"));
    expect([quiet(), quiet()].flat()).toEqual([]);
    rig.call("ok", target("a"));
    expect([quiet(), quiet()].flat()).toEqual([{ event: "node.paid", node: "node a" }]);
  });

  test("a circuit that opens and the models without another node are told once, and again when it has closed for 30 s", () => {
    expect(look()).toEqual([]);
    fail();
    expect(look()).toEqual([
      { event: "node.open", node: "node a" },
      { event: "model.down", model: "one" },
    ]);
    expect(look()).toEqual([]);
    expect(look(both, 300_000)).toEqual([]);
    recover();
    expect(look()).toEqual([]);
    expect(look(both, 25_000)).toEqual([]);
    expect(look()).toEqual([
      { event: "node.closed", node: "node a" },
      { event: "model.up", model: "one" },
    ]);
    expect(look(both, 300_000)).toEqual([]);
  });

  test("a node is told of at most once a minute", () => {
    look();
    fail();
    expect(look()).toHaveLength(2);
    rig.health = new Health({ now: () => rig.now, random: () => 0.5 });
    expect(look(both, 31_000)).toEqual([]);
    expect(look(both, 5_000)).toEqual([]);
    expect(look(both, 30_000).map(({ event }) => event)).toEqual(["node.closed", "model.up"]);
    fail();
    expect(look()).toEqual([]);
    expect(look(both, 55_000).map(({ event }) => event)).toEqual(["node.open", "model.down"]);
  });

  test("a rate limit is not told", () => {
    look();
    rig.call({ kind: "limited", status: 429 }, target("a"));
    expect(look(both, 1_000)).toEqual([]);
  });

  test("a model without a node from the start is not told, and one whose last node is switched off is", () => {
    const none = catalogOf([node("a", false)], [model("one", ["a"])]);
    expect(look(none)).toEqual([]);
    expect(look(none)).toEqual([]);
    const on = catalogOf([node("a")], [model("one", ["a"])]);
    expect([look(on), look(on, 40_000), look(on, 40_000)].flat()).toEqual([]);
    expect(look(none)).toEqual([{ event: "model.down", model: "one" }]);
  });
});

/** A server that keeps what is posted to it and answers with the next of these statuses, then with 204. */
class Receiver {
  readonly posted: { path: string; body: Record<string, unknown> }[] = [];
  readonly statuses: number[] = [];
  readonly #server: Server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      this.posted.push({ path: request.url ?? "", body: JSON.parse(text) });
      response.writeHead(this.statuses.shift() ?? 204).end();
    });
  });

  async open(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo; // a TCP listener has an address object
    return `http://127.0.0.1:${port}/hook/?sig=a%2Bb`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

await forEachDatabaseInAll((kind, open) => {
  describe(`${kind}: alerts`, () => {
    let db: Database;
    let receiver: Receiver;
    let url: string;
    const warned: unknown[] = [];
    let isTeller = true;
    const pools = new Pools({ https: null, http: null, noProxy: "" });
    const alertsWith = (allowPrivateUpstreams: boolean) =>
      new Alerts({
        db,
        catalog: both,
        health: rig.health,
        pools,
        pausesMs: [1, 1],
        log: {
          warn: (fields: unknown) => warned.push(fields),
          error: (fields: unknown) => warned.push(fields),
        },
        settings: { publicUrl: "https://gate.example", allowPrivateUpstreams },
        date: () => new Date(0),
        isTeller: async () => isTeller,
      });
    beforeEach(async () => {
      db ??= await open();
      receiver = new Receiver();
      url = await receiver.open();
      warned.length = 0;
      isTeller = true;
      await db.orm.delete(settingsTable);
      const { userId } = await makeAccount(db, { account: 0n, keys: [] });
      await updateSettings(db, { id: userId, username: "boss", ip: "127.0.0.1" }, { alertUrl: url });
    });
    afterEach(() => receiver.close());
    const watchFailure = async (alerts: Alerts) => {
      await alerts.watch();
      rig.call("connect", target("a"), 5);
      await alerts.watch();
    };

    test("are posted with a sentence, and a refusal is tried again", async () => {
      receiver.statuses.push(500, 429);
      const alerts = alertsWith(true);
      await watchFailure(alerts);
      const sentence =
        'Node "node a" of https://gate.example gets no more requests, because calls to it fail.';
      const at = new Date(0).toISOString();
      const first = { text: sentence, content: sentence, event: "node.open", node: "node a" };
      expect(receiver.posted.map(({ path }) => path)).toEqual(Array(4).fill("/hook/?sig=a%2Bb"));
      expect(receiver.posted[2]?.body).toEqual({ ...first, at, gateway: "https://gate.example" });
      expect(receiver.posted[3]?.body).toMatchObject({ event: "model.down", model: "one" });
      expect(alerts.last).toEqual({
        event: "model.down",
        at,
        ok: true,
        status: 204,
        problem: null,
        said: null,
        error: null,
      });
      await alerts.watch();
      expect(receiver.posted).toHaveLength(4);
      expect(warned).toEqual([]);
    });

    test("are given up after three tries, and the log tells it without the address", async () => {
      receiver.statuses.push(500, 500, 500);
      await watchFailure(alertsWith(true));
      expect(receiver.posted.map(({ body }) => body.event)).toEqual([
        ...Array(3).fill("node.open"),
        "model.down",
      ]);
      expect(warned).toEqual([
        { event: "node.open", node: "node a", status: 500, problem: "refused", said: null },
      ]);
    });

    test("are sent by one of several processes", async () => {
      isTeller = false;
      await watchFailure(alertsWith(true));
      expect(receiver.posted).toEqual([]);
    });

    test("do not go to a private address where nodes may have none", async () => {
      const told = await alertsWith(false).sendTest(url);
      expect(told).toMatchObject({ event: "test", ok: false, status: null, problem: "private" });
      expect(receiver.posted).toEqual([]);
    });

    test("that nobody takes are told as such", async () => {
      receiver.close();
      const told = await alertsWith(true).sendTest(url);
      expect(told).toMatchObject({ ok: false, status: null, problem: "closed" });
    });
  });
});
