import { expect, test } from "vitest";
import { streamTargets } from "@/bench/report/stream-targets";
import type { StreamSample } from "@/bench/suites/streams";

function sample(
  arm: string,
  payload: string,
  streams: number,
  ttftMs: number,
  usPerChunk = 10,
): StreamSample {
  return {
    arm,
    payload,
    streams,
    round: 1,
    completed: streams,
    failed: 0,
    failure: "",
    chunks: 1_000,
    ttftP50Us: ttftMs * 1_000,
    ttftP99Us: ttftMs * 2_000,
    delayP50Us: 100,
    delayP99Us: 200,
    turns: streams,
    turnP50Us: 1_500_000,
    cpuMs: arm === "direct" ? null : usPerChunk,
    residentBytes: null,
    speed: { before: 1, after: 1 },
  };
}

test("few streams are held to what they add, many opened at once and the cost of a delta to raw", () => {
  const found = streamTargets([
    sample("direct", "64x20", 1, 1),
    sample("tollgate", "64x20", 1, 3),
    sample("direct", "64x20", 500, 20),
    sample("raw", "64x20", 500, 50),
    sample("tollgate", "64x20", 500, 100),
    sample("raw", "500x5", 100, 5, 20),
    sample("tollgate", "500x5", 100, 9, 24),
    sample("converted", "500x5", 100, 9, 30),
  ]);
  expect(found.map(({ what, target, measured, unit }) => [what, target, measured, unit])).toEqual([
    ["time to first token added, p50, 1 streams at once, same protocol", 1, 2, "ms"],
    ["time to first token, p50, of raw's, 500 streams at once, same protocol", 1.5, 2, "x"],
    ["processor time for a chunk, of raw's, 100 streams at once, same protocol", 1.25, 1.2, "x"],
    ["processor time for a chunk, of raw's, 100 streams at once, converted", 1.4, 1.5, "x"],
  ]);
});

test("without the arm they are compared with, there is no target", () => {
  expect(streamTargets([sample("tollgate", "64x20", 1, 3), sample("tollgate", "500x5", 100, 9)])).toEqual([]);
});
