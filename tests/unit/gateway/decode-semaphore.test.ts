import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DecodeSemaphore } from "@/lib/gateway/decode-body";
import { isGatewayError, overloaded } from "@/lib/kernel/errors";
import { Cancellation } from "@/lib/upstream/upstream-answer";

const WAIT_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Turns, one at a time, with those who have theirs by name. */
function rig(mostWaiting = 10) {
  let refused = 0;
  const semaphore = new DecodeSemaphore({
    atOnce: 1,
    mostWaiting,
    waitMs: WAIT_MS,
    refusal: () => {
      refused += 1;
      return overloaded("compressed-bodies", "Too many.");
    },
  });
  const begun: string[] = [];
  const ask = (name: string, signal = new Cancellation()) =>
    semaphore.acquire(signal).then(
      () => {
        begun.push(name);
        return null;
      },
      (error: unknown) => error,
    );
  const release = async () => {
    semaphore.release();
    await new Promise(setImmediate);
  };
  return { ask, release, begun, refused: () => refused };
}

function expectOverload(refusal: unknown): void {
  if (!isGatewayError(refusal)) throw new Error("a refusal is a GatewayError");
  expect([refusal.code, refusal.status, refusal.details.overload]).toEqual(["NO_AVAILABLE_NODE", 503, true]);
  expect(refusal.details.retryAfterSeconds).toBeGreaterThanOrEqual(1);
}

test("permits are given in the order in which they were asked for", async () => {
  const { ask, release, begun } = rig();
  const all = ["a", "b", "c"].map((name) => ask(name));
  await new Promise(setImmediate);
  expect(begun).toEqual(["a"]);
  await release();
  await release();
  expect(begun).toEqual(["a", "b", "c"]);
  await release();
  expect(await Promise.all([...all, ask("d")])).toEqual([null, null, null, null]);
});

/** Source: docs/contract.md#b5, docs/reliability.md#s2-11. */
test("whoever would be one too many to wait is refused at once, told when to come back, and counted", async () => {
  const { ask, release, begun, refused } = rig(2);
  const waiting = ["a", "b", "c"].map((name) => ask(name));
  expectOverload(await ask("d"));
  expect(refused()).toBe(1);
  await release();
  await release();
  await Promise.all(waiting);
  expect(begun).toEqual(["a", "b", "c"]);
});

/** Source: docs/contract.md#b5, docs/reliability.md#s2-11. */
test("whoever has waited too long is refused and has no permit later", async () => {
  const { ask, release, begun, refused } = rig();
  await ask("a");
  const late = ask("late");
  vi.advanceTimersByTime(WAIT_MS - 1);
  expect(refused()).toBe(0);
  const patient = ask("patient");
  vi.advanceTimersByTime(1);
  expectOverload(await late);
  await release();
  expect(await patient).toBeNull();
  expect([begun, refused()]).toEqual([["a", "patient"], 1]);
});

test("whoever leaves is passed by, while waiting and before; it is nobody's refusal", async () => {
  const { ask, release, begun, refused } = rig(2);
  await ask("a");
  const leaving = new Cancellation();
  const left = ask("left", leaving);
  const stays = ask("stays");
  leaving.abort();
  expect(String(await left)).toContain("has closed its connection");
  expect(String(await ask("gone before", leaving))).toContain("has closed its connection");
  const next = ask("next");
  await release();
  await release();
  await Promise.all([stays, next]);
  expect([begun, refused()]).toEqual([["a", "stays", "next"], 0]);
});
