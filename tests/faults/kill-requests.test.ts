import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Failpoint } from "@/lib/kernel/failpoint";
import { eventually, keyMoney, logEntries, logEntry } from "@/tests/support/gateway-fixtures";
import type { TestUser } from "@/tests/support/server";
import { forEachServerDatabase } from "@/tests/support/server-databases";
import { listenTo, Rig } from "./support/rig";

/** 1,000 tokens at 100 and 500 at 300 cents a million. Units: cents. */
const COST = 0.25;
const models = [
  { alias: "steady", routes: [["chat", "sim-chunks-10+every-20ms+usage-1000-500"]] as [string, string][] },
  {
    alias: "words",
    kind: "embedding",
    prices: { input: 1_000_000, output: 0 },
    routes: [["chat", "sim-first-30000ms"]] as [string, string][],
  },
  { alias: "long", routes: [["chat", "sim-chunks-500+every-20ms+usage-1000-500"]] as [string, string][] },
];

/**
 * Kill -9 at each point of a request's life; then a restart, and the books. Source: docs/reliability.md#r-27, #r-28,
 * #r-29, #r-31.
 */
await forEachServerDatabase((kind) => {
  let rig: Rig;
  let user: TestUser;
  beforeAll(async () => {
    rig = await Rig.start({ database: kind, models });
  });
  afterAll(() => rig.stop());

  /** Lets the server die at a point of one request of a fresh key. */
  async function dieAt(failpoint: Failpoint) {
    user = await rig.gateway.key();
    rig.armFailpoint(failpoint);
    const heard = await listenTo(rig.server, user, "steady");
    expect(await rig.server.ended()).toBe("SIGKILL");
    await rig.restart();
    return heard;
  }

  describe("killed", () => {
    test("after the hold, before any node is called: nothing is billed, the hold is given back", async () => {
      const calls = rig.gateway.upstream.counters().requests;
      const heard = await dieAt("after-hold");
      expect(heard).toMatchObject({ broken: true, text: "" });
      expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 0, held: 0 });
      expect(rig.gateway.upstream.counters().requests).toBe(calls);
      if (kind === "postgres") {
        const states = await rig.sql("SELECT state FROM usage_holds WHERE key_id = $1", [user.keyId]);
        expect(states).toEqual([{ state: "expired" }]);
      }
    });

    test("in mid-stream: the client sees it break, the node sees it go, nothing is billed", async () => {
      user = await rig.gateway.key();
      const { aborted } = rig.gateway.upstream.counters();
      let killed = false;
      const heard = await listenTo(rig.server, user, "long", (text) => {
        if (killed || text.length < 1_000) return;
        killed = true;
        void rig.server.stop("SIGKILL");
      });
      expect(heard).toMatchObject({ broken: true, terminal: false });
      await eventually(async () => (rig.gateway.upstream.counters().aborted === aborted + 1 ? true : null));
      await rig.restart();
      expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 0, held: 0 });
    });

    test("while a node makes embeddings: nothing is billed, the hold is given back, the node sees it go", async () => {
      user = await rig.gateway.key();
      const { aborted, inFlight } = rig.gateway.upstream.counters();
      const call = rig.server
        .gateway("/v1/embeddings", user.key, { model: "words", input: "hello" })
        .then((answer) => answer.status)
        .catch(() => "broken");
      await eventually(async () => (rig.gateway.upstream.counters().inFlight > inFlight ? true : null));
      expect((await keyMoney(rig.server, user)).held).toBeGreaterThan(0);
      await rig.server.stop("SIGKILL");
      expect(await call).toBe("broken");
      await eventually(async () => (rig.gateway.upstream.counters().aborted > aborted ? true : null));
      await rig.restart();
      expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 0, held: 0 });
      expect(await logEntries(rig.server, user)).toEqual([]);
    });

    test("while the node of a client who has left is read on: nothing is billed, the hold is given back", async () => {
      user = await rig.gateway.key();
      rig.armFailpoint("reading-on");
      const leaving = new AbortController();
      const leave = (text: string) => {
        if (text.length > 1_000) leaving.abort();
      };
      await listenTo(rig.server, user, "long", leave, leaving.signal);
      expect(await rig.server.ended()).toBe("SIGKILL");
      await rig.restart();
      expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 0, held: 0 });
      expect(await logEntries(rig.server, user)).toEqual([]);
    });

    test("after the node's last frame, before the settlement: no terminal event was seen, nothing is billed", async () => {
      const heard = await dieAt("before-settle");
      expect(heard).toMatchObject({ broken: true, terminal: false });
      expect(heard.text).toContain("simulated");
      expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 0, held: 0 });
      expect(await logEntries(rig.server, user)).toEqual([]);
    });

    test("after the settlement, before the terminal event: billed once, and a restart bills nothing more", async () => {
      const heard = await dieAt("after-settle");
      expect(heard).toMatchObject({ broken: true, terminal: false });
      expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: COST, held: 0 });
      await rig.restart();
      expect(await keyMoney(rig.server, user)).toMatchObject({ usedQuota: COST, held: 0 });
      expect(await logEntries(rig.server, user)).toHaveLength(1);
    });

    test("after the terminal event: billed once, and all of it can be read", async () => {
      user = await rig.gateway.key();
      const heard = await listenTo(rig.server, user, "steady");
      await rig.server.stop("SIGKILL");
      expect(heard).toMatchObject({ terminal: true, broken: false });
      await rig.restart();
      expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: COST, held: 0 });
      expect(await logEntry(rig.server, user, heard.requestId)).toMatchObject({ status: "success" });
    });
  });
});
