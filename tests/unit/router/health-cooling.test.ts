import { describe, expect, it } from "vitest";
import { buildSnapshot } from "@/lib/router/catalog";
import { nodeReport } from "@/lib/router/health-report";
import { limitedCoolMs, parseRetryAfter } from "@/lib/router/node-health";
import { makeModel, makeNode, makeRoute } from "./factories";
import { HealthRig, target } from "./health-rig";

const rig = new HealthRig();

describe("cool-downs", () => {
  it.each([
    ["5", 5_000],
    ["-1", 1_000],
    ["0", 1_000],
    ["99999", 60_000],
    ["soon", 5_000],
    [null, 5_000],
    ["Thu, 01 Jan 2026 00:00:20 GMT", 20_000],
    ["Thu, 01 Jan 2026 02:00:00 GMT", 60_000],
    ["Wed, 31 Dec 2025 23:00:00 GMT", 1_000],
  ])("reads Retry-After %s of a 429 as %d ms", (header, expected) => {
    const retryAfterMs = parseRetryAfter(header, Date.UTC(2026, 0, 1));
    rig.call({ kind: "limited", status: 429, retryAfterMs });
    expect(rig.state()).toMatchObject({ state: "cooling", cause: "limited", returnsInMs: expected });
    expect(limitedCoolMs(Number.NaN)).toBe(5_000);
  });

  it("cools a limited model without ejecting it, and uses it again after the time", () => {
    rig.call({ kind: "limited", retryAfterMs: 5_000 }, target(), 1);
    expect(rig.health.begin(target(), "normal", false)).toBe("unavailable");
    rig.now += 5_000;
    rig.call("ok");
    expect(nodeReport(rig.health, makeNode("a")).models[0]).toMatchObject({ ejections: 0, state: "healthy" });
  });

  it("keeps the longer of two times that a node asks for", () => {
    const first = rig.begin();
    const second = rig.begin();
    first.end({ kind: "limited", retryAfterMs: 40_000 });
    second.end({ kind: "limited", retryAfterMs: 2_000 });
    expect(rig.state()).toMatchObject({ state: "cooling", returnsInMs: 40_000 });
  });

  it("leaves a node whose account cannot pay alone from the first refusal on, for 2 minutes and then for longer", () => {
    rig.call({ kind: "billing", status: 402, message: "Insufficient Balance" }, target("a", "m1"));
    const unpaid = { state: "cooling", cause: "billing", returnsInMs: 120_000, probeDue: false };
    expect(rig.state(target("a", "m2"))).toEqual(unpaid);
    const report = nodeReport(rig.health, makeNode("a"));
    expect(report).toMatchObject({ state: "cooling", cause: "billing", circuit: { cause: "billing" } });
    expect(report.lastError).toMatchObject({ kind: "billing", status: 402, message: "Insufficient Balance" });
    expect(rig.events.at(-1)).toMatchObject({ type: "cooling", cause: "billing", upstreamModel: null });
    rig.now += 120_000;
    expect(rig.state(target("a", "m1"))).toMatchObject({ state: "half-open", cause: "billing" });
    rig.call("billing", target("a", "m1"));
    expect(rig.state(target("a", "m1"))).toMatchObject({ cause: "billing", returnsInMs: 240_000 });
    rig.now += 240_000;
    rig.call("ok", target("a", "m1"));
    expect(rig.state(target("a", "m1")).state).toBe("ok");
    expect(rig.events.at(-1)).toMatchObject({ type: "recovered", cause: "billing" });
  });

  it("takes a node whose account can pay again at once after a reset", () => {
    rig.call("billing");
    expect(rig.state().state).toBe("cooling");
    rig.health.reset("a");
    expect(rig.state().state).toBe("ok");
  });

  it("reports the bill of a node from its account alone, and after a reset as unproven until a success", () => {
    const bill = () => nodeReport(rig.health, makeNode("a")).bill;
    expect(bill()).toBe("paid");
    rig.call("billing");
    expect(bill()).toBe("unpaid");
    rig.now += 120_000;
    expect(bill()).toBe("unpaid");
    rig.call("connect", target(), 5);
    expect(bill()).toBe("unpaid");
    rig.health.reset("a");
    expect(bill()).toBe("unproven");
    rig.call("limited");
    expect(bill()).toBe("unproven");
    rig.now += 60_000;
    rig.call("ok");
    expect(bill()).toBe("paid");
    rig.call("billing");
    rig.health.reset("a");
    rig.call("billing");
    rig.now += 120_000;
    rig.begin().firstEvent();
    expect(bill()).toBe("paid");
    rig.health.reset("a");
    expect(bill()).toBe("paid");
  });

  it("leaves a credential alone for 30 s after the third refusal in a row, for all models of its node", () => {
    rig.call({ kind: "credential", status: 401 }, target("a", "m1"));
    rig.call({ kind: "credential", status: 403 }, target("a", "m2"));
    expect(rig.state().state).toBe("ok");
    expect(rig.events).toEqual([]);
    rig.call({ kind: "credential", status: 401 });
    expect(rig.state(target("a", "other"))).toMatchObject({
      state: "cooling",
      cause: "credential",
      returnsInMs: 30_000,
    });
    expect(nodeReport(rig.health, makeNode("a"))).toMatchObject({ state: "cooling", cause: "credential" });
    expect(rig.health.begin(target("a", "other"), "spared", false)).toBe("unavailable");
    expect(rig.events).toMatchObject([
      { type: "cooling", upstreamModel: null, cause: "credential", forMs: 30_000 },
    ]);
  });

  it("begins the count of refusals anew after a success, also that of a stream which has only begun", () => {
    for (let i = 0; i < 5; i++) {
      rig.call("credential", target(), 2);
      if (i % 2 === 0) rig.call("ok");
      else rig.begin().firstEvent();
    }
    expect(rig.state().state).toBe("ok");
  });

  it.each(["server", "request", "timeout", "limited"] as const)("takes no %s for a success", (kind) => {
    rig.call("credential", target(), 2);
    rig.call(kind, target("a", "other"));
    rig.call("credential");
    expect(rig.state()).toMatchObject({ state: "cooling", cause: "credential" });
  });

  it("tries a refused credential with one call at a time, and leaves it alone for 30 s again", () => {
    rig.call("credential", target(), 3);
    for (let i = 0; i < 3; i++) {
      rig.now += 30_000;
      expect(rig.state()).toMatchObject({ state: "half-open", cause: "credential" });
      expect(nodeReport(rig.health, makeNode("a"))).toMatchObject({
        state: "half-open",
        cause: "credential",
      });
      const trial = rig.begin();
      expect(trial.kind).toBe("trial");
      expect(rig.health.begin(target("a", "other"), "normal", false)).toBe("unavailable");
      trial.end({ kind: "credential" });
      expect(rig.state()).toMatchObject({ state: "cooling", returnsInMs: 30_000 });
    }
    rig.now += 30_000;
    rig.begin().end({ kind: "server" });
    rig.begin().firstEvent();
    expect(rig.state().state).toBe("ok");
    expect(rig.events.at(-1)).toMatchObject({ type: "recovered", cause: "credential", upstreamModel: null });
  });

  it("does not count refusals of calls that began before the third one", () => {
    const early = [rig.begin(), rig.begin()];
    rig.call("credential", target(), 3);
    rig.now += 30_000;
    rig.begin().end({ kind: "ok" });
    for (const attempt of early) attempt.end({ kind: "credential" });
    rig.call("credential");
    expect(rig.state().state).toBe("ok");
  });

  it("cools an unknown upstream model alone", () => {
    rig.call({ kind: "model", status: 404 });
    expect(rig.state()).toMatchObject({ state: "cooling", cause: "model" });
    expect(rig.state(target("a", "other")).state).toBe("ok");
  });
});

