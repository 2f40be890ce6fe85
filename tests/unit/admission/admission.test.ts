import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { Admission, admissionOrder } from "@/lib/admission/admission";
import { FloodGuard } from "@/lib/admission/flood-guard";
import { GatewayError, overloaded } from "@/lib/kernel/errors";
import { Permit } from "@/lib/kernel/permit";

/** The parts that the admission of a key reads. */
const KEY = { keyId: "key", planName: "Free", limits: { qps: 1, rpm: null, tpm: null } } as GatewayKey;

function rig(capacity = 5_000) {
  const counted: string[] = [];
  const load = {
    drain: { inFlight: 0, aborted: false },
    loop: { overloaded: false },
    ledger: { atCapacity: false },
  };
  const admission = new Admission({
    ...load,
    flood: new FloodGuard(() => 0),
    metrics: { refused: (reason) => counted.push(reason), budgetRefused: ({ unit }) => counted.push(unit) },
    random: () => 0,
    maxBodyBytes: 100,
    capacity,
  });
  return { admission, load, counted };
}

/** What a passing request asks, in the order in which `generate` asks it. */
function ask(admission: Admission, permit = new Permit()): GatewayError | null {
  return (
    admission.atArrival() ??
    admission.ofDeclaredSize("50") ??
    admission.ofKey(KEY, permit) ??
    admission.ofGeneration(KEY, permit)
  );
}

