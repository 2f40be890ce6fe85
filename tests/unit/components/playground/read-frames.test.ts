import fc from "fast-check";
import { expect, test } from "vitest";
import { addEvent, noAnswer, wholeAnswer } from "@/components/playground/answer";
import { readFrames } from "@/components/playground/read-frames";

/** The bytes cut at the given places. */
function streamOf(text: string, cuts: number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return new ReadableStream({
    start(controller) {
      for (let index = 1; index < places.length; index += 1) {
        controller.enqueue(bytes.slice(places[index - 1], places[index]));
      }
      controller.close();
    },
  });
}

test("frames are the same wherever the network cuts them, inside a character too", async () => {
  const text = ': hello\n\nevent: delta\ndata: {"t": "你好 🌍"}\n\ndata: a\ndata: b\r\n\r\ndata: [DONE]\n\n';
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
      const frames = [];
      for await (const frame of readFrames(streamOf(text, cuts))) frames.push(frame);
      expect(frames).toEqual([
        { event: "delta", data: '{"t": "你好 🌍"}' },
        { event: null, data: "a\nb" },
        { event: null, data: "[DONE]" },
      ]);
    }),
  );
});

test("the last event of a body that just ends is read; one without end is an error", async () => {
  const read = async (text: string) => {
    const frames = [];
    for await (const frame of readFrames(streamOf(text, [1_000]))) frames.push(frame.data);
    return frames;
  };
  expect(await read("data: a\n\ndata: b")).toEqual(["a", "b"]);
  await expect(read(`data: ${"x".repeat(1_100_000)}`)).rejects.toThrow("too large");
});

test("streamed and whole answers read the same in both protocols", () => {
  const chat = [
    { choices: [{ delta: { content: "Hel" } }] },
    { choices: [{ delta: { content: "lo" }, finish_reason: "stop" }] },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
  ].reduce((answer, event) => addEvent(answer, "chat", event), noAnswer);
  expect(chat).toEqual(
    wholeAnswer("chat", {
      choices: [{ message: { content: "Hello" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    }),
  );
  const messages = [
    { type: "message_start", message: { usage: { input_tokens: 3 } } },
    { type: "content_block_delta", delta: { type: "text_delta", text: "Hello" } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  ].reduce((answer, event) => addEvent(answer, "messages", event), noAnswer);
  expect(messages).toEqual(
    wholeAnswer("messages", {
      content: [{ type: "text", text: "Hello" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 3, output_tokens: 2 },
    }),
  );
});

test("an error inside a stream is an error, not an empty answer", () => {
  expect(addEvent(noAnswer, "chat", { error: { message: "broke off" } }).failure).toBe("broke off");
});
