import { describe, expect, test } from "vitest";
import { TickLimiter } from "@/lib/kernel/tick-limiter";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a crowd", () => {
  test("passes a few at a time, in its order, with a turn of the loop between", async () => {
    const rush = new TickLimiter(2);
    const passed: number[] = [];
    const all = Promise.all([0, 1, 2, 3, 4].map((who) => rush.pass().then(() => passed.push(who))));
    expect(passed).toEqual([]);
    const seen: number[][] = [];
    for (let turns = 0; turns < 3; turns += 1) {
      await turn();
      seen.push([...passed]);
    }
    await all;
    expect(seen).toEqual([
      [0, 1],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4],
    ]);
  });

  test("that comes later passes as the first one did", async () => {
    const rush = new TickLimiter(1);
    await rush.pass();
    await Promise.all([rush.pass(), rush.pass()]);
    await rush.pass();
  });
});
