import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { isAboutNamedRecord } from "@/lib/protocols/failures/named-records";

const notFound = readFailure(404, JSON.stringify({ detail: "Not Found" }));
const isAbout = (body: JsonObject, failure = notFound) => isAboutNamedRecord(failure, body, "up-model");
const file = { messages: [{ role: "user", content: [{ type: "file", file: { file_id: "f1" } }] }] };

/** Source: docs/protocols.md#s13-3. */
describe("a 404", () => {
  test.each<JsonObject>([
    file,
    { container: "c1" },
    { container: { id: null, skills: [{ skill_id: "s1" }] } },
    { conversation: { id: "conv_1" } },
    { prompt: { id: "pmpt_1" } },
    { input: [{ type: "item_reference", id: "msg_1" }] },
    { input: [{ role: "user", content: [{ type: "input_file", file_id: "f1" }] }] },
    { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] },
    { messages: [{ role: "assistant", audio: { id: "audio_1" } }] },
  ])("is the caller's where the request names a record of the vendor's: %j", (body) => {
    expect(isAbout(body)).toBe(true);
  });

  test.each<JsonObject>([
    { messages: [{ role: "user", content: "hi" }] },
    { audio: { voice: "alloy", format: "wav" } },
    { metadata: { file_id: "f1", session_id: "s" } },
    {
      messages: [{ content: [{ type: "tool_use", id: "t", input: { prompt: "p", file_id: "f", id: "x" } }] }],
    },
    {
      tools: [
        { name: "f", input_schema: { properties: { file_id: { const: "f" } }, default: { file_id: "f" } } },
      ],
    },
    { tools: [{ function: { parameters: { examples: [{ container_id: "c" }] } } }] },
    { file_id: "" },
  ])("is the node's where it names none: %j", (body) => {
    expect(isAbout(body)).toBe(false);
  });

  test("is the node's where the node says so, in whatever way, or says nothing", () => {
    for (const told of [
      { error: { message: "x", code: "model_not_found" } },
      { error: { message: "no up-model here" } },
      { error: {} },
    ])
      expect(isAbout(file, readFailure(404, JSON.stringify(told)))).toBe(false);
    expect(isAbout(file, readFailure(403, JSON.stringify({ detail: "no" })))).toBe(false);
  });
});
