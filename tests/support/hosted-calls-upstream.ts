import type { ServerResponse } from "node:http";
import type { JsonObject } from "@/lib/kernel/json-object";
import { sendJson, type UpstreamCall } from "./scripted-upstream";

const item = (type: string, id: string, more: JsonObject = {}) => ({
  type,
  id,
  status: "completed",
  ...more,
});
const ran = [
  item("web_search_call", "ws_1", { action: { type: "search", query: "a" } }),
  item("web_search_call", "ws_2", { action: { type: "open_page", url: "https://example.org" } }),
  item("web_search_call", "ws_3", { action: { type: "search", query: "b" } }),
  item("code_interpreter_call", "ci_1", { code: "1" }),
];
const message = item("message", "msg_1", {
  role: "assistant",
  content: [{ type: "output_text", text: "Hello", annotations: [] }],
});
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

function responseOf(model: string, more: JsonObject = {}): JsonObject {
  const fixed = { id: "resp_node", object: "response", created_at: 1, status: "completed", model };
  if (model !== "draws") return { ...fixed, output: [...ran, message], usage, ...more };
  const tool_usage = { image_gen: { input_tokens: 20, output_tokens: 1_056, total_tokens: 1_076 } };
  return { ...fixed, output: [], usage, tool_usage, ...more };
}

/** The events of an answer without the terminal one, and that. */
function eventsOf(model: string): [string, string] {
  const begun = responseOf(model, { status: "in_progress", output: [], usage: null, tool_usage: null });
  const done = (responseOf(model).output as JsonObject[]).flatMap((one, output_index) => [
    { type: "response.output_item.added", output_index, item: { ...one, status: "in_progress" } },
    { type: "response.output_item.done", output_index, item: one },
  ]);
  return [
    sse([{ type: "response.created", response: begun }, ...done]),
    sse([{ type: "response.completed", response: responseOf(model) }]),
  ];
}

function sse(events: readonly JsonObject[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

const chatAnswer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};

/**
 * Answers as a node that runs tools of its own: two searches, a page that is opened and some code. The model `draws` makes
 * a picture of which only the usage tells, `cut` breaks its stream off, `slow` never ends it, `down` fails.
 */
export function answerWithHostedCalls(response: ServerResponse, { path, body }: UpstreamCall): void {
  const { model, stream } = JSON.parse(body);
  if (path.endsWith("/chat/completions")) sendJson(response, 200, { ...chatAnswer, model });
  else if (model === "down") sendJson(response, 500, { error: { message: "down" } });
  else if (stream !== true) sendJson(response, 200, responseOf(model));
  else {
    const [begun, end] = eventsOf(model);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(begun);
    if (model === "cut") setImmediate(() => response.destroy());
    else if (model !== "slow") response.end(end);
  }
}
