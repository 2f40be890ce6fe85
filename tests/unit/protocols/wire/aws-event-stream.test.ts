import { crc32 } from "node:zlib";
import { Int64 } from "@smithy/eventstream-codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProtocolError } from "@/lib/protocols/generation/events";
import { type AwsEventMessage, AwsEventStreamReader } from "@/lib/protocols/wire/aws-event-stream";
import { codec, encoded, encodedChunk, encodedException } from "./aws-events";

const MIB = 1024 * 1024;

function read(...parts: Uint8Array[]): AwsEventMessage[] {
  const reader = new AwsEventStreamReader();
  const messages = parts.flatMap((part) => reader.push(part));
  reader.end();
  if (reader.failure !== null) throw reader.failure;
  return messages;
}

/** A message with a correct checksum over any headers. */
function framed(headers: Uint8Array, payload = new Uint8Array()): Uint8Array {
  const message = Buffer.alloc(16 + headers.length + payload.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  message.set(headers, 12);
  message.set(payload, 12 + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4);
  return message;
}

/** The first twelve bytes of a message. */
function prelude(total: number, headers: number): Uint8Array {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(total, 0);
  bytes.writeUInt32BE(headers, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  return bytes;
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

const uuid = "01234567-89ab-cdef-0123-456789abcdef";
const anyHeader = fc.oneof(
  fc.boolean().map((value) => ({ type: "boolean", value }) as const),
  fc.integer({ min: -128, max: 127 }).map((value) => ({ type: "byte", value }) as const),
  fc.integer({ min: -32_768, max: 32_767 }).map((value) => ({ type: "short", value }) as const),
  fc.integer().map((value) => ({ type: "integer", value }) as const),
  fc.maxSafeInteger().map((value) => ({ type: "long", value: Int64.fromNumber(value) }) as const),
  fc.uint8Array({ maxLength: 300 }).map((value) => ({ type: "binary", value }) as const),
  fc.string({ unit: "binary", maxLength: 300 }).map((value) => ({ type: "string", value }) as const),
  fc.date({ noInvalidDate: true }).map((value) => ({ type: "timestamp", value }) as const),
  fc.constant({ type: "uuid", value: uuid } as const),
);
const headerName = fc.stringMatching(/^[:a-z][a-z-]{0,20}$/);
const anyMessage = fc.record({
  headers: fc.dictionary(headerName, anyHeader, { maxKeys: 6, noNullPrototype: true }),
  body: fc.uint8Array({ maxLength: 500 }),
});

/** Source: docs/clouds.md#event-stream. */
describe("an event stream", () => {
  test("of another encoder is read with all types of headers, however it is cut", () => {
    const property = fc.property(
      fc.array(anyMessage, { maxLength: 4 }),
      fc.integer({ min: 1, max: 64 }),
      (messages, size) => {
        const bytes = joined(...messages.map((message) => codec.encode(message)));
        const parts: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
        const expected = messages.map(({ headers, body }) => ({
          headers: new Map(
            Object.entries(headers).map(([name, { type, value }]) => [
              name,
              type === "long" ? BigInt(value.valueOf()) : value,
            ]),
          ),
          payload: body,
        }));
        expect(read(...parts)).toEqual(expected);
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });

  test("gives the same messages when it is cut at each byte", () => {
    const bytes = joined(
      encodedChunk({ type: "message_start" }),
      encodedChunk({ type: "ping" }),
      encodedException("throttlingException", { message: "slow down" }),
    );
    const whole = read(bytes);
    expect(whole).toHaveLength(3);
    for (let at = 0; at <= bytes.length; at++) {
      expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
    }
  });

  test("with any bit flipped gives no message and fails, or fails at its end", () => {
    const bytes = encodedChunk({ type: "content_block_delta", delta: { text: "ab" } });
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => read(flipped), `bit ${bit}`).toThrow(ProtocolError);
    }
  });

  test("that ends within a message fails", () => {
    const bytes = encodedChunk({ type: "ping" });
    for (let length = 1; length < bytes.length; length++) {
      expect(() => read(bytes.subarray(0, length))).toThrow("ended within a message");
    }
    expect(read()).toEqual([]);
  });

  test("gives nothing more after a failure", () => {
    const reader = new AwsEventStreamReader();
    const ping = encodedChunk({ type: "ping" });
    expect(reader.push(joined(ping, new Uint8Array(12).fill(1), ping))).toHaveLength(1);
    expect(reader.failure).toBeInstanceOf(ProtocolError);
    expect(reader.push(ping)).toEqual([]);
    reader.end();
    expect(reader.failure?.message).toMatch("wrong checksum");
  });

  test("may have messages of 2 MiB and headers of 128 KiB, and none larger", () => {
    const largest = encoded({ a: "b" }, new Uint8Array(2 * MIB - 16 - 6));
    expect(largest).toHaveLength(2 * MIB);
    expect(read(largest)).toHaveLength(1);
    const failureOf = (bytes: Uint8Array) => {
      const reader = new AwsEventStreamReader();
      expect(reader.push(bytes)).toEqual([]);
      return reader.failure;
    };
    expect(failureOf(prelude(2 * MIB + 1, 0))?.message).toMatch("too large");
    expect(failureOf(prelude(MIB, 128 * 1024))).toBeNull();
    expect(failureOf(prelude(MIB, 128 * 1024 + 1))?.message).toMatch("too large");
  });

  test.each([
    [0, 0],
    [15, 0],
    [16, 1],
    [100, 85],
  ])("with a message of %i bytes and headers of %i is refused", (total, headers) => {
    expect(() => read(prelude(total, headers))).toThrow("wrong length");
  });

  test.each([
    ["a type that nobody knows", [1, 97, 10]],
    ["a name beyond the end", [5, 97]],
    ["no type", [1, 97]],
    ["a number beyond the end", [1, 97, 4, 0, 0]],
    ["a text beyond the end", [1, 97, 7, 0, 9, 98]],
    ["bytes beyond the end", [1, 97, 6, 255, 255]],
    ["a text that is not UTF-8", [1, 97, 7, 0, 1, 255]],
  ])("with a header that has %s is refused", (_, headers) => {
    expect(() => read(framed(new Uint8Array(headers)))).toThrow(ProtocolError);
  });

  test("never fails in any other way, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 40 }), (headers, raw) => {
        for (const bytes of [framed(headers), raw]) {
          try {
            read(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
