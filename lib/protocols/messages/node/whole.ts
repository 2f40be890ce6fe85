import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { failureOf, wholeErrors } from "@/lib/protocols/failures/failure-body";

/**
 * A whole messages answer as the payloads of its stream. A body that is no messages answer becomes an error payload.
 * Source: docs/protocols.md#s12-1, #s13-3.
 */
export function messagesPayloads(body: unknown): JsonObject[] {
  if (!isObject(body)) return [errorPayload(wholeErrors.notAnObject)];
  if (failureOf(body) !== null) return [body];
  if (!Array.isArray(body.content)) return [errorPayload(wholeErrors.noContent)];
  const start: JsonObject = {
    ...body,
    type: "message",
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  if (isObject(body.usage)) start.usage = withoutCalls(body.usage);
  const delta: JsonObject = {
    stop_reason: body.stop_reason ?? null,
    stop_sequence: body.stop_sequence ?? null,
  };
  if (body.stop_details !== undefined) delta.stop_details = body.stop_details;
  return [
    { type: "message_start", message: start },
    ...body.content.filter(isObject).flatMap(blockPayloads),
    { type: "message_delta", delta, usage: isObject(body.usage) ? body.usage : {} },
    { type: "message_stop" },
  ];
}

/**
 * The usage at the beginning of a stream: no tool has run yet, and calls are counted in the order in which they end.
 */
function withoutCalls({ server_tool_use: _calls, ...usage }: JsonObject): JsonObject {
  return usage;
}

/** One complete block as the payloads of its stream; unknown blocks are complete at the start. */
export function blockPayloads(block: JsonObject, index: number): JsonObject[] {
  const start = (empty: JsonObject) => ({
    type: "content_block_start",
    index,
    content_block: { ...block, ...empty },
  });
  const delta = (part: JsonObject) => ({ type: "content_block_delta", index, delta: part });
  const stop = { type: "content_block_stop", index };
  switch (block.type) {
    case "text": {
      const { citations, ...bare } = block;
      const cited = Array.isArray(citations) ? citations : [];
      return [
        { type: "content_block_start", index, content_block: { ...bare, text: "" } },
        delta({ type: "text_delta", text: typeof block.text === "string" ? block.text : "" }),
        ...cited.map((citation) => delta({ type: "citations_delta", citation })),
        stop,
      ];
    }
    case "thinking":
      return [
        start({ thinking: "", signature: "" }),
        delta({ type: "thinking_delta", thinking: block.thinking ?? "" }),
        delta({ type: "signature_delta", signature: block.signature ?? "" }),
        stop,
      ];
    case "tool_use": {
      const json = printJson(block.input ?? {});
      return [start({ input: {} }), delta({ type: "input_json_delta", partial_json: json }), stop];
    }
    default:
      return [start({}), stop];
  }
}

function errorPayload(message: string): JsonObject {
  return { type: "error", error: { message } };
}
