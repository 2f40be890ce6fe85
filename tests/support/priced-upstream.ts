import type { ServerResponse } from "node:http";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { sendJson, type UpstreamCall } from "./scripted-upstream";

/**
 * Answers with the members that stand as JSON in the name of the model, in the protocol of the path, as a stream where one is
 * wanted: `{"usage": {...}, "service_tier": "flex"}`.
 */
export function answerAsAsked(response: ServerResponse, { path, body }: UpstreamCall): void {
  const request = JSON.parse(body) as { model: string; stream?: boolean };
  const told: JsonObject = JSON.parse(request.model);
  const { whole, frames } = path.endsWith("/messages")
    ? messagesAnswer(told)
    : path.endsWith("/responses")
      ? responsesAnswer(told)
      : chatAnswer(told);
  if (request.stream !== true) sendJson(response, 200, whole);
  else response.writeHead(200, { "content-type": "text/event-stream" }).end(frames.join(""));
}

interface Answer {
  whole: JsonObject;
  frames: string[];
}

function chatAnswer(told: JsonObject): Answer {
  const head = { id: "chatcmpl-1", created: 1, model: "m" };
  const chunk = (more: JsonObject) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...more })}\n\n`;
  const { usage, ...rest } = told;
  const choice = (delta: JsonObject, finish: string | null) => [{ index: 0, delta, finish_reason: finish }];
  return {
    whole: {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      ...told,
    },
    frames: [
      chunk({ choices: choice({ role: "assistant", content: "Hi" }, null), ...rest }),
      chunk({ choices: choice({}, "stop"), ...rest }),
      chunk({ choices: [], usage, ...rest }),
      "data: [DONE]\n\n",
    ],
  };
}

function messagesAnswer(told: JsonObject): Answer {
  const event = (type: string, more: JsonObject) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const head = { id: "msg_1", type: "message", role: "assistant", model: "m" };
  const usage = isObject(told.usage) ? told.usage : {};
  return {
    whole: {
      ...head,
      content: [{ type: "text", text: "Hi" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      ...told,
    },
    frames: [
      event("message_start", {
        message: {
          ...head,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      }),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hi" } }),
      event("content_block_stop", { index: 0 }),
      event("message_delta", {
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: {
          output_tokens: usage.output_tokens,
          ...(usage.server_tool_use != null && { server_tool_use: usage.server_tool_use }),
        },
      }),
      event("message_stop", {}),
    ],
  };
}

function responsesAnswer(told: JsonObject): Answer {
  const content = [{ type: "output_text", text: "Hi", annotations: [] }];
  const item = { id: "msg_1", type: "message", role: "assistant", status: "completed", content };
  const head = {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    error: null,
  };
  const whole = { ...head, output: [item], ...told };
  const event = (type: string, more: JsonObject, index: number) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: index, ...more })}\n\n`;
  const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
  return {
    whole,
    frames: [
      event(
        "response.created",
        { response: { ...head, status: "in_progress", output: [], service_tier: "auto" } },
        0,
      ),
      event(
        "response.output_item.added",
        { output_index: 0, item: { ...item, status: "in_progress", content: [] } },
        1,
      ),
      event("response.content_part.added", { ...at, part: { ...content[0], text: "" } }, 2),
      event("response.output_text.delta", { ...at, delta: "Hi" }, 3),
      event("response.output_text.done", { ...at, text: "Hi" }, 4),
      event("response.content_part.done", { ...at, part: content[0] }, 5),
      event("response.output_item.done", { output_index: 0, item }, 6),
      event("response.completed", { response: whole }, 7),
    ],
  };
}
