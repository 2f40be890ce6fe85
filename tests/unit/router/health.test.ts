import { describe, expect, it } from "vitest";
import { nodeReport } from "@/lib/router/health-report";
import { backoffMs } from "@/lib/router/retry-budget";
import { makeNode } from "./factories";
import { HealthRig, target } from "./health-rig";

const rig = new HealthRig();

describe("what counts against whom", () => {
  it.each(["server", "timeout", "protocol"] as const)("ejects only the model after five times %s", (kind) => {
    rig.call(kind, target(), 5);
    expect(rig.state()).toMatchObject({ state: "ejected", cause: "consecutive", returnsInMs: 30_000 });
    expect(rig.state(target("a", "other")).state).toBe("ok");
    expect(rig.events).toEqual([
      { type: "ejected", nodeId: "a", upstreamModel: "m", cause: "consecutive", forMs: 30_000 },
    ]);
  });

  it("ejects the whole node after five failed connections, whatever the model", () => {
    for (let i = 0; i < 5; i++) rig.call("connect", target("a", `model-${i}`));
    expect(rig.state(target("a", "never-used"))).toMatchObject({ state: "ejected", cause: "consecutive" });
    expect(rig.state(target("b")).state).toBe("ok");
  });

  it("counts any HTTP answer in favour of the connection", () => {
    rig.call("connect", target(), 4);
    rig.call("request");
    rig.call("connect", target(), 4);
    expect(rig.state().state).toBe("ok");
  });

  it.each(["request", "cancelled"] as const)("holds nothing against a node for: %s", (kind) => {
    rig.call(kind, target(), 50);
    expect(rig.state().state).toBe("ok");
    expect(nodeReport(rig.health, makeNode("a")).attempts).toBe(0);
  });

  it("counts a broken stream half", () => {
    for (let i = 0; i < 9; i++) rig.call("truncated");
    expect(rig.state().state).toBe("ok");
    rig.call("truncated");
    expect(rig.state().state).toBe("ejected");
  });

  it("suspects the node when two of its models are out, but not a model that has just answered", () => {
    rig.call("ok", target("a", "proven"));
    rig.call("server", target("a", "m1"), 5);
    expect(rig.state(target("a", "unproven")).state).toBe("ok");
    rig.now += 10_000;
    rig.call("server", target("a", "m2"), 5);
    expect(rig.state(target("a", "unproven"))).toMatchObject({
      state: "ejected",
      cause: "models",
      returnsInMs: 20_000,
    });
    expect(rig.state(target("a", "proven")).state).toBe("ok");
    rig.now += 20_000;
    expect(rig.state(target("a", "unproven")).state).toBe("ok");
  });

  it("is not ejected by every fourth call failing", () => {
    for (let i = 0; i < 400; i++) {
      rig.call(i % 4 === 0 ? "server" : "ok");
      rig.now += 100;
    }
    expect(rig.state().state).toBe("ok");
  });
});

describe("places", () => {
  it("keeps within a node's concurrency and frees places at the end, once", () => {
    const at = target("a", "m", 2);
    const first = rig.begin(at);
    rig.begin(at);
    expect(rig.state(at)).toMatchObject({ state: "busy" });
    expect(rig.health.begin(at, "normal", false)).toBe("busy");
    first.end({ kind: "ok" });
    first.end({ kind: "ok" });
    rig.begin(at);
    expect(rig.health.begin(at, "normal", false)).toBe("busy");
  });

  /** Source: docs/reliability.md#r-80. */
  it("allows three retries at once when little is going on, and a fifth of what is in flight otherwise", () => {
    for (let i = 0; i < 3; i++) rig.begin(target(), "normal", true);
    expect(rig.health.begin(target(), "normal", true)).toBe("budget");
    for (let i = 0; i < 97; i++) rig.begin(target());
    let more = 0;
    while (more < 100 && typeof rig.health.begin(target(), "normal", true) !== "string") more += 1;
    expect(more).toBe(20 + 1);
  });

  it("gives a retry's place back at its end", () => {
    for (let i = 0; i < 10; i++) rig.begin(target(), "normal", true).end({ kind: "ok" });
    expect(typeof rig.health.begin(target(), "normal", true)).toBe("object");
  });

  it("pauses between 50 and 250 ms before a retry", () => {
    expect([backoffMs(0), backoffMs(0.999_999)]).toEqual([50, 250]);
  });
});

