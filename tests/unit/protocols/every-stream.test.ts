import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { protocolIds } from "@/lib/protocols/protocol";
import { foldStream } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { goodStreams, type StreamFixture } from "./fixtures";
import { foldThrough, framesFrom, type Path, streamThrough } from "./pipeline";

const runs = goodStreams.flatMap((fixture) =>
  protocolIds.map((client) => ({
    ...fixture,
    client,
    title: `${fixture.upstream} ${fixture.name} to ${client}`,
  })),
);
const crossing = runs.filter((run) => run.upstream !== run.client);

function pathOf(run: StreamFixture & { client: Path["client"] }): Path {
  return { upstream: run.upstream, client: run.client };
}

describe("every produced stream keeps the grammar of its protocol", () => {
  test.each(runs)("$title", (run) => {
    const { wire, failure } = streamThrough(pathOf(run), run.sse);
    expect(failure).toBeNull();
    expect(
      streamProblems(run.client, wire, { includeUsage: true, forwarded: run.upstream === run.client }),
    ).toEqual([]);
  });

  test.each(runs.filter((run) => run.client === "chat"))("$title without the usage chunk", (run) => {
    const { wire } = streamThrough(pathOf(run), run.sse, { includeUsage: false });
    expect(streamProblems("chat", wire, { forwarded: run.upstream === "chat" })).toEqual([]);
  });
});

describe("EC-148: the stream folds to the unstreamed body", () => {
  test.each(crossing)("$title", (run) => {
    const { wire } = streamThrough(pathOf(run), run.sse);
    expect(foldStream(run.client, wire)).toEqual(foldThrough(pathOf(run), run.sse));
  });
});

/** Source: docs/reliability.md#r-68, #r-161, #r-162. */
describe("the bytes may be cut anywhere", () => {
  test.each(goodStreams)("$upstream $name, in two at every offset", ({ sse }) => {
    const bytes = new TextEncoder().encode(sse);
    const frames = JSON.stringify(framesFrom([bytes]));
    for (let at = 1; at < bytes.length; at += 1) {
      const cut = JSON.stringify(framesFrom([bytes.subarray(0, at), bytes.subarray(at)]));
      if (cut !== frames) expect(cut, `cut at ${at}`).toBe(frames);
    }
  });

  test.each(runs)("$title, byte by byte", (run) => {
    const bytes = new TextEncoder().encode(run.sse);
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(streamThrough(pathOf(run), single).wire).toBe(streamThrough(pathOf(run), run.sse).wire);
  });

  test("random cuts of random streams give the same wire text", () => {
    const cuts = fc.array(fc.nat({ max: 4000 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...runs), cuts, (run, offsets) => {
        const bytes = new TextEncoder().encode(run.sse);
        const sorted = [0, ...offsets.map((at) => at % bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = sorted.slice(1).map((end, at) => bytes.subarray(sorted[at], end));
        expect(streamThrough(pathOf(run), pieces).wire).toBe(streamThrough(pathOf(run), run.sse).wire);
      }),
      { numRuns: 300 },
    );
  });
});

/** Source: docs/reliability.md#r-67, #r-161. */
describe("nothing an upstream sends can throw", () => {
  const anyPath = fc.constantFrom(...runs.map(pathOf));

  test("random bytes", () => {
    fc.assert(
      fc.property(anyPath, fc.uint8Array({ maxLength: 300 }), (way, bytes) => {
        const produced = streamThrough(way, [bytes]);
        expect(produced.failure).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test("random JSON in frames", () => {
    fc.assert(
      fc.property(anyPath, fc.array(fc.jsonValue(), { maxLength: 6 }), (way, values) => {
        const sse = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
        expect(streamThrough(way, sse).wire).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });

  test("a good stream with one frame replaced by junk still keeps the grammar", () => {
    const junk = fc.oneof(
      fc.json(),
      fc.constantFrom(
        "{",
        "null",
        "[]",
        '{"choices":7}',
        '{"choices":[null]}',
        '{"type":"content_block_delta"}',
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...crossing), fc.nat(), junk, (run, seed, text) => {
        const frames = run.sse.split("\n\n").slice(0, -1);
        frames[seed % frames.length] = `data: ${text.replaceAll("\n", " ")}`;
        const { wire, failure } = streamThrough(pathOf(run), `${frames.join("\n\n")}\n\n`);
        if (failure === null) expect(streamProblems(run.client, wire, { includeUsage: true })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
