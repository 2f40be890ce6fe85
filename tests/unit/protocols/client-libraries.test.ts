import { describe, expect, test } from "vitest";
import { objectPrefix } from "@/lib/protocols/messages/client/fold";
import { protocols } from "@/lib/protocols/registry";
import { goodStreams, type StreamFixture } from "./fixtures";
import { bytesOf, foldThrough, framesFrom, type Path, streamThrough } from "./pipeline";
import { type Reading, readers } from "./sdk-readers";

/** Events that the strict library refuses or passes over, also when the vendor itself sends them. */
const unreadable = new Set([
  "AI SDK anthropic: messages unknownThings",
  "AI SDK anthropic: messages contentInMessageStart",
  "AI SDK anthropic: messages textInStart",
]);

const cases = readers.flatMap((reader) =>
  goodStreams
    .map((fixture) => ({ reader, fixture, title: `${reader.name}: ${fixture.upstream} ${fixture.name}` }))
    .filter(({ title }) => !unreadable.has(title)),
);

/** What was said, read from the events and by nobody's accumulator. */
function said(fixture: StreamFixture): Reading {
  const decoder = protocols[fixture.upstream].decoder({ id: "x" });
  const events = framesFrom(bytesOf(fixture.sse)).flatMap((frame) => decoder.push(frame));
  const reading: Reading = { text: "", calls: [] };
  const json: string[] = [];
  for (const event of [...events, ...decoder.end()]) {
    if (event.type === "text" || event.type === "refusal") reading.text += event.text;
    else if (event.type === "tool_open") reading.calls[event.slot] = { name: event.name, input: {} };
    else if (event.type === "tool_args") json[event.slot] = (json[event.slot] ?? "") + event.text;
  }
  for (const [slot, call] of reading.calls.entries()) call.input = parse(json[slot] ?? "");
  return reading;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return objectPrefix(text);
  }
}

/** Whitespace at the ends and cut arguments are each library's own matter. */
function plain(reading: Reading): Reading {
  const calls = reading.calls.map(({ name, input }) => {
    const cut = typeof input === "object" && input !== null && "cut" in input ? input.cut : undefined;
    return { name, input: typeof cut === "string" ? objectPrefix(cut) : input };
  });
  return { text: reading.text.trim(), calls };
}

describe("every client library reads what the upstream said", () => {
  test.each(cases)("$title", async ({ reader, fixture }) => {
    const way: Path = { upstream: fixture.upstream, client: reader.client };
    const wanted = plain(said(fixture));
    // A refusal and a legacy call have no place in some libraries' answers.
    const skipsText = fixture.name === "refusal" && reader.name.startsWith("AI SDK openai");
    const skipsCalls =
      fixture.name === "legacyCall" && reader.name.startsWith("AI SDK openai") && fixture.upstream === "chat";
    for (const stream of [true, false]) {
      const wire = stream
        ? streamThrough(way, fixture.sse).wire
        : JSON.stringify(foldThrough(way, fixture.sse));
      const got = plain(await reader.read(wire, stream));
      if (!skipsText) expect(got.text, `streamed: ${stream}`).toBe(wanted.text);
      if (!skipsCalls) expect(got.calls, `streamed: ${stream}`).toEqual(wanted.calls);
    }
  });

  test("and none takes a broken stream for a finished one", async () => {
    for (const reader of readers) {
      for (const fixture of goodStreams.filter(({ name }) => name === "text")) {
        const cut = fixture.sse.slice(0, fixture.sse.indexOf("fine"));
        const { wire, failure } = streamThrough({ upstream: fixture.upstream, client: reader.client }, cut);
        expect(failure).not.toBeNull();
        await expect(reader.read(wire, true), `${reader.name}, ${fixture.upstream}`).rejects.toThrow();
      }
    }
  });
});
