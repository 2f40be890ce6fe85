import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SlidingLog } from "@/lib/admission/sliding-log";

const move = fc.oneof(
  fc.record({ act: fc.constant("push" as const), by: fc.nat(5) }),
  fc.record({ act: fc.constant("prune" as const), by: fc.nat(40) }),
  fc.record({ act: fc.constant("remove" as const), by: fc.nat(30) }),
);

describe("sliding log", () => {
  it("behaves as a plain list of times whatever is pushed, pruned and taken back", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 200 }), (moves) => {
        const log = new SlidingLog();
        let list: number[] = [];
        let now = 1_000;
        for (const { act, by } of moves) {
          if (act === "push") {
            now += by;
            log.push(now);
            list.push(now);
          } else if (act === "prune") {
            log.prune(now - by);
            list = list.filter((time) => time > now - by);
          } else {
            const index = list.lastIndexOf(now - by);
            expect(log.remove(now - by)).toBe(index !== -1);
            if (index !== -1) list.splice(index, 1);
          }
          expect(Array.from(list, (_, at) => log.newest(log.size - at))).toEqual(list);
          expect(log.size).toBe(list.length);
        }
      }),
    );
  });
});
