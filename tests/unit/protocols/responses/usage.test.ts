import { expect, test } from "vitest";
import { completeUsage, readResponsesUsage, writeResponsesUsage } from "@/lib/protocols/responses/usage";

test("R-35: usage that is read and written again is the same", () => {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120,
  };
  const { usage: read, warnings } = readResponsesUsage(usage);
  expect(read).toEqual({ inputUncached: 10, cacheRead: 60, cacheWrite: 30, output: 20, reasoning: 5 });
  expect(warnings).toEqual([]);
  expect(writeResponsesUsage(read)).toEqual(usage);
});

test("counts that are not told are absent, not zero, unless they are part of one that is", () => {
  expect(readResponsesUsage({}).usage).toEqual({});
  expect(readResponsesUsage({ output_tokens: 3, input_tokens_details: null }).usage).toEqual({ output: 3 });
  expect(readResponsesUsage({ input_tokens: 7 }).usage).toEqual({
    inputUncached: 7,
    cacheRead: 0,
    cacheWrite: 0,
  });
});

test("a node's usage is completed where clients fail without, and is the very same object else", () => {
  const counts = { input_tokens: 9, output_tokens: 1 };
  const complete = {
    ...counts,
    total_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  for (const details of [undefined, null, {}, 3])
    for (const total_tokens of [undefined, null, 10])
      expect(
        completeUsage({
          ...counts,
          total_tokens,
          input_tokens_details: details,
          output_tokens_details: details,
        }),
      ).toEqual(complete);
  const more = { ...complete, input_tokens_details: { cached_tokens: 2, other: 1 }, cost: "0.10" };
  expect(completeUsage(more)).toBe(more);
  expect(completeUsage({ ...more, output_tokens_details: {} })).toEqual(more);
  for (const odd of [{}, { input_tokens: "9", output_tokens: 1 }]) expect(completeUsage(odd)).toBe(odd);
});

test("counts that cannot be are left out or bounded, and told", () => {
  expect(readResponsesUsage({ input_tokens: -1, output_tokens: 1.5, output_tokens_details: 3 })).toEqual({
    usage: {},
    warnings: ["usage:output_tokens", "usage:input_tokens"],
  });
  const details = { cached_tokens: 9, cache_write_tokens: 5 };
  expect(readResponsesUsage({ input_tokens: 10, input_tokens_details: details })).toEqual({
    usage: { inputUncached: 1, cacheRead: 4, cacheWrite: 5 },
    warnings: ["usage:input_tokens_details"],
  });
  expect(writeResponsesUsage({ output: 2, reasoning: 5 })).toMatchObject({
    output_tokens_details: { reasoning_tokens: 2 },
  });
});
