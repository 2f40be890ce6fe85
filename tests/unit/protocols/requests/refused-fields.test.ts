import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Profile } from "@/lib/protocols/profiles/profile";
import type { Protocol } from "@/lib/protocols/protocol";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const plain = { model: "m", max_tokens: 4000, messages: [{ role: "user", content: "hi" }] };

/** What a node gets that refuses fields, and what its client is told. */
function send(client: Protocol, node: Protocol, fields: JsonObject, profile: Partial<Profile>) {
  const body = validated({ ...plain, ...fields }, client);
  return prepareFor(body, { clientProtocol: client, upstreamProtocol: node, profile });
}

describe("a field that the node refuses, between chat and chat", () => {
  it.each([
    ["store", false],
    ["store", null],
    ["logit_bias", {}],
    ["logprobs", false],
    ["presence_penalty", 0],
    ["seed", null],
    ["messages[].name", null],
  ])("is left out without a word where %s is %j, which asks for nothing", (path, value) => {
    const field = path.replace("messages[].", "");
    const named = [{ role: "user", content: "hi", [field]: value }];
    const fields = path === field ? { [field]: value } : { messages: named };
    const { body, losses } = send("chat", "chat", fields, { refusedFields: [path] });
    expect(body).not.toHaveProperty(field);
    expect(body.messages).toEqual(plain.messages);
    expect(losses).toEqual([]);
  });

  it.each([
    ["logit_bias", { 5: 1 }],
    ["logprobs", true],
    ["presence_penalty", 1],
    ["seed", 1],
    ["seed", 0],
    ["of_tomorrow", false],
  ])("is left out and told where %s is %j, which asks for something", (field, value) => {
    const { body, losses } = send("chat", "chat", { [field]: value }, { refusedFields: [field] });
    expect(body).not.toHaveProperty(field);
    expect(losses).toEqual([`dropped:${field}`]);
  });
});

it("a field that has no effect on an answer is left out without a word", () => {
  const { body, losses } = send("chat", "chat", { store: true }, { refusedFields: ["store"] });
  expect(body).not.toHaveProperty("store");
  expect(losses).toEqual([]);
});

it("a messages field at its usual value is left out without a word", () => {
  const profile = { refusedFields: ["speed"] };
  expect(send("messages", "messages", { speed: "standard" }, profile).losses).toEqual([]);
  expect(send("messages", "messages", { speed: "fast" }, profile).losses).toEqual(["dropped:speed"]);
});

describe("a field that the node refuses is told by the client's own name", () => {
  it.each<[JsonObject, Partial<Profile>, string]>([
    [{ metadata: { user_id: "u" } }, { refusedFields: ["user"] }, "metadata"],
    [
      { thinking: { type: "enabled", budget_tokens: 2000 } },
      { refusedFields: ["reasoning_effort"], effortLevels: ["low"] },
      "thinking",
    ],
    [
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
      { refusedFields: ["reasoning_effort"], effortLevels: ["low"] },
      "output_config.effort",
    ],
    [
      { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
      { refusedFields: ["response_format"] },
      "output_config.format",
    ],
    [{ temperature: 0.5 }, { refusedFields: ["temperature"] }, "temperature"],
  ])("%j of a messages client on a chat node", (fields, profile, told) => {
    const { body, losses } = send("messages", "chat", fields, profile);
    for (const field of profile.refusedFields ?? []) expect(body).not.toHaveProperty(field);
    expect(losses).toEqual([`dropped:${told}`]);
  });

  it.each<[JsonObject, Partial<Profile>, string]>([
    [{ safety_identifier: "u" }, { refusedFields: ["metadata"] }, "safety_identifier"],
    [{ service_tier: "default" }, { refusedFields: ["service_tier"] }, "service_tier"],
    [
      { reasoning_effort: "high" },
      { refusedFields: ["thinking"], thinking: ["enabled"] },
      "reasoning_effort",
    ],
  ])("%j of a chat client on a messages node", (fields, profile, told) => {
    expect(send("chat", "messages", fields, profile).losses).toEqual([`dropped:${told}`]);
  });

  it.each<["chat" | "messages", "chat" | "messages", JsonObject, string]>([
    ["messages", "chat", { stop_sequences: ["x", "y"] }, "stop"],
    ["chat", "chat", { stop: ["x", "y"] }, "stop"],
    ["chat", "messages", { stop: ["x", "y"] }, "stop_sequences"],
  ])("but the answer is ended here at stop sequences (%s to %s)", (client, node, fields, refused) => {
    const { body, losses, stops } = send(client, node, fields, { refusedFields: [refused] });
    expect(body).not.toHaveProperty(refused);
    expect([stops, losses]).toEqual([["x", "y"], []]);
  });

  it("and is no loss where the gateway wrote it unasked", () => {
    const profile = { refusedFields: ["stream_options"] };
    const { body, losses } = send("messages", "chat", {}, profile);
    expect(body).not.toHaveProperty("stream_options");
    expect(losses).toEqual([]);
  });
});

it("a field of messages is taken out of those of one role or of all, and the client's own messages stay as they are", () => {
  const messages = [
    { role: "user", name: "ann", content: "a" },
    { role: "assistant", name: "bot", content: "b" },
    { role: "user", content: "c" },
  ];
  const ofUser = send("chat", "chat", { messages }, { refusedFields: ["messages[user].name"] });
  expect(ofUser.body.messages).toEqual([{ role: "user", content: "a" }, messages[1], messages[2]]);
  expect(ofUser.losses).toEqual(["dropped:messages[user].name"]);
  const ofAll = send("chat", "chat", { messages }, { refusedFields: ["messages[].name"] });
  expect(ofAll.body.messages).not.toContainEqual(expect.objectContaining({ name: expect.anything() }));
  expect(ofAll.losses).toEqual(["dropped:messages[].name"]);
  expect(messages[0]).toHaveProperty("name");
});
