import { beforeEach, describe, expect, it } from "vitest";
import type { Attempt } from "@/lib/router/attempt";
import { buildSnapshot } from "@/lib/router/catalog";
import { type EntryMode, Health, type HealthEvent } from "@/lib/router/health";
import { nodeReport } from "@/lib/router/health-report";
import { type AttemptOutcome, limitedCoolMs, type OutcomeKind, parseRetryAfter } from "@/lib/router/outcome";
import { backoffMs } from "@/lib/router/retry-budget";
import { makeModel, makeNode, makeRoute } from "./factories";

let now: number;
let events: HealthEvent[];
let health: Health;

beforeEach(() => {
  now = 1_000_000;
  events = [];
  health = new Health({ now: () => now, random: () => 0.5, onEvent: (event) => events.push(event) });
});

const target = (nodeId = "a", upstreamModel = "m", maxConcurrency: number | null = null) => ({
  nodeId,
  upstreamModel,
  maxConcurrency,
});

function begin(at = target(), mode: EntryMode = "normal", retry = false): Attempt {
  const attempt = health.begin(at, mode, retry);
  if (typeof attempt === "string") throw new Error(attempt);
  return attempt;
}

function call(outcome: OutcomeKind | AttemptOutcome, at = target(), times = 1): void {
  for (let i = 0; i < times; i++) begin(at).end(typeof outcome === "string" ? { kind: outcome } : outcome);
}

const state = (at = target()) => health.availability(at);

