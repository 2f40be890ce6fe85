import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { protocols } from "@/lib/protocols/registry";
import { ResponsesDecoder } from "@/lib/protocols/responses/node/decode";
import { ResponsesLimitEnding } from "@/lib/protocols/responses/node/limit-ending";
import { responseEvents, responseFrames } from "@/lib/protocols/responses/node/whole";
import { Recoding } from "@/lib/protocols/wire/recoding";
import { optionsFor } from "../pipeline";
import { decoded, options } from "./decoding";

describe("whatever a node sends", () => {
  const types = fc.constantFrom(
    "response.created",
    "response.output_item.added",
    "response.output_item.done",
    "response.content_part.done",
    "response.output_text.delta",
    "response.output_text.done",
    "response.output_text.annotation.added",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_part.done",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.custom_tool_call_input.delta",
    "response.refusal.delta",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "error",
  );
  const itemTypes = fc.constantFrom(
    "message",
    "reasoning",
    "function_call",
    "custom_tool_call",
    "shell_call",
    "x",
  );
  const odd = fc.oneof(fc.constantFrom(0, 1, -1, null, "", "a", [], {}), fc.jsonValue({ maxDepth: 2 }));
  const item = fc.record(
    {
      type: itemTypes,
      id: odd,
      call_id: odd,
      name: odd,
      arguments: odd,
      input: odd,
      content: odd,
      summary: odd,
    },
    { requiredKeys: ["type"] },
  );
  const event = fc.record(
    {
      type: types,
      output_index: odd,
      content_index: odd,
      item_id: odd,
      delta: odd,
      text: odd,
      part: odd,
      annotation: odd,
      item: fc.oneof(item, odd),
      response: fc.oneof(
        fc.record({ status: odd, output: fc.oneof(fc.array(item), odd), usage: odd, error: odd }),
        odd,
      ),
    },
    { requiredKeys: ["type"] },
  );

  test("a stream ends in an error or in its end, and so does a client's", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const frames = events.map((payload) => ({ event: null, data: JSON.stringify(payload) }));
        const read = decoded(frames);
        expect(["error", "end"]).toContain(read.at(-1)?.type);
        const ending = new ResponsesLimitEnding();
        for (const frame of frames) ending.watch(frame);
        for (const frame of ending.frames(7)) JSON.parse(frame.data);
        for (const client of ["chat", "messages", "responses"] as const) {
          const stage = new Recoding(
            new ResponsesDecoder(options),
            protocols[client].encoder(optionsFor({ upstream: "responses", client })),
          );
          for (const frame of frames) stage.push(frame);
          stage.finish();
          stage.end();
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a whole answer is one or a failure, and so are its frames", () => {
    fc.assert(
      fc.property(
        fc.record({ status: odd, output: fc.oneof(fc.array(item), odd), usage: odd, error: odd }),
        (body) => {
          expect(["error", "end"]).toContain(responseEvents(body, options).at(-1)?.type);
          expect(["error", "end"]).toContain(decoded(responseFrames(body)).at(-1)?.type);
        },
      ),
      { numRuns: 500 },
    );
  });
});
