import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type BatchItem, BatchQueue } from "@/lib/db/batch-queue";

const upper = (items: readonly string[]): string[] => items.map((item) => item.toUpperCase());

class Item implements BatchItem<string> {
  readonly urgent: boolean;
  readonly outcome: Promise<string>;
  #settle = { resolve: (_outcome: string) => {}, reject: (_error: unknown) => {} };

  constructor(
    readonly text: string,
    readonly partition = "one",
  ) {
    this.urgent = text.startsWith("urgent");
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.outcome.catch(() => {});
  }

  completed(outcome: string): void {
    this.#settle.resolve(outcome);
  }

  failed(error: unknown): void {
    this.#settle.reject(error);
  }
}

type Execute = (items: string[]) => Promise<string[]> | string[];

function laneOf(execute: Execute, options: { maxItems?: number; overlaps?: boolean } = {}) {
  const queue = new BatchQueue<Item, string>({
    execute: async (items) => execute(items.map(({ text }) => text)),
    isItemError: (error) => error instanceof RangeError,
    lanes: 1,
    overlaps: true,
    ...options,
  });
  const submit = (text: string): Promise<string> => {
    const item = new Item(text);
    queue.submit(item);
    return item.outcome;
  };
  return Object.assign(queue, { send: submit });
}

test("what comes while a batch is under way forms the next one", async () => {
  const batches: string[][] = [];
  const lane = laneOf(async (items) => {
    batches.push(items);
    await sleep(20);
    return upper(items);
  });
  const first = lane.send("a");
  await sleep(5);
  const rest = Promise.all(["b", "c", "d"].map((item) => lane.send(item)));
  expect(await first).toBe("A");
  expect(await rest).toEqual(["B", "C", "D"]);
  expect(batches).toEqual([["a"], ["b", "c", "d"]]);
});

test("a second batch goes to the same lane only when it is full, urgent items first, and never a third", async () => {
  const batches: string[][] = [];
  const ends: (() => void)[] = [];
  const lane = laneOf(
    async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      return upper(items);
    },
    { maxItems: 3 },
  );
  const outcomes = [lane.send("a")];
  await expect.poll(() => batches).toEqual([["a"]]);
  outcomes.push(lane.send("b"), lane.send("c"));
  await sleep(10);
  expect(batches).toHaveLength(1);
  for (const item of ["d", "e", "urgent f", "urgent g"]) outcomes.push(lane.send(item));
  await expect.poll(() => batches.at(1)).toEqual(["urgent f", "urgent g", "b"]);
  await sleep(10);
  expect(batches).toHaveLength(2);
  for (const batch of [2, 3]) {
    ends.shift()?.();
    await expect.poll(() => ends.length).toBe(batch === 2 ? 2 : 1);
  }
  expect(batches).toEqual([["a"], ["urgent f", "urgent g", "b"], ["c", "d", "e"]]);
  for (const end of ends) end();
  expect(await Promise.all(outcomes)).toEqual(upper(["a", "b", "c", "d", "e", "urgent f", "urgent g"]));
  expect(lane.depth).toBe(0);
});

test("under load a batch carries half of the items, so that the other half can be worked on", async () => {
  const sizes: number[] = [];
  const lane = laneOf(async (items) => {
    sizes.push(items.length);
    await sleep(2);
    return upper(items);
  });
  const client = async () => {
    for (let turn = 0; turn < 20; turn++) await lane.send("a");
  };
  await Promise.all(Array.from({ length: 100 }, client));
  const steady = sizes.slice(10, -10);
  expect(Math.max(...steady)).toBe(50);
  expect(sizes.filter((size) => size === 50).length).toBeGreaterThan(20);
});

test("a database on the same core runs one batch at a time, with all that waits", async () => {
  let running = 0;
  const sizes: number[] = [];
  const lane = laneOf(
    async (items) => {
      expect(++running).toBe(1);
      sizes.push(items.length);
      await sleep(1);
      running--;
      return upper(items);
    },
    { overlaps: false },
  );
  const first = lane.send("a");
  await expect.poll(() => sizes).toEqual([1]);
  await Promise.all([first, ...Array.from({ length: 100 }, () => lane.send("b"))]);
  expect(sizes).toEqual([1, 100]);
});

test("one bad item fails alone", async () => {
  const lane = laneOf(async (items) => {
    if (items.includes("bad")) throw new RangeError("bad");
    return upper(items);
  });
  const results = await Promise.allSettled(["a", "bad", "c"].map((item) => lane.send(item)));
  expect(results).toMatchObject([{ value: "A" }, { reason: expect.any(RangeError) }, { value: "C" }]);
});

