import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import { openPrivateRedis, type PrivateRedis, privateRedisSkipReason } from "@/tests/support/redis";
import { TestServer, type TestUser } from "@/tests/support/server";
import { sharedSecrets } from "@/tests/support/shared-secrets";
import { FAULTY_SERVER } from "./support/build-faulty";
import { FULL, Rig } from "./support/rig";

/** 2,200 tokens at 100 and 100 at 300 cents a million. Units: cents. */
const COST = 0.25;
const CLIENTS = 10;
/** The real figure needs a machine that does nothing else. */
const REFUSED_SHARE = FULL ? 0.001 : 0.15;
const postgres = await postgresServer();
const missing = "unavailable" in postgres ? postgres.unavailable : privateRedisSkipReason;
const without = missing === null ? "" : ` (${missing})`;

/** Source: docs/reliability.md#r-151, #r-156. */
describe.skipIf(without !== "")(`replacing every process of two under load${without}`, () => {
  let redis: PrivateRedis;
  let rig: Rig;
  let user: TestUser;
  const started: TestServer[] = [];
  /** What the balancer may send to: processes that say they are ready. */
  let ready: TestServer[] = [];
  let balancing: NodeJS.Timeout;
  beforeAll(async () => {
    redis = await openPrivateRedis();
    rig = await Rig.start({
      database: "postgres",
      models: [
        { alias: "quick", routes: [["chat", "sim-usage-2200-100"]] },
        { alias: "slow", routes: [["chat", "sim-first-1500ms+usage-2200-100"]] },
      ],
      env: { ...sharedSecrets(), REDIS_URL: redis.url, REPLICAS: "2", DRAIN_SECONDS: "24" },
    });
    started.push(rig.server, await another());
    user = await rig.gateway.key();
    ready = [...started];
    balancing = setInterval(() => void look(), 200);
  });
  afterAll(async () => {
    clearInterval(balancing);
    for (const server of started.slice(1)) await server.stop("SIGKILL");
    await rig.stop();
    await redis.stop();
  });

  async function another(): Promise<TestServer> {
    return new TestServer({ ...rig.server.env }, FAULTY_SERVER).start();
  }

  async function look(): Promise<void> {
    const states = await Promise.all(
      started.map((server) =>
        fetch(`${server.url}/api/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    ready = started.filter((_, index) => states[index]);
  }

  test("breaks no call, and bills each once", async () => {
    const counts: Record<string, number> = {};
    let ended = false;
    let turn = 0;
    const client = async (model: string) => {
      while (!ended) {
        turn += 1;
        const server = ready[turn % ready.length] ?? rig.server;
        const status = await server.gateway("/v1/chat/completions", user.key, chatBody(model)).then(
          async (answer) => {
            await answer.arrayBuffer();
            return answer.status;
          },
          () => "broken",
        );
        counts[status] = (counts[status] ?? 0) + 1;
        await sleep(20);
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, index) => client(index % 2 === 0 ? "quick" : "slow"));
    const exits: (number | null)[] = [];
    for (const old of [...started]) {
      started.push(await another());
      await look();
      exits.push(await old.stop("SIGTERM"));
    }
    ended = true;
    await Promise.all(clients);
    expect(exits).toEqual([0, 0]);
    // A machine with too much to do sheds calls; those are not billed.
    const { 200: served = 0, 503: shed = 0, ...others } = counts;
    process.stdout.write(`both processes replaced: ${served} served, ${shed} shed\n`);
    expect(others).toEqual({});
    expect(shed / (served + shed)).toBeLessThan(REFUSED_SHARE);
    // The first process has gone; the books are asked of one that lives.
    rig.server.url = started.at(-1)?.url ?? "";
    expect((await rig.settledBooks(user)).usedQuota).toBeCloseTo(served * COST, 4);
  });
});