describe("admission", () => {
  test("says in docs/reliability.md every reason in the order in which it is asked", () => {
    const document = readFileSync("docs/reliability.md", "utf8");
    const rows = [...document.matchAll(/^\| `([a-z-]+)` \| (\w+) \| (\w+|–) \| (.*) \|$/gm)];
    expect(rows.map(([, name, code, metric, guarantee]) => [name, code, metric, guarantee])).toEqual(
      admissionOrder.map(({ name, code, metric, guarantee }) => [name, code, metric ?? "–", guarantee]),
    );
  });

  test("lets a call pass, and again when it has ended, as often as it comes", () => {
    const { admission, counted } = rig(8);
    for (let call = 0; call < 10; call += 1) {
      const permit = new Permit();
      expect(ask(admission, permit)).toBeNull();
      permit.release();
      permit.release();
    }
    expect(counted).toEqual([]);
  });

  test("refuses everything once the deadline of a shutdown has passed", () => {
    const { admission, load, counted } = rig();
    load.drain.aborted = true;
    expect(ask(admission)).toMatchObject({ code: "NO_AVAILABLE_NODE", details: { retryAfterSeconds: 5 } });
    expect(counted).toEqual(["overload"]);
  });

  test("refuses for each of the things that cannot keep up, and only then", () => {
    const { admission, load, counted } = rig(10);
    load.drain.inFlight = 10;
    expect(admission.atArrival()).toBeNull();
    for (const [part, field, bad, good] of [
      ["drain", "inFlight", 11, 10],
      ["ledger", "atCapacity", true, false],
    ] as const) {
      Object.assign(load[part], { [field]: bad });
      expect(admission.atArrival()).toMatchObject({
        code: "NO_AVAILABLE_NODE",
        details: { retryAfterSeconds: 1, overload: true },
      });
      Object.assign(load[part], { [field]: good });
    }
    expect(admission.atArrival()).toBeNull();
    expect(counted).toEqual(["overload", "overload"]);
  });

  test("refuses for a slow event loop only while so many requests are in flight that they may be the reason", () => {
    const { admission, load, counted } = rig(1_000);
    load.loop.overloaded = true;
    load.drain.inFlight = 64;
    expect(admission.atArrival()).toBeNull();
    load.drain.inFlight = 65;
    expect(admission.atArrival()).toMatchObject({
      code: "NO_AVAILABLE_NODE",
      details: { refusal: "overload", retryAfterSeconds: 1 },
    });
    expect(counted).toEqual(["overload"]);
  });

  test("refuses a body that is declared too large, before it looks at the key", () => {
    const { admission } = rig();
    expect(admission.ofDeclaredSize("101")).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(admission.ofDeclaredSize("100")).toBeNull();
    expect(admission.ofDeclaredSize(undefined)).toBeNull();
  });

  test("counts invalid credentials, and refuses those of an address beyond fifty a second", () => {
    const { admission, counted } = rig();
    for (let call = 0; call < 50; call += 1) expect(admission.ofAddress("192.0.2.1")).toBeNull();
    expect(admission.ofAddress("192.0.2.1")).toMatchObject({ code: "RATE_LIMITED" });
    expect(counted).toEqual(Array(51).fill("INVALID_API_KEY"));
  });

  test("refuses a flood of a key before it counts its requests in flight", () => {
    const { admission, counted } = rig(4);
    const permit = new Permit();
    expect(admission.ofKey(KEY, permit)).toBeNull();
    for (let call = 1; call < 10; call += 1)
      expect(admission.ofKey(KEY, new Permit())).toMatchObject({ code: "NO_AVAILABLE_NODE" });
    expect(admission.ofKey(KEY, new Permit())).toMatchObject({ code: "RATE_LIMITED" });
    expect(counted).toEqual([...Array(9).fill("overload"), "flood"]);
  });

  test("lets a key run twenty generations at once where its QPS is small", () => {
    const { admission, counted } = rig();
    const permits = Array.from({ length: 21 }, () => new Permit());
    const refusals = permits.map((permit) => admission.ofGeneration(KEY, permit));
    expect(refusals.slice(0, 20)).toEqual(Array(20).fill(null));
    expect(refusals[20]).toMatchObject({ code: "NO_AVAILABLE_NODE", details: { retryAfterSeconds: 1 } });
    permits[0]?.release();
    expect(admission.ofGeneration(KEY, new Permit())).toBeNull();
    expect(counted).toEqual(["overload"]);
  });

  test("gives each kind of call that costs nothing a bucket of its own", () => {
    const { admission } = rig();
    for (let call = 0; call < 60; call += 1)
      expect(admission.ofFreeCall("key", "count", "Sixty.")).toBeNull();
    expect(admission.ofFreeCall("key", "count", "Sixty.")).toMatchObject({
      code: "RATE_LIMITED",
      message: "Sixty. Please try again in 60s.",
    });
    expect(admission.ofFreeCall("key", "usage", "Sixty.")).toBeNull();
  });

  test("counts what the ledger refuses for want of capacity, and no other error of it", () => {
    const { admission, counted } = rig();
    const full = overloaded("spool-full", "full");
    expect(admission.ofHoldError(full)).toBe(full);
    const broken = new GatewayError("INTERNAL_ERROR", "broken");
    expect(admission.ofHoldError(broken)).toBe(broken);
    expect(admission.ofCompressedBody()).toMatchObject({ code: "NO_AVAILABLE_NODE" });
    expect(counted).toEqual(["overload", "overload"]);
  });

  test("says which limit and which quota is used up", () => {
    const { admission, counted } = rig();
    const use = { limit: 2, used: 2, resetMs: 1_000 };
    const state = { qps: use, rpm: use, tpm: use };
    expect(
      admission.ofLimits(
        { allowed: false, violated: "rpm", level: "key", retryAfterMs: 1_500, state, accountState: null },
        "Free",
      ),
    ).toMatchObject({
      code: "RATE_LIMITED",
      message: "The plan Free allows 2 requests per minute. Please try again in 2s.",
      details: { reason: "key_limit", limit: "rpm", retryAfterSeconds: 2 },
    });
    const accountState = { ...state, concurrent: { limit: 3, used: 3 } };
    expect(
      admission.ofLimits(
        {
          allowed: false,
          violated: "concurrent",
          level: "account",
          retryAfterMs: 1_000,
          state,
          accountState,
        },
        "Free",
      ),
    ).toMatchObject({
      code: "RATE_LIMITED",
      message: "The account allows 3 calls at once, over all its keys. Please try again in 1s.",
      details: { reason: "account_limit", limit: "concurrent" },
    });
    const quota = {
      held: false,
      reason: "quota",
      level: "account",
      roomMicroCents: -1n,
      heldMicroCents: 0n,
    } as const;
    expect(admission.ofHold(quota)).toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect(admission.ofHold({ held: false, reason: "key_invalid" })).toMatchObject({
      code: "INVALID_API_KEY",
    });
    expect(admission.ofHold({ held: true, heldMicroCents: 1n })).toBeNull();
    expect(counted).toEqual([]);
  });
});