describe("recovery", () => {
  it("tries one at a time when the ejection is over, and closes after three successes", () => {
    rig.call("server", target(), 5);
    rig.now += 30_000;
    expect(rig.state().state).toBe("half-open");
    for (let i = 0; i < 3; i++) {
      const trial = rig.begin();
      expect(trial.kind).toBe("trial");
      expect(rig.state()).toMatchObject({ state: "trial", returnsInMs: 1_000 });
      expect(rig.health.begin(target(), "normal", false)).toBe("unavailable");
      trial.end({ kind: "ok" });
    }
    expect(rig.state().state).toBe("ok");
    expect(rig.events.at(-1)).toMatchObject({ type: "recovered", upstreamModel: "m" });
  });

  it("ejects for 60 s when the trial fails", () => {
    rig.call("server", target(), 5);
    rig.now += 30_000;
    rig.call("server");
    expect(rig.state()).toMatchObject({ state: "ejected", returnsInMs: 60_000 });
  });

  it("does not let a long stream hold up the next trial once its first event is there", () => {
    rig.call("connect", target(), 5);
    rig.now += 30_000;
    const long = rig.begin();
    expect(rig.health.begin(target(), "normal", false)).toBe("unavailable");
    long.firstEvent();
    rig.begin().firstEvent();
    rig.begin().firstEvent();
    expect(rig.state().state).toBe("ok");
    long.end({ kind: "ok" });
    expect(rig.state().state).toBe("ok");
  });

  it("frees the trial when the caller leaves", () => {
    rig.call("server", target(), 5);
    rig.now += 30_000;
    rig.begin().end({ kind: "cancelled" });
    expect(rig.state().state).toBe("half-open");
  });

  it("forgets everything on an operator's reset", () => {
    rig.call("credential", target(), 3);
    rig.health.reset("a");
    expect(rig.state().state).toBe("ok");
    rig.call("server", target(), 5);
    rig.health.reset("a");
    expect(rig.state().state).toBe("ok");
  });

  it("starts a node afresh when its address or credential changes, and forgets nodes that are gone", () => {
    const snapshot = (secret: string) =>
      buildSnapshot({
        version: secret,
        models: [makeModel("alias", { routes: [makeRoute("a", { upstreamModel: "m" })] })],
        nodes: [makeNode("a", { credential: Buffer.from(secret) })],
        plans: [],
        nextPriceAt: null,
      });
    rig.health.applySnapshot(snapshot("old"));
    rig.call("credential", target(), 3);
    rig.call("server", target("gone"), 5);
    rig.health.applySnapshot(snapshot("old"));
    expect(rig.state().state).toBe("cooling");
    expect(rig.state(target("gone")).state).toBe("ok");
    rig.health.applySnapshot(snapshot("new"));
    expect(rig.state().state).toBe("ok");
  });
});
