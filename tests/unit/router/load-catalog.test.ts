import { beforeAll, describe, expect, it } from "vitest";
import { bumpConfigVersion, CONFIG_CHANNEL, readConfigVersion } from "@/lib/db/config-version";
import type { Database } from "@/lib/db/database";
import { plans } from "@/lib/db/schema/accounts";
import { modelPrices, models, nodes, routes } from "@/lib/db/schema/catalog";
import { HOUR_MS } from "@/lib/kernel/durations";
import { resolveAlias, routesOf } from "@/lib/router/catalog";
import { openCatalog } from "@/lib/router/catalog-store";
import { loadCatalog } from "@/lib/router/load-catalog";
import { forEachDatabaseInAll } from "../../support/database";

const NODE_ID = "00000000-0000-4000-8000-000000000001";
const MODEL_ID = "00000000-0000-4000-8000-000000000002";

function price(version: number, validFrom: Date) {
  const inputNanoCents = BigInt(version) * 1_000n;
  return { modelId: MODEL_ID, version, inputNanoCents, outputNanoCents: 9_007_199_254_740_993n, validFrom };
}

async function seed({ orm }: Database): Promise<void> {
  await orm
    .insert(plans)
    .values({ id: 77, name: "Own", qps: 3, rpm: null, tpm: 5_000, keyQuotaMicroCents: 5n });
  await orm.insert(nodes).values({
    id: NODE_ID,
    name: "main",
    protocol: "messages",
    baseUrl: "https://upstream.example",
    credential: Buffer.from([0, 255, 7]),
    headers: { "x-extra": "1" },
    timeouts: { idleMs: 9_000 },
  });
  await orm
    .insert(models)
    .values({ id: MODEL_ID, alias: "main", alsoKnownAs: ["main-*"], profile: { midSystem: "merge" } });
  await orm.insert(models).values({ alias: "unpriced" });
  await orm.insert(routes).values({ modelId: MODEL_ID, nodeId: NODE_ID, upstreamModel: "late", priority: 5 });
  await orm
    .insert(routes)
    .values({ modelId: MODEL_ID, nodeId: NODE_ID, upstreamModel: "early", priority: 1 });
  const earlier = new Date(Date.now() - 2 * HOUR_MS);
  const past = new Date(Date.now() - HOUR_MS);
  await orm
    .insert(modelPrices)
    .values([price(1, past), price(2, past), price(3, new Date(Date.now() + HOUR_MS)), price(4, earlier)]);
}

describe("catalog from the database", async () => {
  await forEachDatabaseInAll((_, open) => {
    let database: Database;

    beforeAll(async () => {
      database = await open();
      await seed(database);
    });

    it("reads nodes, models, routes, plans and the price in force, exactly", async () => {
      const snapshot = await loadCatalog(database);
      const model = resolveAlias(snapshot, "main-42");
      if (model === null) throw new Error("the model is not live");
      expect(model.price).toMatchObject({
        version: 2,
        rates: { input: 2_000n, output: 9_007_199_254_740_993n, cacheRead: null, cacheWrite: null },
        tiers: [],
        perCall: {},
      });
      expect(model.profile).toEqual({ midSystem: "merge" });
      const found = routesOf(snapshot, model);
      expect(found.map(({ route }) => route.upstreamModel)).toEqual(["early", "late"]);
      expect(found[0]?.node).toMatchObject({
        protocol: "messages",
        headers: { "x-extra": "1" },
        timeouts: {
          connectMs: 5_000,
          firstByteMs: 30_000,
          responseMs: 300_000,
          idleMs: 9_000,
          totalMs: 900_000,
        },
      });
      expect(found[0]?.node.credential).toEqual(Buffer.from([0, 255, 7]));
      expect(snapshot.plans.get(77)).toEqual({
        id: 77,
        name: "Own",
        qps: 3,
        rpm: null,
        tpm: 5_000,
        concurrent: null,
        keyQuotaMicroCents: 5n,
        accountLimits: null,
        selfService: false,
      });
      expect(resolveAlias(snapshot, "unpriced")).toBeNull();
      expect(snapshot.nextPriceAt?.getTime()).toBeGreaterThan(Date.now());
    });

    it("grows its version with every change, one by one even at the same time", async () => {
      const before = BigInt(await readConfigVersion(database));
      await Promise.all(Array.from({ length: 5 }, () => bumpConfigVersion(database.orm)));
      expect(BigInt(await readConfigVersion(database))).toBe(before + 5n);
    });

    it("is reloaded as soon as a change is announced", async () => {
      const fail = (error: unknown) => {
        throw error;
      };
      const store = await openCatalog(database, fail);
      await bumpConfigVersion(database.orm);
      const version = await readConfigVersion(database);
      await database.notify(CONFIG_CHANNEL, version);
      for (let i = 0; i < 40 && store.current.version !== version; i++) {
        await new Promise((done) => setTimeout(done, 25));
      }
      expect(store.current.version).toBe(version);
      await store.close();
    });
  });
});
