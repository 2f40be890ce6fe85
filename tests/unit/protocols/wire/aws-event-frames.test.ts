import { describe, expect, test } from "vitest";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";
import { ProtocolError } from "@/lib/protocols/generation/events";
import { type AwsEvent, readAwsEvent } from "@/lib/protocols/wire/aws-event-frames";
import { AwsEventStreamReader } from "@/lib/protocols/wire/aws-event-stream";
import { encoded, encodedChunk, encodedException } from "./aws-events";

function read(bytes: Uint8Array): AwsEvent | undefined {
  return new AwsEventStreamReader().push(bytes).map(readAwsEvent)[0];
}

const chunkHeaders = { ":event-type": "chunk", ":message-type": "event" };

/** Source: docs/clouds.md#event-stream. */
describe("a message of a model's stream", () => {
  test("gives the event that it wraps, named by its type and unchanged", () => {
    const event = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Grüße 🚀" } };
    expect(read(encodedChunk(event))).toEqual({
      frame: { event: "content_block_delta", data: JSON.stringify(event) },
    });
  });

  test("gives nothing when the event has no type, or is of another kind", () => {
    expect(read(encodedChunk({ completion: "x" }))).toBeNull();
    expect(read(encoded({ ":event-type": "initial-response", ":message-type": "event" }, "{}"))).toBeNull();
  });

  test.each([
    ["internalServerException", "soft"],
    ["modelStreamErrorException", "soft"],
    ["modelTimeoutException", "soft"],
    ["serviceUnavailableException", "cooldown"],
    ["throttlingException", "cooldown"],
    ["somethingNewException", "soft"],
    ["constructor", "soft"],
  ])("with %s lets another node answer and has the effect %s on the node", (type, health) => {
    const found = read(encodedException(type, { message: "no luck", originalStatusCode: 400 }));
    if (!found || !("failure" in found)) throw new Error("no failure");
    expect(found.failure).toMatchObject({ type, message: "no luck" });
    expect(classifyFailure("status", found.failure)).toMatchObject({ failover: true, health });
  });

  test("with validationException is the request's fault", () => {
    const found = read(encodedException("validationException", { message: "max_tokens: too large" }));
    if (!found || !("failure" in found)) throw new Error("no failure");
    expect(classifyFailure("status", found.failure)).toMatchObject({ fault: "client", health: "none" });
  });

  test("that is an error says so in its headers", () => {
    const headers = { ":message-type": "error", ":error-code": "InternalError", ":error-message": "broken" };
    expect(read(encoded(headers, ""))).toMatchObject({
      failure: { status: 500, type: "InternalError", message: "broken" },
    });
  });

  test("that is an exception without a body that can be read is still one", () => {
    const bytes = encoded({ ":exception-type": "throttlingException", ":message-type": "exception" }, "{");
    expect(read(bytes)).toMatchObject({
      failure: { status: 429, message: "The upstream reported an error" },
    });
  });

  test.each([
    ["no bytes", encoded(chunkHeaders, "{}")],
    ["no JSON around the bytes", encoded(chunkHeaders, "x")],
    ["bytes that are no JSON", encoded(chunkHeaders, JSON.stringify({ bytes: "eHg=" }))],
    ["an unknown type", encoded({ ":message-type": "surprise" }, "{}")],
    ["no type", encoded({}, "{}")],
  ])("with %s breaks the stream", (_, bytes) => {
    expect(() => read(bytes)).toThrow(ProtocolError);
  });
});
