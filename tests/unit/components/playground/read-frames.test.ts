import fc from "fast-check";
import { expect, test } from "vitest";
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
