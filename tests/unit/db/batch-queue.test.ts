import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { BatchQueue } from "@/lib/db/batch-queue";

const upper = async (items: string[]): Promise<string[]> => items.map((item) => item.toUpperCase());

function laneOf(execute: (items: string[]) => Promise<string[]>, options: { maxItems?: number } = {}) {
  return new BatchQueue<string, string>({
    execute,
    isUrgent: (item) => item.startsWith("urgent"),
    isItemError: (error) => error instanceof RangeError,
    ...options,
  });
}

test("what comes while a batch is under way forms the next one", async () => {
  const batches: string[][] = [];
  const lane = laneOf(async (items) => {
    batches.push(items);
    await sleep(20);
    return upper(items);
  });
  const first = lane.submit("a");
  await sleep(5);
  const rest = Promise.all(["b", "c", "d"].map((item) => lane.submit(item)));
  expect(await first).toBe("A");
  expect(await rest).toEqual(["B", "C", "D"]);
  expect(batches).toEqual([["a"], ["b", "c", "d"]]);
});

test("never two batches at once, never more items than the bound, and urgent ones first", async () => {
  let running = 0;
  const batches: string[][] = [];
  const lane = laneOf(
    async (items) => {
      expect(++running).toBe(1);
      batches.push(items);
      await sleep(1);
      running--;
      return upper(items);
    },
    { maxItems: 3 },
  );
  const items = ["a", "b", "c", "d", "urgent 1", "urgent 2"];
  expect(await Promise.all(items.map((item) => lane.submit(item)))).toEqual(await upper(items));
  expect(batches).toEqual([
    ["urgent 1", "urgent 2", "a"],
    ["b", "c", "d"],
  ]);
  expect(lane.depth).toBe(0);
});

test("one bad item fails alone", async () => {
  const lane = laneOf(async (items) => {
    if (items.includes("bad")) throw new RangeError("bad");
    return upper(items);
  });
  const results = await Promise.allSettled(["a", "bad", "c"].map((item) => lane.submit(item)));
  expect(results).toMatchObject([{ value: "A" }, { reason: expect.any(RangeError) }, { value: "C" }]);
});

test("an error that is no item's fault fails the batch once and is not tried again", async () => {
  let calls = 0;
  const lane = laneOf(async () => {
    calls++;
    throw new Error("connection lost");
  });
  const results = await Promise.allSettled(["a", "b"].map((item) => lane.submit(item)));
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  expect(calls).toBe(1);
});

test("the lane goes on after a failure, and an item can be taken back only while it waits", async () => {
  let fail = true;
  const done: string[] = [];
  const lane = laneOf(async (items) => {
    await sleep(10);
    if (fail) throw new Error("once");
    done.push(...items);
    return upper(items);
  });
  const failing = lane.submit("a");
  await sleep(2);
  expect(lane.withdraw("a")).toBe(false);
  void lane.submit("taken back");
  expect(lane.withdraw("taken back")).toBe(true);
  await expect(failing).rejects.toThrow("once");
  fail = false;
  expect(await lane.submit("b")).toBe("B");
  await lane.idle();
  expect(done).toEqual(["b"]);
});

test("a batch does not wait for more while every turn of the loop takes long", async () => {
  const batches: number[] = [];
  const lane = laneOf(async (items) => {
    batches.push(items.length);
    return upper(items);
  });
  const submitted: Promise<string>[] = [];
  const busyTurn = () => {
    const until = performance.now() + 20;
    while (performance.now() < until);
    submitted.push(lane.submit("a"));
    if (submitted.length < 6) setImmediate(busyTurn);
  };
  busyTurn();
  await expect.poll(() => submitted.length).toBe(6);
  await Promise.all(submitted);
  expect(Math.max(...batches)).toBeLessThanOrEqual(2);
});