describe("what counts against whom", () => {
  it.each(["server", "timeout", "protocol"] as const)("ejects only the model after five times %s", (kind) => {
    call(kind, target(), 5);
    expect(state()).toMatchObject({ state: "ejected", cause: "consecutive", returnsInMs: 30_000 });
    expect(state(target("a", "other")).state).toBe("ok");
    expect(events).toEqual([
      { type: "ejected", nodeId: "a", upstreamModel: "m", cause: "consecutive", forMs: 30_000 },
    ]);
  });

  it("ejects the whole node after five failed connections, whatever the model", () => {
    for (let i = 0; i < 5; i++) call("connect", target("a", `model-${i}`));
    expect(state(target("a", "never-used"))).toMatchObject({ state: "ejected", cause: "consecutive" });
    expect(state(target("b")).state).toBe("ok");
  });

  it("counts any HTTP answer in favour of the connection", () => {
    call("connect", target(), 4);
    call("request");
    call("connect", target(), 4);
    expect(state().state).toBe("ok");
  });

  it.each(["request", "cancelled"] as const)("holds nothing against a node for: %s", (kind) => {
    call(kind, target(), 50);
    expect(state().state).toBe("ok");
    expect(nodeReport(health, makeNode("a")).attempts).toBe(0);
  });

  it("counts a broken stream half", () => {
    for (let i = 0; i < 9; i++) call("truncated");
    expect(state().state).toBe("ok");
    call("truncated");
    expect(state().state).toBe("ejected");
  });

  it("suspects the node when two of its models are out, but not a model that has just answered", () => {
    call("ok", target("a", "proven"));
    call("server", target("a", "m1"), 5);
    expect(state(target("a", "unproven")).state).toBe("ok");
    now += 10_000;
    call("server", target("a", "m2"), 5);
    expect(state(target("a", "unproven"))).toMatchObject({
      state: "ejected",
      cause: "models",
      returnsInMs: 20_000,
    });
    expect(state(target("a", "proven")).state).toBe("ok");
    now += 20_000;
    expect(state(target("a", "unproven")).state).toBe("ok");
  });

  it("is not ejected by every fourth call failing", () => {
    for (let i = 0; i < 400; i++) {
      call(i % 4 === 0 ? "server" : "ok");
      now += 100;
    }
    expect(state().state).toBe("ok");
  });
});

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
    call({ kind: "limited", status: 429, retryAfterMs });
    expect(state()).toMatchObject({ state: "cooling", cause: "limited", returnsInMs: expected });
    expect(limitedCoolMs(Number.NaN)).toBe(5_000);
  });

  it("cools a limited model without ejecting it, and uses it again after the time", () => {
    call({ kind: "limited", retryAfterMs: 5_000 }, target(), 1);
    expect(health.begin(target(), "normal", false)).toBe("unavailable");
    now += 5_000;
    call("ok");
    expect(nodeReport(health, makeNode("a")).models[0]).toMatchObject({ ejections: 0, state: "healthy" });
  });

  it("keeps the longer of two times that a node asks for", () => {
    const first = begin();
    const second = begin();
    first.end({ kind: "limited", retryAfterMs: 40_000 });
    second.end({ kind: "limited", retryAfterMs: 2_000 });
    expect(state()).toMatchObject({ state: "cooling", returnsInMs: 40_000 });
  });

  it("leaves a credential alone for 30 s after the third refusal in a row, for all models of its node", () => {
    call({ kind: "credential", status: 401 }, target("a", "m1"));
    call({ kind: "credential", status: 403 }, target("a", "m2"));
    expect(state().state).toBe("ok");
    expect(events).toEqual([]);
    call({ kind: "credential", status: 401 });
    expect(state(target("a", "other"))).toMatchObject({
      state: "cooling",
      cause: "credential",
      returnsInMs: 30_000,
    });
    expect(nodeReport(health, makeNode("a"))).toMatchObject({ state: "cooling", cause: "credential" });
    expect(health.begin(target("a", "other"), "spared", false)).toBe("unavailable");
    expect(events).toMatchObject([
      { type: "cooling", upstreamModel: null, cause: "credential", forMs: 30_000 },
    ]);
  });

  it("begins the count of refusals anew after a success, also that of a stream which has only begun", () => {
    for (let i = 0; i < 5; i++) {
      call("credential", target(), 2);
      if (i % 2 === 0) call("ok");
      else begin().firstEvent();
    }
    expect(state().state).toBe("ok");
  });

  it.each(["server", "request", "timeout", "limited"] as const)("takes no %s for a success", (kind) => {
    call("credential", target(), 2);
    call(kind, target("a", "other"));
    call("credential");
    expect(state()).toMatchObject({ state: "cooling", cause: "credential" });
  });

  it("tries a refused credential with one call at a time, and leaves it alone for 30 s again", () => {
    call("credential", target(), 3);
    for (let i = 0; i < 3; i++) {
      now += 30_000;
      expect(state()).toMatchObject({ state: "half-open", cause: "credential" });
      expect(nodeReport(health, makeNode("a"))).toMatchObject({ state: "half-open", cause: "credential" });
      const trial = begin();
      expect(trial.kind).toBe("trial");
      expect(health.begin(target("a", "other"), "normal", false)).toBe("unavailable");
      trial.end({ kind: "credential" });
      expect(state()).toMatchObject({ state: "cooling", returnsInMs: 30_000 });
    }
    now += 30_000;
    begin().end({ kind: "server" });
    begin().firstEvent();
    expect(state().state).toBe("ok");
    expect(events.at(-1)).toMatchObject({ type: "recovered", cause: "credential", upstreamModel: null });
  });

  it("does not count refusals of calls that began before the third one", () => {
    const early = [begin(), begin()];
    call("credential", target(), 3);
    now += 30_000;
    begin().end({ kind: "ok" });
    for (const attempt of early) attempt.end({ kind: "credential" });
    call("credential");
    expect(state().state).toBe("ok");
  });

  it("cools an unknown upstream model alone", () => {
    call({ kind: "model", status: 404 });
    expect(state()).toMatchObject({ state: "cooling", cause: "model" });
    expect(state(target("a", "other")).state).toBe("ok");
  });
});