test("an error that is no item's fault fails the batch once and is not tried again", async () => {
  let calls = 0;
  const lane = laneOf(async () => {
    calls++;
    throw new Error("connection lost");
  });
  const results = await Promise.allSettled(["a", "b"].map((item) => lane.send(item)));
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
  const failing = new Item("a");
  lane.submit(failing);
  await sleep(2);
  expect(lane.withdraw(failing)).toBe(false);
  const takenBack = new Item("taken back");
  lane.submit(takenBack);
  expect(lane.withdraw(takenBack)).toBe(true);
  await expect(failing.outcome).rejects.toThrow("once");
  fail = false;
  expect(await lane.send("b")).toBe("B");
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
    submitted.push(lane.send("a"));
    if (submitted.length < 6) setImmediate(busyTurn);
  };
  busyTurn();
  await expect.poll(() => submitted.length).toBe(6);
  await Promise.all(submitted);
  expect(Math.max(...batches)).toBeLessThanOrEqual(2);
});

/** Random numbers that a seed repeats. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
}

test.each([1, 2, 3])(
  "batches on two lanes never have a key's account in common, and each account's items run in order (seed %i)",
  async (seed) => {
    const random = randomOf(seed);
    const sent = [new Set<string[]>(), new Set<string[]>()];
    const ends = [Promise.resolve(), Promise.resolve()];
    const most = { together: 0, onOneLane: 0 };
    const order = new Map<string, string[]>();
    const queue = new BatchQueue<Item, string>({
      execute: async (items, lane) => {
        const partitions = items.map(({ partition }) => partition);
        const ofOther = [...(sent[1 - lane] ?? [])].flat();
        expect(ofOther.filter((each) => partitions.includes(each))).toEqual([]);
        sent[lane]?.add(partitions);
        most.together = Math.max(most.together, Math.min(...sent.map(({ size }) => size)));
        most.onOneLane = Math.max(most.onOneLane, ...sent.map(({ size }) => size));
        // As a connection does: one batch after the other, in the order in which they were sent.
        const done = (ends[lane] ?? Promise.resolve()).then(async () => {
          for (const { partition, text } of items)
            order.set(partition, [...(order.get(partition) ?? []), text]);
          await sleep(random(4));
          sent[lane]?.delete(partitions);
        });
        ends[lane] = done;
        await done;
        if (random(10) === 0) throw new Error("connection lost");
        return upper(items.map(({ text }) => text));
      },
      isItemError: () => false,
      lanes: 2,
      overlaps: true,
      maxItems: 3,
    });
    const items: Item[] = [];
    for (let index = 0; index < 400; index++) {
      const item = new Item(String(index), `account ${random(6)}`);
      items.push(item);
      queue.submit(item);
      if (random(3) === 0) await sleep(random(3));
    }
    await queue.idle();
    const results = await Promise.allSettled(items.map(({ outcome }) => outcome));
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(200);
    expect(most.onOneLane).toBe(2);
    expect(most.together).toBeGreaterThan(0);
    for (const texts of order.values())
      expect(texts).toEqual([...texts].sort((a, b) => Number(a) - Number(b)));
    expect(queue.depth).toBe(0);
  },
);

test("an item of a running account waits, and one of another account does not", async () => {
  const started: string[][] = [];
  const ends: (() => void)[] = [];
  const queue = new BatchQueue<Item, string>({
    execute: async (items) => {
      started.push(items.map(({ text }) => text));
      await new Promise<void>((resolve) => ends.push(resolve));
      return upper(items.map(({ text }) => text));
    },
    isItemError: () => false,
    lanes: 2,
    overlaps: true,
  });
  queue.submit(new Item("a1", "a"));
  await expect.poll(() => started).toEqual([["a1"]]);
  queue.submit(new Item("a2", "a"));
  queue.submit(new Item("b1", "b"));
  await expect.poll(() => started).toEqual([["a1"], ["b1"]]);
  queue.submit(new Item("urgent a3", "a"));
  ends[1]?.();
  await sleep(10);
  expect(started).toHaveLength(2);
  ends[0]?.();
  await expect.poll(() => started.at(2)).toEqual(["urgent a3", "a2"]);
  ends[2]?.();
  await queue.idle();
});

test("what waits is sent before the outcomes of the batch before it are handed out", async () => {
  const seen: string[] = [];
  const ends: (() => void)[] = [];
  const lane = laneOf(async (items) => {
    seen.push(`sent ${items.join(" ")}`);
    await new Promise<void>((resolve) => ends.push(resolve));
    return upper(items);
  });
  const first = lane.send("a").then((outcome) => seen.push(`got ${outcome}`));
  await expect.poll(() => ends.length).toBe(1);
  const rest = Promise.all([lane.send("b"), lane.send("c")]);
  ends[0]?.();
  await first;
  expect(seen).toEqual(["sent a", "sent b c", "got A"]);
  ends[1]?.();
  expect(await rest).toEqual(["B", "C"]);
});
