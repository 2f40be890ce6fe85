import { expect, test } from "vitest";
import { readResponsesUsage, writeResponsesUsage } from "@/lib/protocols/responses/resource";

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

test("counts that cannot be are left out or bounded, and told", () => {
  expect(readResponsesUsage({ input_tokens: -1, output_tokens: 1.5, output_tokens_details: 3 })).toEqual({
    usage: {},
    warnings: ["usage:output_tokens", "usage:input_tokens"],
  });
  const details = { cached_tokens: 9, cache_write_tokens: 5 };
  expect(readResponsesUsage({ input_tokens: 10, input_tokens_details: details })).toEqual({
    usage: { inputUncached: 0, cacheRead: 9, cacheWrite: 1 },
    warnings: ["usage:input_tokens_details"],
  });
  expect(writeResponsesUsage({ output: 2, reasoning: 5 })).toMatchObject({
    output_tokens_details: { reasoning_tokens: 2 },
  });
});
