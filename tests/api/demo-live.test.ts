import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { keyRecord } from "@/lib/api/schemas/keys";
import { listOf } from "@/lib/api/schemas/list-of";
import { nodeView } from "@/lib/api/schemas/nodes";
import { LIVE_KEY } from "@/scripts/demo/seed-plan";
import { accountServer } from "../support/account-server";
import { eventually } from "../support/gateway-fixtures";

const WITHIN_MS = 60_000;
/** So many of the server's seconds are one of the test's. */
const CLOCK_SPEED = 5;

const server = accountServer({ env: { DEMO_SEED: "1" }, clockSpeed: CLOCK_SPEED });

const nodes = async () =>
  listOf(nodeView).parse((await server().api("GET", "/api/admin/nodes", await server().adminToken())).body)
    .data;
const liveKey = async () => {
  const { body } = await server().api("GET", "/api/user/tokens?pageSize=100", await server().adminToken());
  const key = listOf(keyRecord)
    .parse(body)
    .data.find(({ name }) => name === LIVE_KEY);
  if (key === undefined) throw new Error("the demo has no key for live traffic");
  return key;
};

describe("the demo", () => {
  test("calls by itself, so that nodes have figures and one circuit is open", async () => {
    await eventually(async () => {
      const states = new Map((await nodes()).map(({ name, health }) => [name, health]));
      const alive =
        states.get("demo-unreachable")?.state === "ejected" &&
        states.get("demo-chat-node")?.successShare === 1 &&
        states.get("demo-messages-node")?.successShare === 1;
      return alive ? true : null;
    }, WITHIN_MS);
    expect((await liveKey()).usedQuota).toBeGreaterThan(0);
  }, 90_000);

  test("goes on calling after a restart, and no more once its key is gone", async () => {
    const used = (await liveKey()).usedQuota;
    await server().stop("SIGINT");
    await server().start();
    await eventually(async () => ((await liveKey()).usedQuota > used ? true : null), WITHIN_MS);
    const { id } = await liveKey();
    const gone = await server().api("DELETE", `/api/user/tokens/${id}`, await server().adminToken());
    expect(gone.status).toBe(204);
    await server().stop("SIGINT");
    await server().start();
    await sleep(2_000 / CLOCK_SPEED);
    expect((await nodes()).map(({ health }) => health.attempts)).toEqual([0, 0, 0, 0]);
  }, 180_000);
});
