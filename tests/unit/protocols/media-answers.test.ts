import { describe, expect, test } from "vitest";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";
import { isMeaningful, ProtocolError } from "@/lib/protocols/generation/events";
import { protocols } from "@/lib/protocols/registry";
import { SseDecoder } from "@/lib/protocols/sse/sse-decoder";
import { chatSse, delta, finish, optionsFor, usageChunk } from "./pipeline";

const url = `data:image/png;base64,${"A".repeat(2 * 1024 * 1024)}`;
const images = [{ type: "image_url", image_url: { url } }];
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const picture = chatSse([
  delta({ role: "assistant", content: "" }),
  delta({ images }),
  finish("stop"),
  usageChunk(usage),
]);
const remotePicture = picture.replace(url, "https://example.com/a.png");
const sound = chatSse([
  delta({ role: "assistant", audio: { id: "a", data: "BBBB" } }),
  finish("stop"),
  usageChunk(usage),
]);
const frames = (wire: string) => new SseDecoder().push(Buffer.from(wire));

/** Source: docs/protocols.md#s12-1. */
describe("an answer that begins with a picture", () => {
  test("reaches a chat client as it came, and counts as begun", () => {
    const stage = protocols.chat.direct.passthrough(optionsFor({ client: "chat", upstream: "chat" }));
    const passed = frames(picture).map((frame) => stage.push(frame));
    expect(passed.map(({ wire }) => wire).join("")).toContain(url);
    expect(passed.flatMap(({ events }) => events).filter(isMeaningful)[0]).toEqual({
      type: "media",
      kind: "images",
      base64: url.slice(url.indexOf(",") + 1),
    });
  });

  test.each([
    ["messages", picture, "dropped:images"],
    ["responses", remotePicture, "dropped:images"],
    ["messages", sound, "dropped:audio"],
    ["responses", sound, "dropped:audio"],
  ] as const)("is named as a loss to a %s client", (client, wire, told) => {
    const decoder = protocols.chat.decoder({ id: "c" });
    const events = [...frames(wire).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
    const encoder = protocols[client].encoder(optionsFor({ client, upstream: "chat" }));
    for (const event of events) encoder.push(event);
    expect(encoder.losses).toEqual([told]);
    expect(protocols[client].fold(events, optionsFor({ client, upstream: "chat" })).losses).toEqual([told]);
  });
});

test("a picture of a chat node reaches a Responses client as that of the tool which makes pictures", () => {
  const decoder = protocols.chat.decoder({ id: "c" });
  const events = [...frames(picture).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
  const { body, losses } = protocols.responses.fold(
    events,
    optionsFor({ client: "responses", upstream: "chat" }),
  );
  const result = url.slice(url.indexOf(",") + 1);
  expect(losses).toEqual([]);
  expect(body.output).toMatchObject([
    { type: "image_generation_call", status: "completed", result },
    { type: "message" },
  ]);
});

test("an answer beyond a bound of the gateway's is a failure that does not count against its node", () => {
  const { failure } = new ProtocolError("A line of the stream is too long", { bound: true });
  expect(classifyFailure("answer", failure)).toMatchObject({ clientStatus: 502, health: "none" });
  expect(classifyFailure("answer", new ProtocolError("not JSON").failure)).toMatchObject({ health: "soft" });
});
