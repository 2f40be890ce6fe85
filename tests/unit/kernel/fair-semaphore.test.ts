import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import { Cancellation } from "@/lib/upstream/cancellation";

/** Work that ends when it is told to, and says when it begins. */
function rig(bounds: { concurrency: number; perAccount: number; waitMs: number }) {
  const turns = new FairSemaphore(bounds);
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const start = (name: string) =>
    turns.run(name.charAt(0), () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (failure) => (failure ? reject(failure) : resolve(name))),
      );
    });
  const end = async (name: string, failure?: Error) => {
    ends.get(name)?.(failure);
    await sleep(0);
  };
  return { start, end, begun };
}

describe("reports", () => {
  test("run a few at a time, in the order in which they were asked for", async () => {
    const { start, end, begun } = rig({ concurrency: 2, perAccount: 2, waitMs: 60_000 });
    const all = ["a1", "b1", "c1", "d1"].map(start);
    expect(begun).toEqual(["a1", "b1"]);
    await end("b1");
    expect(begun).toEqual(["a1", "b1", "c1"]);
    await end("a1");
    expect(begun).toEqual(["a1", "b1", "c1", "d1"]);
    await end("c1");
    await end("d1");
    expect(await Promise.all(all)).toEqual(["a1", "b1", "c1", "d1"]);
  });

  test("of one account leave turns to the others", async () => {
    const { start, end, begun } = rig({ concurrency: 2, perAccount: 1, waitMs: 60_000 });
    const all = ["a1", "a2", "b1", "b2"].map(start);
    expect(begun).toEqual(["a1", "b1"]);
    await end("b1");
    expect(begun).toEqual(["a1", "b1", "b2"]);
    await end("a1");
    expect(begun).toEqual(["a1", "b1", "b2", "a2"]);
    await end("a2");
    await end("b2");
    await Promise.all(all);
  });

  test("that fail give their turn back", async () => {
    const { start, end, begun } = rig({ concurrency: 1, perAccount: 1, waitMs: 60_000 });
    const failing = start("a1");
    const second = start("a2");
    const failed = expect(failing).rejects.toThrow("lost");
    await end("a1", new Error("lost"));
    await failed;
    expect(begun).toEqual(["a1", "a2"]);
    await end("a2");
    expect(await second).toBe("a2");
  });

  test("that wait too long are refused for now, and take no turn later", async () => {
    const { start, end, begun } = rig({ concurrency: 1, perAccount: 1, waitMs: 20 });
    const first = start("a1");
    const refusal: unknown = await start("b1").catch((error: unknown) => error);
    if (!isGatewayError(refusal)) throw new Error("the report was not refused");
    expect([refusal.code, refusal.status, refusal.details.retryAfterSeconds]).toEqual([
      "NO_AVAILABLE_NODE",
      503,
      1,
    ]);
    await end("a1");
    await first;
    const third = start("b2");
    expect(begun).toEqual(["a1", "b2"]);
    await end("b2");
    await third;
  });

  test("are refused at once beyond those of their account that may wait, while others still wait", async () => {
    const turns = new FairSemaphore({ concurrency: 1, perAccount: 1, mostWaiting: 1, waitMs: 60_000 });
    const release = await turns.acquire("a");
    const waiting = turns.acquire("a");
    await expect(turns.acquire("a")).rejects.toMatchObject({ code: "NO_AVAILABLE_NODE" });
    const other = turns.acquire("b");
    release();
    (await waiting)();
    (await other)();
  });

  test("of an account that has just had its turn come after those of others, whoever came first", async () => {
    const { start, end, begun } = rig({ concurrency: 1, perAccount: 1, waitMs: 60_000 });
    const all = ["a1", "a2", "a3", "a4", "b1"].map(start);
    for (const name of ["a1", "a2", "b1", "a3", "a4"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "b1", "a3", "a4"]);
    await Promise.all(all);
  });

  test("leave their permit to nobody until it has rested as long as they took", async () => {
    vi.useFakeTimers();
    try {
      const turns = new FairSemaphore({ concurrency: 2, perAccount: 1, waitMs: 60_000, restShare: 1 });
      const release = await turns.acquire("a");
      let isNext = false;
      const next = turns.acquire("a").then((releaseNext) => {
        isNext = true;
        releaseNext();
      });
      await vi.advanceTimersByTimeAsync(300);
      release();
      await vi.advanceTimersByTimeAsync(299);
      expect(isNext).toBe(false);
      (await turns.acquire("b"))();
      await vi.advanceTimersByTimeAsync(2);
      expect(isNext).toBe(true);
      await next;
    } finally {
      vi.useRealTimers();
    }
  });
});

/** Source: docs/contract.md#b5, docs/reliability.md#bulk. */
describe("permits", () => {
  const tick = () => new Promise(setImmediate);

  test("pass by whoever leaves, while waiting and before; it is nobody's refusal", async () => {
    const turns = new FairSemaphore({ concurrency: 1, perAccount: 1, waitMs: 60_000, mostWaiting: 2 });
    const release = await turns.acquire("a");
    const leaving = new Cancellation();
    const left = expect(turns.acquire("a", leaving)).rejects.toThrow("has closed its connection");
    const stays = turns.acquire("a", new Cancellation());
    leaving.abort();
    await left;
    await expect(turns.acquire("b", leaving)).rejects.toThrow("has closed its connection");
    const next = turns.acquire("a"); // there is room again
    release();
    (await stays)();
    (await next)();
  });

  test("are refused at once when too many wait in all, and asked for again when fewer do", async () => {
    const turns = new FairSemaphore({ concurrency: 1, perAccount: 1, waitMs: 60_000, mostInAll: 2 });
    const release = await turns.acquire("a");
    const waiting = [turns.acquire("b"), turns.acquire("c")];
    await expect(turns.acquire("d")).rejects.toSatisfy(isGatewayError);
    release();
    (await waiting[0])?.();
    await tick();
    const fits = turns.acquire("d");
    (await waiting[1])?.();
    (await fits)();
  });
});
