import { describe, expect, test } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import { splitPayloads } from "@/lib/protocols/sse/payloads";
import { SseDecoder } from "@/lib/protocols/sse/sse-decoder";
import { chatFixtures } from "./chat-fixtures";
import { bytesOf, chatSse, delta, finish, framesFrom, streamThrough } from "./pipeline";

const frames = (text: string) => framesFrom(bytesOf(text));
const way = { upstream: "chat", client: "chat" } as const;

/** Source: docs/reliability.md#r-68, #r-69, #r-70. */
describe("the decoder of server-sent events", () => {
  test("EC-122: a character cut between two pieces stays whole", () => {
    const bytes = new TextEncoder().encode("data: 北🌏\n\n");
    for (let at = 1; at < bytes.length; at += 1) {
      expect(framesFrom([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([
        { event: null, data: "北🌏" },
      ]);
    }
  });

  test("EC-123: line ends, missing spaces, comments and a byte order mark make no difference", () => {
    const wanted = [
      { event: "a", data: "1" },
      { event: null, data: "2" },
    ];
    const plain = "event: a\ndata: 1\n\n: comment\n\ndata: 2\n\n";
    for (const text of [
      plain,
      plain.replaceAll("\n", "\r\n"),
      plain.replaceAll("\n", "\r"),
      `\uFEFF${plain}`,
      plain.replaceAll(": ", ":"),
    ]) {
      expect(frames(text)).toEqual(wanted);
      const single = Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte));
      expect(framesFrom(single)).toEqual(wanted);
    }
  });

  test("EC-124: several data lines are one event, joined by line feeds", () => {
    expect(frames('data: {"a":\ndata: 1}\n\n')).toEqual([{ event: null, data: '{"a":\n1}' }]);
    const sse = chatSse([delta({ role: "assistant", content: "Hi" }), finish("stop")]).replace(
      ',"choices"',
      '\ndata: ,"choices"',
    );
    expect(streamThrough(way, sse).failure).toBeNull();
  });

  test("EC-125: a last event without its blank line counts when it is whole", () => {
    expect(frames('data: {"a":1}')).toHaveLength(1);
    expect(frames("data: [DONE]\n")).toHaveLength(1);
    expect(frames('data: {"a":')).toHaveLength(0);
  });

  test("EC-128: comments and nothing else are no answer", () => {
    expect(streamThrough(way, ": one\n\n: two\n\n").failure).not.toBeNull();
    expect(streamThrough(way, "").failure).not.toBeNull();
    expect(streamThrough(way, "data: [DONE]\n\n").failure).not.toBeNull();
  });

  test("a data prefix inside the data is taken off, and two glued objects are two", () => {
    expect(frames("data: data: 1\n\n")).toEqual([{ event: null, data: "1" }]);
    expect(splitPayloads('{"a":"}{"} \n {"b":[{}]}')).toEqual(['{"a":"}{"}', '{"b":[{}]}']);
    const glued = chatFixtures.text.replace("}\n\ndata: {", "}{");
    expect(streamThrough({ upstream: "chat", client: "messages" }, glued).wire).toBe(
      streamThrough({ upstream: "chat", client: "messages" }, chatFixtures.text).wire,
    );
  });

  test("unknown fields and events without data are passed over", () => {
    expect(frames("id: 1\nretry: 5\nevent: ping\n\nnonsense\ndata: x\n\n")).toEqual([
      { event: null, data: "x" },
    ]);
  });

  test("an object between the events is one too, on one line or many, wherever it is cut", () => {
    const error = { error: { code: 503, message: "Overloaded {", details: [{ a: [] }, {}] } };
    const last = { event: null, data: "1" };
    for (const object of [JSON.stringify(error), JSON.stringify(error, null, 2)]) {
      for (const text of [
        `data: 1\r\n\r\n${object}\n`,
        `data: 1\n\n${object}\r\n\r\n`,
        `data: 1\n\n${object}`,
      ]) {
        const bytes = new TextEncoder().encode(text);
        for (let at = 1; at < bytes.length; at += 1) {
          const [first, second, ...others] = framesFrom([bytes.subarray(0, at), bytes.subarray(at)]);
          expect([first, others]).toEqual([last, []]);
          expect(JSON.parse(second?.data ?? "")).toEqual(error);
        }
      }
    }
  });

  test("an object that is not whole, too long or followed by an event is passed over", () => {
    const long = `{\n${'"a": 1,\n'.repeat(10_000)}"b": 2\n}`;
    for (const text of ['{\n"a": ', '{"a": }', '{\n"a": 1\n\n}', long])
      expect(frames(`${text}\n\ndata: 1\n\n`)).toEqual([{ event: null, data: "1" }]);
  });

  test("a line of 32 MiB is taken, and a longer one refused while it arrives", () => {
    const decoder = new SseDecoder();
    const piece = Buffer.alloc(1024 * 1024, "x");
    const push = () => decoder.push(piece);
    for (let sent = 0; sent < 32; sent += 1) push();
    expect(push).toThrow(/too long/);
    try {
      push();
    } catch (error) {
      expect(isGatewayError(error) && error.code).toBe("UPSTREAM_ERROR");
      expect(error).toMatchObject({ failure: { bound: true } });
    }
  });

  test("bytes of no length change no character that is cut there", () => {
    const decoder = new SseDecoder();
    const bytes = Buffer.from("data: 中文\n\n");
    const pieces = [bytes.subarray(0, 0), bytes.subarray(0, 8), bytes.subarray(0, 0), bytes.subarray(8)];
    expect(pieces.flatMap((piece) => decoder.push(piece))).toEqual([{ event: null, data: "中文" }]);
  });

  test("an event of more than 32 MiB is refused", () => {
    const line = `data: ${"x".repeat(1024 * 1024 - 16)}\n`;
    const decoder = new SseDecoder();
    expect(() => {
      for (let sent = 0; sent < 33; sent += 1) decoder.push(Buffer.from(line));
    }).toThrow(/too long/);
  });

  test("a long line in small pieces costs time in proportion to its length", () => {
    const decoder = new SseDecoder();
    const begin = performance.now();
    const piece = Buffer.from("x".repeat(8));
    for (let sent = 0; sent < 100_000; sent += 1) decoder.push(piece);
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});

describe("a broken frame", () => {
  test("is a failure of the answer, never an exception", () => {
    const sse = chatSse([delta({ role: "assistant", content: "Hi" })], false);
    for (const junk of ["data: {broken\n\n", "data: 7\n\n", "data: <html>\n\n"]) {
      for (const client of ["chat", "messages"] as const) {
        const { failure, wire } = streamThrough(
          { upstream: "chat", client },
          sse + junk + chatSse([finish("stop")]),
        );
        expect(failure?.type).toBe("protocol_error");
        expect(wire).not.toMatch(/\[DONE\]|message_stop/);
      }
    }
  });
});