describe("report for the admin pages", () => {
  it("shows state, countdown, share of successes, p95 and the last error", () => {
    for (let i = 0; i < 5; i++) {
      const attempt = rig.begin();
      rig.now += 100;
      attempt.firstEvent();
      rig.now += 5_000;
      attempt.end({ kind: "ok" });
    }
    rig.call({ kind: "server", status: 529, message: "overloaded" }, target(), 5);
    rig.now += 12_000;
    const report = nodeReport(rig.health, makeNode("a"));
    expect(report).toMatchObject({
      state: "ejected",
      cause: "consecutive",
      returnsInMs: 18_000,
      inFlight: 0,
      attempts: 10,
      successShare: 0.5,
      lastError: { agoMs: 12_000, kind: "server", status: 529, message: "overloaded", upstreamModel: "m" },
    });
    expect(report.p95Ms).toBeGreaterThan(60);
    expect(report.p95Ms).toBeLessThan(140);
    rig.now += 300_000;
    expect(nodeReport(rig.health, makeNode("a"))).toMatchObject({
      attempts: 0,
      successShare: null,
      p95Ms: null,
    });
  });

  it("says degraded while only some models are out, and disabled when it is switched off", () => {
    rig.call("ok", target("a", "well"));
    rig.call("server", target("a", "ill"), 5);
    expect(nodeReport(rig.health, makeNode("a")).state).toBe("degraded");
    expect(nodeReport(rig.health, makeNode("a", { enabled: false })).state).toBe("disabled");
    expect(nodeReport(rig.health, makeNode("never-used")).state).toBe("healthy");
  });

  it("has the circuit of the node itself, with its failures in a row, beside those of its models", () => {
    rig.call("ok");
    rig.call("connect", target(), 3);
    const before = nodeReport(rig.health, makeNode("a"));
    expect(before).toMatchObject({
      state: "healthy",
      models: [{ state: "healthy", consecutiveFailures: 0 }],
    });
    expect(before.circuit).toMatchObject({ state: "healthy", returnsInMs: 0, consecutiveFailures: 3 });
    rig.call("connect", target(), 2);
    const { state, circuit } = nodeReport(rig.health, makeNode("a"));
    expect(circuit).toEqual({
      state: "ejected",
      cause: "consecutive",
      returnsInMs: 30_000,
      consecutiveFailures: 5,
      ejections: 1,
    });
    expect(state).toBe(circuit.state);
    rig.health.reset("a");
    expect(nodeReport(rig.health, makeNode("a")).circuit.consecutiveFailures).toBe(0);
  });

  it("calls no model healthy that gets no requests because others of the node fail", () => {
    rig.call("ok", target("a", "well"));
    rig.now += 20_000;
    rig.call("server", target("a", "ill"), 5);
    rig.call("server", target("a", "worse"), 5);
    expect(nodeReport(rig.health, makeNode("a")).state).toBe("degraded");
    rig.now += 15_000;
    expect(rig.state(target("a", "well")).state).toBe("ejected");
    const { state, models } = nodeReport(rig.health, makeNode("a"));
    expect(state).toBe("ejected");
    expect(models[0]).toMatchObject({
      upstreamModel: "well",
      state: "ejected",
      cause: "models",
      returnsInMs: 15_000,
      consecutiveFailures: 0,
    });
  });

  it("keeps ten errors however many there are", () => {
    for (let i = 0; i < 50; i++) rig.call({ kind: "truncated", message: `${i}` }, target("a", `m${i}`));
    const { recentErrors } = nodeReport(rig.health, makeNode("a"));
    expect(recentErrors.map((error) => error.message).slice(0, 2)).toEqual(["49", "48"]);
    expect(recentErrors).toHaveLength(10);
  });
});
