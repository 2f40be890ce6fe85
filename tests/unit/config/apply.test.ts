import { asc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applyConfig, type Declared } from "@/lib/config/apply";
import { demoCatalog, environmentCatalog } from "@/lib/config/builtin";
import { decryptCredential } from "@/lib/config/credentials";
import { parseSettings } from "@/lib/config/env";
import { parseConfig } from "@/lib/config/file";
import { storedCredential } from "@/lib/config/node-credential";
import { loadSecrets, type Secrets } from "@/lib/config/secrets";
import { readConfigVersion } from "@/lib/db/config-version";
import type { Database } from "@/lib/db/database";
import { plans } from "@/lib/db/schema/accounts";
import { modelPrices, models, nodes, routes } from "@/lib/db/schema/catalog";
import { loadCatalog } from "@/lib/router/load-catalog";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { beforeWriting, cutAfter } from "@/tests/support/transactions";

const AUTH = "Kk3v0nQ9sW1xYzA7bC5dE2fG8hJ4mN6pR0tU";
const FIRST_KEY = Buffer.from("0f1e2d3c4b5a69788796a5b4c3d2e1f0").toString("base64");
const SECOND_KEY = Buffer.from("f0e1d2c3b4a5968778695a4b3c2d1e0f").toString("base64");

const nothing: Declared = { file: null, environment: { nodes: [], models: [] }, demo: null };

function settings(env: Record<string, string>) {
  const given = { AUTH_SECRET: AUTH, ENCRYPTION_KEY: FIRST_KEY, ...env };
  return parseSettings(given, { cwd: "/", exists: () => false });
}

function file(text: string): Declared {
  return { ...nothing, file: parseConfig("tollgate.yaml", text, {}) };
}

const yaml = (price: number, key = "sk-first-0000000000") => `nodes:
  - { name: main, protocol: chat, baseUrl: "http://10.0.0.1/v1", apiKey: ${key}, timeouts: { idleMs: 5, connectMs: 7 } }
models:
  - alias: gpt-main
    prices: { input: ${price}, output: 7200.5 }
    profile: { tempMax: 2, effortLevels: [low, high], prefill: true }
    routes: [{ node: main, model: gpt-5.2 }, { node: main, model: gpt-5.1, priority: 1 }]
plans:
  - { id: 1, name: Small, qps: 1, rpm: null, tpm: 10, selfService: true }
`;

const CLOUD = `nodes:
  - name: cloud
    protocol: chat
    baseUrl: https://a.example/v1
    credential:
      { kind: aws_static, accessKeyId: AKIAIOSFODNN7EXAMPLE, secretAccessKey: wJalrXUtnFEMI/K7MDENG, region: eu-west-1 }
`;

/** So many aliases with two routes each on one node. */
function many(count: number, price: number, node = "main"): Declared {
  const address = { protocol: "chat", baseUrl: "http://10.0.0.1/v1" };
  const declared = Array.from({ length: count }, (_, index) => ({
    alias: `model-${index}`,
    displayName: `at ${price}`,
    prices: { input: price, output: price },
    routes: [
      { node, model: `first-${price}` },
      { node, model: `second-${price}`, priority: 1 },
    ],
  }));
  return file(JSON.stringify({ nodes: [{ name: node, ...address }], models: declared }));
}

