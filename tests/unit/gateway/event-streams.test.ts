import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";
import { block, messageEnd, messageStart, messagesSse } from "../protocols/wire";
import { encodedChunk, encodedException } from "../protocols/wire/aws-events";
import { GenerationRig } from "./generation-rig";

const AWS = "application/vnd.amazon.eventstream";
const payloads: JsonObject[] = [
  messageStart(),
  ...block(
    0,
    { type: "text", text: "" },
    { type: "text_delta", text: "Grüße" },
    { type: "text_delta", text: "!" },
  ),
  ...messageEnd("end_turn"),
];
const chunks = payloads.map(encodedChunk);
const whole = Buffer.concat(chunks);

/** Every place of the first and the last messages, and some between. */
const cuts = Array.from(whole.keys()).filter(
  (at) => at > 0 && (at < 40 || at % 17 === 0 || at > whole.length - 40),
);

/** What a client gets of a node that sends these pieces, and how the call was settled. */
async function served(client: Protocol, type: string, pieces: (string | Uint8Array)[], stream = true) {
  const rig = new GenerationRig(["messages"]); // its node has not failed before
  const generation = await rig.begin(client, client === "responses" ? { input: "Hi", stream } : { stream });
  generation.node.open(type);
  for (const piece of pieces) if (piece.length > 0) generation.node.send(piece);
  generation.node.end();
  await generation.over;
  const wire = generation.wire.replace(
    /"(id|item_id|request_id)":"[^"]*"|"(created|created_at|completed_at)":\d+/g,
    "",
  );
  const { status, usageSource } = rig.settlements[0] ?? {};
  return { wire, status, usageSource };
}

/** Source: docs/clouds.md#event-stream. */
describe("an event stream of AWS from a node", () => {
  test.each(["chat", "messages", "responses"] as const)("is to %s clients what it wraps", async (client) => {
    for (const stream of [true, false]) {
      const plain = await served(client, "text/event-stream", [messagesSse(payloads)], stream);
      expect(plain).toMatchObject({ status: "success", usageSource: "upstream" });
      expect(await served(client, AWS, [whole], stream)).toEqual(plain);
    }
  });

  test("is the same wherever it is cut", async () => {
    const expected = await served("messages", AWS, [whole]);
    for (const at of cuts) {
      const found = await served("messages", AWS, [whole.subarray(0, at), whole.subarray(at)]);
      expect([at, found]).toEqual([at, expected]);
    }
  });

  test("that ends early is broken or refused, and never looks complete", async () => {
    for (const at of cuts) {
      const { wire, status } = await served("messages", AWS, [whole.subarray(0, at)]);
      expect([at, wire.includes("message_stop"), status === "success"]).toEqual([at, false, false]);
    }
  });

  test.each([
    [
      "a wrong checksum",
      Buffer.from(encodedChunk({ type: "ping" }).map((byte, at) => (at === 20 ? byte ^ 1 : byte))),
    ],
    ["an exception", encodedException("modelStreamErrorException", { message: "no" })],
  ])("with %s gives what came before it, then an error", async (_, wrong) => {
    const { wire, status } = await served("messages", AWS, [
      Buffer.concat([...chunks.slice(0, 3), wrong, whole]),
    ]);
    expect(wire).toContain("Grüße");
    expect(wire).toMatch(/event: error\ndata: .*\n\n$/);
    expect(wire).not.toContain("message_stop");
    expect(status).toBe("interrupted");
  });

  test("with a wrong end behind the whole answer is that answer", async () => {
    const wrong = encodedException("internalServerException", { message: "no" });
    expect(await served("messages", AWS, [Buffer.concat([whole, wrong])])).toEqual(
      await served("messages", AWS, [whole]),
    );
    const half = Buffer.concat([whole, wrong.subarray(0, 20)]);
    expect(await served("messages", AWS, [half])).toMatchObject({ status: "success" });
  });
});