describe("recovery", () => {
  it("tries one at a time when the ejection is over, and closes after three successes", () => {
    call("server", target(), 5);
    now += 30_000;
    expect(state().state).toBe("half-open");
    for (let i = 0; i < 3; i++) {
      const trial = begin();
      expect(trial.kind).toBe("trial");
      expect(state()).toMatchObject({ state: "trial", returnsInMs: 1_000 });
      expect(health.begin(target(), "normal", false)).toBe("unavailable");
      trial.end({ kind: "ok" });
    }
    expect(state().state).toBe("ok");
    expect(events.at(-1)).toMatchObject({ type: "recovered", upstreamModel: "m" });
  });

  it("ejects for 60 s when the trial fails", () => {
    call("server", target(), 5);
    now += 30_000;
    call("server");
    expect(state()).toMatchObject({ state: "ejected", returnsInMs: 60_000 });
  });

  it("does not let a long stream hold up the next trial once its first event is there", () => {
    call("connect", target(), 5);
    now += 30_000;
    const long = begin();
    expect(health.begin(target(), "normal", false)).toBe("unavailable");
    long.firstEvent();
    begin().firstEvent();
    begin().firstEvent();
    expect(state().state).toBe("ok");
    long.end({ kind: "ok" });
    expect(state().state).toBe("ok");
  });

  it("frees the trial when the caller leaves", () => {
    call("server", target(), 5);
    now += 30_000;
    begin().end({ kind: "cancelled" });
    expect(state().state).toBe("half-open");
  });

  it("forgets everything on an operator's reset", () => {
    call("credential", target(), 3);
    health.reset("a");
    expect(state().state).toBe("ok");
    call("server", target(), 5);
    health.reset("a");
    expect(state().state).toBe("ok");
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
    health.adopt(snapshot("old"));
    call("credential", target(), 3);
    call("server", target("gone"), 5);
    health.adopt(snapshot("old"));
    expect(state().state).toBe("cooling");
    expect(state(target("gone")).state).toBe("ok");
    health.adopt(snapshot("new"));
    expect(state().state).toBe("ok");
  });
});

describe("places", () => {
  it("keeps within a node's concurrency and frees places at the end, once", () => {
    const at = target("a", "m", 2);
    const first = begin(at);
    begin(at);
    expect(state(at)).toMatchObject({ state: "busy" });
    expect(health.begin(at, "normal", false)).toBe("busy");
    first.end({ kind: "ok" });
    first.end({ kind: "ok" });
    begin(at);
    expect(health.begin(at, "normal", false)).toBe("busy");
  });

  /** Source: reliability 4.5 (80). */
  it("allows three retries at once when little is going on, and a fifth of what is in flight otherwise", () => {
    for (let i = 0; i < 3; i++) begin(target(), "normal", true);
    expect(health.begin(target(), "normal", true)).toBe("budget");
    for (let i = 0; i < 97; i++) begin(target());
    let more = 0;
    while (more < 100 && typeof health.begin(target(), "normal", true) !== "string") more += 1;
    expect(more).toBe(20 + 1);
  });

  it("gives a retry's place back at its end", () => {
    for (let i = 0; i < 10; i++) begin(target(), "normal", true).end({ kind: "ok" });
    expect(typeof health.begin(target(), "normal", true)).toBe("object");
  });

  it("pauses between 50 and 250 ms before a retry", () => {
    expect([backoffMs(0), backoffMs(0.999_999)]).toEqual([50, 250]);
  });
});

describe("report for the admin pages", () => {
  it("shows state, countdown, share of successes, p95 and the last error", () => {
    for (let i = 0; i < 5; i++) {
      const attempt = begin();
      now += 100;
      attempt.firstEvent();
      now += 5_000;
      attempt.end({ kind: "ok" });
    }
    call({ kind: "server", status: 529, message: "overloaded" }, target(), 5);
    now += 12_000;
    const report = nodeReport(health, makeNode("a"));
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
    now += 300_000;
    expect(nodeReport(health, makeNode("a"))).toMatchObject({ attempts: 0, successShare: null, p95Ms: null });
  });

  it("says degraded while only some models are out, and disabled when it is switched off", () => {
    call("ok", target("a", "well"));
    call("server", target("a", "ill"), 5);
    expect(nodeReport(health, makeNode("a")).state).toBe("degraded");
    expect(nodeReport(health, makeNode("a", { enabled: false })).state).toBe("disabled");
    expect(nodeReport(health, makeNode("never-used")).state).toBe("healthy");
  });

  it("keeps ten errors however many there are", () => {
    for (let i = 0; i < 50; i++) call({ kind: "truncated", message: `${i}` }, target("a", `m${i}`));
    const { recentErrors } = nodeReport(health, makeNode("a"));
    expect(recentErrors.map((error) => error.message).slice(0, 2)).toEqual(["49", "48"]);
    expect(recentErrors).toHaveLength(10);
  });
});