await forEachDatabaseInAll((_, open) => {
  const fresh = async () => [await open(), await loadSecrets(settings({}))] as const;

  describe("applying a configuration", () => {
    test("makes built-in plans, once, and leaves them to the admin", async () => {
      const [db, secrets] = await fresh();
      expect(await applyConfig(db, nothing, secrets)).toBe(true);
      await db.orm.update(plans).set({ rpm: 21 }).where(eq(plans.id, 1));
      expect(await applyConfig(db, nothing, secrets)).toBe(false);
      const stored = await db.orm.select().from(plans).orderBy(asc(plans.id));
      expect(stored.map((plan) => [plan.name, plan.qps, plan.rpm, plan.tpm, plan.selfService])).toEqual([
        ["Free", 2, 21, 40_000, true],
        ["Starter", 10, 120, 200_000, true],
        ["Pro", 30, 600, 2_000_000, true],
        ["Enterprise", null, null, null, false],
      ]);
    });

    test("twice changes nothing: no new price version, no new ciphertext, no new version number", async () => {
      const [db, secrets] = await fresh();
      expect(await applyConfig(db, file(yaml(900)), secrets)).toBe(true);
      const before = await everything(db);
      expect(await applyConfig(db, file(yaml(900)), secrets)).toBe(false);
      expect(await everything(db)).toEqual(before);
    });

    test("gives a changed price a new version and keeps the old one", async () => {
      const [db, secrets] = await fresh();
      await applyConfig(db, file(yaml(900)), secrets);
      expect(await applyConfig(db, file(yaml(900.125)), secrets)).toBe(true);
      const prices = await db.orm.select().from(modelPrices).orderBy(asc(modelPrices.version));
      expect(prices.map((price) => [price.version, price.inputNanoCents, price.outputNanoCents])).toEqual([
        [1, 900_000n, 7_200_500n],
        [2, 900_125n, 7_200_500n],
      ]);
    });

    test("gives a changed price per call a new version, and none to the same prices declared in another way", async () => {
      const [db, secrets] = await fresh();
      const declared = (perCall: string) =>
        file(yaml(900).replace("output: 7200.5", `output: 7200.5${perCall}`));
      await applyConfig(db, declared(", perCall: { webSearch: 7200000 }"), secrets);
      const same = declared(", perCall: { fileSearch: null, webSearch: 7200000 }");
      expect(await applyConfig(db, same, secrets)).toBe(false);
      expect((await loadCatalog(db)).models.get("gpt-main")?.price.perCall).toEqual({
        webSearch: 7_200_000n,
      });
      expect(await applyConfig(db, declared(""), secrets)).toBe(true);
      expect((await loadCatalog(db)).models.get("gpt-main")?.price).toMatchObject({
        version: 2,
        perCall: {},
      });
    });

    test("stores the cost of a route as declared, changes it with the file, and leaves it at the same", async () => {
      const [db, secrets] = await fresh();
      const declared = (cost: string) => file(yaml(900).replace("model: gpt-5.2", `model: gpt-5.2${cost}`));
      const costs = async () =>
        (await loadCatalog(db)).models.get("gpt-main")?.routes.map(({ cost }) => cost);
      await applyConfig(db, declared(", cost: { input: 80.5, output: 640, cacheRead: 8 }"), secrets);
      const stored = { rates: { input: 80_500n, cacheRead: 8_000n }, perCall: {} };
      expect(await costs()).toMatchObject([stored, null]);
      const same = declared(", cost: { output: 640, cacheRead: 8, input: 80.5 }");
      expect(await applyConfig(db, same, secrets)).toBe(false);
      expect(await applyConfig(db, declared(""), secrets)).toBe(true);
      expect(await costs()).toEqual([null, null]);
    });

    /** Source: docs/contract.md#removed-models. */
    test.each([
      ["", "keep", [[true, false]]],
      ["removedModels: keep\n", "keep", [[true, false]]],
      ["removedModels: disable\n", "disable", [[false, false]]],
    ])("does with a model that is taken out what the file says: %j", async (setting, becomes, left) => {
      const [db, secrets] = await fresh();
      await applyConfig(db, file(yaml(900)), secrets);
      const told: unknown[] = [];
      const apply = () =>
        applyConfig(db, file(setting + yaml(900).replace(/models:[\s\S]*(?=plans:)/, "")), secrets, {
          onTakenOut: (model, what) => told.push([model, what]),
        });
      expect(await apply()).toBe(true);
      expect(await apply()).toBe(false);
      expect(told).toEqual([["gpt-main", becomes]]);
      const rows = await db.orm.select().from(models);
      expect(rows.map(({ enabled, managedByFile }) => [enabled, managedByFile])).toEqual(left);
      expect(rows[0]?.leftFileAt).toBeInstanceOf(Date);
      await applyConfig(db, file(yaml(900)), secrets);
      const [again] = await db.orm.select().from(models);
      expect(again).toMatchObject({ enabled: true, managedByFile: true, leftFileAt: null });
    });

    test("lets go of what the file no longer declares, and leaves what it never declared", async () => {
      const [db, secrets] = await fresh();
      await db.orm
        .insert(nodes)
        .values({ name: "by-hand", protocol: "messages", baseUrl: "https://x.example" });
      await applyConfig(db, file(yaml(900)), secrets);
      expect(await applyConfig(db, nothing, secrets)).toBe(true);
      const stored = await db.orm.select().from(nodes).orderBy(asc(nodes.name));
      expect(stored.map((node) => [node.name, node.managedByFile, node.enabled])).toEqual([
        ["by-hand", false, true],
        ["main", false, true],
      ]);
      expect((await loadCatalog(db)).models.has("gpt-main")).toBe(true);
    });

    /** Source: docs/contract.md#removed-models. */
    test("tells each plan that the file no longer declares, once, and keeps it", async () => {
      const [db, secrets] = await fresh();
      await applyConfig(db, file(yaml(900)), secrets);
      const told: string[] = [];
      const onPlanReleased = (plan: string) => told.push(plan);
      const without = file(yaml(900).replace(/plans:[\s\S]*/, ""));
      for (let time = 0; time < 2; time += 1) await applyConfig(db, without, secrets, { onPlanReleased });
      expect(told).toEqual(["Small"]);
      const [plan] = await db.orm.select().from(plans);
      expect(plan).toMatchObject({ name: "Small", managedByFile: false });
    });

    /** Source: docs/contract.md#node-names. */
    test("takes a node whose name differs in case only for the same one, under the file's name", async () => {
      const [db, secrets] = await fresh();
      const [byHand] = await db.orm
        .insert(nodes)
        .values({ name: "Main", protocol: "chat", baseUrl: "https://x.example" })
        .returning();
      const told: unknown[] = [];
      const onRenamed = (from: string, to: string) => told.push([from, to]);
      const apply = () => applyConfig(db, file(yaml(900)), secrets, { onRenamed });
      expect([await apply(), await apply()]).toEqual([true, false]);
      expect(told).toEqual([["Main", "main"]]);
      const [stored, ...others] = await db.orm.select().from(nodes);
      expect(others).toEqual([]);
      expect(stored).toMatchObject({
        id: byHand?.id,
        name: "main",
        managedByFile: true,
        baseUrl: "http://10.0.0.1/v1",
      });
      const released: string[] = [];
      const upper = file(yaml(900).replaceAll("main,", "MAIN,"));
      await applyConfig(db, upper, secrets, { onReleased: (node) => released.push(node), onRenamed });
      expect([told.at(-1), released]).toEqual([["main", "MAIN"], []]);
      expect((await loadCatalog(db)).models.get("gpt-main")).toBeDefined();
    });

    test("refuses a node whose name differs in case only from those of two stored ones", async () => {
      const [db, secrets] = await fresh();
      const node = { protocol: "chat" as const, baseUrl: "https://x.example" };
      await db.orm.insert(nodes).values([
        { ...node, name: "Main" },
        { ...node, name: "MAIN" },
      ]);
      await expect(applyConfig(db, file(yaml(900)), secrets)).rejects.toThrow(
        /node "main" differs in case only from several stored nodes, "M\w+" and "M\w+"/,
      );
      await db.orm.insert(nodes).values({ ...node, name: "main" });
      expect(await applyConfig(db, file(yaml(900)), secrets)).toBe(true);
      expect((await db.orm.select().from(nodes)).map(({ name }) => name).sort()).toEqual([
        "MAIN",
        "Main",
        "main",
      ]);
    });

    test("of hundreds of aliases leaves the database to others again and again", async () => {
      const [db, secrets] = await fresh();
      await applyConfig(db, many(400, 1), secrets);
      let ended = false;
      const begun = performance.now();
      const applied = applyConfig(db, many(400, 2), secrets).finally(() => {
        ended = true;
      });
      const waits: number[] = [];
      while (!ended) {
        const asked = performance.now();
        await db.batchQuery("SELECT 1", []);
        waits.push(performance.now() - asked);
      }
      expect(await applied).toBe(true);
      const tookMs = performance.now() - begun;
      expect(Math.max(...waits)).toBeLessThan(tookMs / 4);
      const { models: live } = await loadCatalog(db);
      expect([...live.values()].filter(({ price }) => price.rates.input === 2_000n)).toHaveLength(400);
    });

    test("that is cut off leaves a catalogue that works, under its old version, and is finished by the next start", async () => {
      const [db, secrets] = await fresh();
      await applyConfig(db, many(600, 1), secrets);
      const version = await readConfigVersion(db);
      await expect(applyConfig(cutAfter(db, 2), many(600, 2, "other"), secrets)).rejects.toThrow("cut off");
      expect(await readConfigVersion(db)).toBe(version);
      const half = await loadCatalog(db);
      const pricesOf = (catalog: typeof half) => [
        ...new Set([...catalog.models.values()].map(({ price }) => price.rates.input)),
      ];
      expect(half.models.size).toBe(600);
      expect(pricesOf(half)).toContain(1_000n);
      for (const { price, routes: own } of half.models.values()) {
        // Routes and price of a model changed together.
        const names = own.map(({ nodeId }) => half.nodes.get(nodeId)?.name);
        expect(names).toEqual(price.rates.input === 1_000n ? ["main", "main"] : ["other", "other"]);
      }
      expect(await applyConfig(db, many(600, 2, "other"), secrets)).toBe(true);
      expect(pricesOf(await loadCatalog(db))).toEqual([2_000n]);
      expect(await readConfigVersion(db)).not.toBe(version);
    });

    test("numbers a price after one that an admin has set meanwhile", async () => {
      const [db, secrets] = await fresh();
      await applyConfig(db, file(yaml(900)), secrets);
      const raced = beforeWriting(db, async () => {
        const [model] = await db.orm.select().from(models);
        const prices = { inputNanoCents: 1n, outputNanoCents: 1n };
        await db.orm.insert(modelPrices).values({ modelId: model?.id ?? "", version: 2, ...prices });
      });
      await applyConfig(raced, file(yaml(901)), secrets);
      const prices = await db.orm.select().from(modelPrices).orderBy(asc(modelPrices.version));
      expect(prices.map(({ version, inputNanoCents }) => [version, inputNanoCents])).toEqual([
        [1, 900_000n],
        [2, 1n],
        [3, 901_000n],
      ]);
    });

    test("refuses a route to an unknown node by name and place, and then has changed nothing", async () => {
      const [db, secrets] = await fresh();
      const wrong = file(yaml(900).replace("{ node: main, model: gpt-5.1", "{ node: mian, model: gpt-5.1"));
      await expect(applyConfig(db, wrong, secrets)).rejects.toThrow(
        /tollgate\.yaml:7:\d+ model "gpt-main" names node "mian", which does not exist/,
      );
      expect(await db.orm.select().from(nodes)).toEqual([]);
    });

    test("keeps credentials readable through a rotation of the key and afterwards", async () => {
      const db = await open();
      await applyConfig(db, file(yaml(900)), await loadSecrets(settings({})));
      await db.orm.update(nodes).set({ managedByFile: false });
      const rotating = await loadSecrets(
        settings({ ENCRYPTION_KEY: SECOND_KEY, ENCRYPTION_KEY_PREVIOUS: FIRST_KEY }),
      );
      expect(await applyConfig(db, nothing, rotating)).toBe(true);
      expect(await storedKey(db, await loadSecrets(settings({ ENCRYPTION_KEY: SECOND_KEY })))).toBe(
        "sk-first-0000000000",
      );
    });

    /** Source: docs/clouds.md#stored. */
    test("keeps the credential of a cloud as it is, and encrypts it anew in a rotation", async () => {
      const [db, secrets] = await fresh();
      const declared = file(CLOUD);
      expect(await applyConfig(db, declared, secrets)).toBe(true);
      expect(await applyConfig(db, declared, secrets)).toBe(false);
      const rotating = await loadSecrets(
        settings({ ENCRYPTION_KEY: SECOND_KEY, ENCRYPTION_KEY_PREVIOUS: FIRST_KEY }),
      );
      await db.orm.update(nodes).set({ managedByFile: false });
      expect(await applyConfig(db, nothing, rotating)).toBe(true);
      const [row] = await db.orm.select().from(nodes);
      if (row === undefined) throw new Error("no node is stored");
      const { credentials } = await loadSecrets(settings({ ENCRYPTION_KEY: SECOND_KEY }));
      expect(storedCredential(credentials, row)).toEqual(declared.file?.document.nodes[0]?.credential);
      expect(row.credentialFacts).toMatchObject({ principal: "AKIAIOSFODNN7EXAMPLE", region: "eu-west-1" });
    });

    test("gives a vendor's key from the environment a node and priced aliases, and follows a new key", async () => {
      const [db, secrets] = await fresh();
      const first = environmentCatalog(settings({ ANTHROPIC_API_KEY: "sk-ant-1", USD_CNY: "7.2" }));
      await applyConfig(db, { ...nothing, environment: first }, secrets);
      await db.orm.update(nodes).set({ baseUrl: "https://proxy.example" });
      const second = environmentCatalog(settings({ ANTHROPIC_API_KEY: "sk-ant-2" }));
      expect(await applyConfig(db, { ...nothing, environment: second }, secrets)).toBe(true);
      expect(await storedKey(db, secrets)).toBe("sk-ant-2");
      const catalog = await loadCatalog(db);
      expect([...catalog.nodes.values()][0]?.baseUrl).toBe("https://proxy.example");
      expect(catalog.models.get("claude-sonnet-4-5")?.price).toMatchObject({
        rates: { input: 2_160_000n, output: 10_800_000n, cacheRead: 216_000n, cacheWrite: 2_700_000n },
      });
    });

    test("points the simulated nodes at this process, and switches them off when it simulates nothing", async () => {
      const [db, secrets] = await fresh();
      await applyConfig(db, { ...nothing, demo: demoCatalog("http://127.0.0.1:1111") }, secrets);
      await applyConfig(db, { ...nothing, demo: demoCatalog("http://127.0.0.1:2222") }, secrets);
      const live = await loadCatalog(db);
      expect([...live.models.keys()]).toEqual([
        "claude-demo",
        "demo-chat",
        "demo-embedding",
        "demo-failover",
        "demo-messages",
        "demo-mixed",
        "demo-responses",
      ]);
      expect([...live.nodes.values()].map((node) => [node.baseUrl, node.simulated]).sort()).toEqual([
        ["http://127.0.0.1:2222", true],
        ["http://127.0.0.1:2222/v1", true],
        ["http://127.0.0.1:2222/v1", true],
      ]);
      await applyConfig(db, nothing, secrets);
      expect([...(await loadCatalog(db)).models.keys()]).toEqual([]);
    });

    test("of two processes at once is done once", async () => {
      const [db, secrets] = await fresh();
      const changed = await Promise.all([1, 2, 3].map(() => applyConfig(db, file(yaml(900)), secrets)));
      expect(changed.filter(Boolean)).toHaveLength(1);
      expect(await readConfigVersion(db)).toBe("1");
    });
  });
});

async function everything(db: Database) {
  return [
    await db.orm.select().from(nodes),
    await db.orm.select().from(models),
    await db.orm.select().from(routes),
    await db.orm.select().from(modelPrices),
    await db.orm.select().from(plans),
    await readConfigVersion(db),
  ];
}

async function storedKey(db: Database, secrets: Secrets): Promise<string> {
  const [node] = await db.orm.select().from(nodes);
  const { credential, credentialKeyId } = node ?? {};
  if (!node || !credential || !credentialKeyId) throw new Error("no credential is stored");
  return decryptCredential(secrets.credentials, node.id, { credential, credentialKeyId });
}
