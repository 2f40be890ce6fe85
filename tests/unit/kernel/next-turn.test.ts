import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { nextTurn } from "@/lib/kernel/next-turn";

/** Source: docs/performance.md#s5. */
test("each turn of the event loop runs one piece of work of those that wait, in their order", async () => {
  const turns: string[][] = [];
  let turn: string[] = [];
  const work = async (name: string) => {
    for (const step of [1, 2]) {
      await nextTurn();
      turn.push(`${name}${step}`);
    }
  };
  const all = Promise.all(["a", "b", "c"].map(work));
  while (turns.flat().length < 6) {
    await immediate();
    turns.push(turn);
    turn = [];
  }
  await all;
  expect(turns.filter((done) => done.length > 0)).toEqual([["a1"], ["b1"], ["c1"], ["a2"], ["b2"], ["c2"]]);
});
