import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "@/tests/support/gateway-fixtures";
import { childrenOf } from "@/tests/support/processes";
import type { TestServer, TestUser } from "@/tests/support/server";
import { FULL, openStreams, Rig } from "./support/rig";

const STREAMS = FULL ? 1_000 : 200;
const OPENED_AT_ONCE = 50;
const FRAME_MS = 1_000;
const FRAMES = FULL ? 60 : 20;
const BACK_WITHIN_MS = 5_000;
/** Two probes, each after 5 s, have no answer within 10 s; then the process starts. */
const UNHUNG_WITHIN_MS = 45_000;

/** Source: docs/architecture.md#s1-1. */
describe(`kill -9 of the pages process under ${STREAMS} streams`, () => {
  let rig: Rig;
  let user: TestUser;
  beforeAll(async () => {
    rig = await Rig.start({
      database: "embedded",
      models: [
        { alias: "calm", routes: [["chat", `sim-chunks-${FRAMES}+every-${FRAME_MS}ms+usage-1000-100`]] },
        { alias: "quick", routes: [["chat", "sim-usage-1000-100"]] },
      ],
    });
    user = await rig.gateway.key();
  });
  afterAll(() => rig.stop());

  test("no call notices, pages are back within seconds, and every stream is billed once", async () => {
    const pages = await pagesOf(rig.server);
    expect((await fetch(`${rig.server.url}/login`)).status).toBe(200);
    const ends = [];
    for (let opened = 0; opened < STREAMS; opened += OPENED_AT_ONCE)
      ends.push((await openStreams(rig.server, user, "calm", OPENED_AT_ONCE)).all);
    const killedAt = performance.now();
    process.kill(pages, "SIGKILL");
    const page = fetch(`${rig.server.url}/login`).then(({ status }) => [
      status,
      performance.now() - killedAt < BACK_WITHIN_MS,
    ]);
    const { terminal, broken, status } = await oneCall(rig.server, user);
    expect([terminal, broken, status]).toEqual([true, false, 200]);
    expect(await page).toEqual([200, true]);
    expect(await pagesOf(rig.server)).not.toBe(pages);
    const heard = (await Promise.all(ends)).flat();
    expect(heard.filter((each) => each.terminal && !each.broken && each.status === 200)).toHaveLength(
      STREAMS,
    );
    // 1,000 tokens at 100 and 100 at 300 cents a million.
    expect((await rig.settledBooks(user)).usedQuota).toBeCloseTo((STREAMS + 1) * 0.13, 4);
  });

  test("a pages process that hangs is killed and started again", async () => {
    const pages = await pagesOf(rig.server);
    expect((await fetch(`${rig.server.url}/login`)).status).toBe(200);
    process.kill(pages, "SIGSTOP");
    const killed = await eventually(
      async () => (childrenOf(rig.server.pid, "dist/pages.js").includes(pages) ? null : true),
      UNHUNG_WITHIN_MS,
    );
    expect(killed).toBe(true);
    expect((await fetch(`${rig.server.url}/login`)).status).toBe(200);
  });
});

async function oneCall(server: TestServer, user: TestUser) {
  const [heard] = await (await openStreams(server, user, "quick", 1)).all;
  if (heard === undefined) throw new Error("one stream was opened");
  return heard;
}

function pagesOf(server: TestServer): Promise<number> {
  return eventually(async () => childrenOf(server.pid, "dist/pages.js")[0] ?? null);
}
