import { describe, expect, test } from "vitest";
import { AwsFrameReader } from "@/lib/protocols/wire/aws-frame-reader";
import { frameReader, isStreamType } from "@/lib/protocols/wire/frame-reader";
import { encodedChunk, encodedException } from "./aws-events";

const AWS = "application/vnd.amazon.eventstream";
const ping = { type: "ping" };
const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "é" } };
const slow = encodedException("throttlingException", { message: "slow down" });

function read(...parts: Uint8Array[]) {
  const reader = new AwsFrameReader();
  const frames = [...parts.flatMap((part) => reader.push(Buffer.from(part))), ...reader.end()];
  return { names: frames.map(({ event }) => event), failure: reader.failure };
}

/** Source: docs/clouds.md#event-stream. */
describe("a stream of chunks", () => {
  test.each([
    [AWS, "ping"],
    [`${AWS}; charset=utf-8`, "ping"],
    ["text/event-stream", undefined],
  ])("is read by its content type: %s", (type, event) => {
    expect(isStreamType(type)).toBe(true);
    expect(frameReader(type).push(Buffer.from(encodedChunk(ping)))[0]?.event).toBe(event);
  });

  test.each(["application/json", ""])("is not what %j says", (type) => {
    expect(isStreamType(type)).toBe(false);
  });

  test("gives the same frames and the same failure when it is cut at each byte", () => {
    const bytes = Buffer.concat([encodedChunk(ping), encodedChunk(delta), slow, encodedChunk(ping)]);
    const whole = read(bytes);
    expect(whole).toMatchObject({ names: ["ping", "content_block_delta"], failure: { status: 429 } });
    for (let at = 0; at <= bytes.length; at++)
      expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
  });

  test("gives what stands before a message with a wrong checksum, and then breaks", () => {
    const wrong = encodedChunk(delta).slice();
    wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1;
    const found = read(Buffer.concat([encodedChunk(ping), wrong, encodedChunk(ping)]));
    expect(found).toMatchObject({ names: ["ping"], failure: { status: null, type: "protocol_error" } });
  });

  test("that ends within a message is broken", () => {
    const bytes = Buffer.concat([encodedChunk(ping), encodedChunk(delta)]);
    expect(read(bytes).failure).toBeNull();
    expect(read(bytes.subarray(0, -1))).toMatchObject({ names: ["ping"], failure: { status: null } });
  });
});
