import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, gatewayFor, keyMoney } from "@/tests/support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "@/tests/support/scripted-upstream";
import { whole } from "./support/raw-upstream";

const CHAT = "/v1/chat/completions";
const CALLS = 2_000;
const AT_ONCE = 50;

let patient: ScriptedUpstream | null = null;
let healthy = false;
beforeAll(async () => {
  patient = await startScriptedUpstream((response) => {
    if (healthy)
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(whole({ prompt_tokens: 1, completion_tokens: 1 }));
    else sendJson(response, 500, { error: { message: "not yet" } });
  });
});
afterAll(() => patient?.close());

const gateway = gatewayFor({
  nodes: () => [
    { name: "recovering", url: patient?.url ?? "" },
    ...[1, 2, 3].map((number) => ({ name: `hanging-${number}`, timeouts: { firstByteMs: 25_000 } })),
    { name: "hanging-by-default" },
    ...[1, 2, 3].map((number) => ({ name: `failing-${number}` })),
  ],
  models: [
    { alias: "recovering", routes: [["recovering", "m"]] },
    {
      alias: "hanging",
      routes: [1, 2, 3].map(
        (number) => [`hanging-${number}`, "sim-hang", number] as [string, string, number],
      ),
    },
    {
      alias: "rescued",
      routes: [
        ["hanging-by-default", "sim-hang", 0],
        ["chat-b", "sim-good", 1],
      ],
    },
    // Many upstream models: none of them alone is asked often enough to be left alone at once.
    ...Array.from({ length: 40 }, (_, index) => ({
      alias: `failing-${index}`,
      routes: [1, 2, 3].map(
        (number) => [`failing-${number}`, `sim-500+${index}`, number] as [string, string, number],
      ),
    })),
  ],
});

async function call(key: string, model: string, stream = false) {
  const begun = performance.now();
  const answer = await gateway.server.gateway(CHAT, key, chatBody(model, { stream }));
  await answer.arrayBuffer();
  return { status: answer.status, tookMs: performance.now() - begun };
}

/** These wait for real deadlines, so they wait together. */
describe.concurrent("nodes that hang", () => {
  /** Source: docs/reliability.md#r-81. */
  test("one after the other for 25 s each are given up when the caller has waited a minute", async () => {
    const user = await gateway.key();
    const { status, tookMs } = await call(user.key, "hanging", true);
    expect(status).toBe(502);
    expect(tookMs).toBeGreaterThan(50_000);
    expect(tookMs).toBeLessThan(63_000);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ held: 0, usedQuota: 0 });
  });

  /** Source: docs/reliability.md#r-55. */
  test("are given up after 30 s where nothing else is said, and the next one answers", async () => {
    const user = await gateway.key();
    const { status, tookMs } = await call(user.key, "rescued", true);
    expect(status).toBe(200);
    expect(tookMs).toBeGreaterThan(29_000);
    expect(tookMs).toBeLessThan(35_000);
  });
});

/** Source: docs/reliability.md#r-80. */
test(`of ${CALLS} calls that no node can answer nodes are asked at most a fifth oftener than that, and three times`, async () => {
  const user = await gateway.key();
  const before = gateway.upstream.counters().requests;
  const statuses = new Set<number>();
  let left = CALLS;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      statuses.add((await call(user.key, `failing-${left % 40}`)).status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect([...statuses].filter((status) => status !== 502 && status !== 503)).toEqual([]);
  const asked = gateway.upstream.counters().requests - before;
  process.stdout.write(`${CALLS} calls: nodes were asked ${asked} times\n`);
  expect(asked).toBeLessThanOrEqual(1.2 * CALLS + 3);
  expect(await keyMoney(gateway.server, user)).toMatchObject({ held: 0, usedQuota: 0 });
});

/** Source: docs/reliability.md#r-79, #r-85. */
test("when every node is out, one is tried each second, and its recovery is seen within two", async () => {
  const user = await gateway.key();
  for (let index = 0; index < 5; index += 1) expect((await call(user.key, "recovering")).status).toBe(502);
  const asked = patient?.calls.length ?? 0;
  const begun = performance.now();
  while (performance.now() - begun < 5_000) {
    expect((await call(user.key, "recovering")).status).toBeGreaterThanOrEqual(502);
    await sleep(50);
  }
  const probes = (patient?.calls.length ?? 0) - asked;
  expect(probes).toBeGreaterThanOrEqual(3);
  expect(probes).toBeLessThanOrEqual(7);
  healthy = true;
  const healed = performance.now();
  while ((await call(user.key, "recovering")).status !== 200) {
    expect(performance.now() - healed).toBeLessThan(3_000);
    await sleep(50);
  }
});
