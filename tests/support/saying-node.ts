import type { ServerResponse } from "node:http";
import { fresh } from "./gateway-fixtures";
import { sendJson, type UpstreamCall } from "./scripted-upstream";
import type { TestServer, TestUser } from "./server";

type Json = Record<string, unknown>;

/** One answer, whole or streamed. */
export interface Asked {
  id: string;
  /** Every id that the answer had on its way. */
  ids: string[];
  text: string;
  response: Json;
}

/** A node of chat and of Responses; each answer has a text of its own. */
export class SayingNode {
  /** The text of the latest answer. */
  lastAnswer = "";

  readonly answer = (response: ServerResponse, { path, body }: UpstreamCall): void => {
    this.lastAnswer = fresh("answer");
    say(this.lastAnswer, response, path, JSON.parse(body));
  };

  /** Asks a gateway, which asks this node. Throws: it refuses. */
  async ask(
    server: TestServer,
    user: TestUser,
    body: Json,
    headers: Record<string, string> = {},
  ): Promise<Asked> {
    const reply = await server.gateway("/v1/responses", user.key, body, headers);
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${reply.status} ${text.slice(0, 300)}`);
    const responses = body.stream === true ? responsesIn(text) : [JSON.parse(text) as Json];
    const response = responses.at(-1) ?? {};
    const ids = [...new Set(responses.map(({ id }) => String(id)))];
    return { id: String(response.id), ids, text: this.lastAnswer, response };
  }
}

function responsesIn(stream: string): Json[] {
  return stream.split("\n").flatMap((line) => {
    if (!line.startsWith("data: {")) return [];
    const { response } = JSON.parse(line.slice("data: ".length)) as { response?: Json };
    return response === undefined ? [] : [response];
  });
}

function say(text: string, response: ServerResponse, path: string, asked: Json): void {
  const isChat = path.endsWith("/chat/completions");
  const frames = isChat ? chatFrames(text) : responseFrames(text);
  if (asked.stream !== true) {
    sendJson(response, 200, isChat ? chatBody(text) : wholeResponse(text));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(frames.join(""));
}

const chatUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function chatBody(text: string): Json {
  const message = { role: "assistant", content: text };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  return { id: "c", object: "chat.completion", created: 1, model: "up", choices, usage: chatUsage };
}

function chatFrames(text: string): string[] {
  const chunk = (fields: Json) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "up", ...fields })}\n\n`;
  return [
    chunk({ choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage: chatUsage }),
    "data: [DONE]\n\n",
  ];
}

function wholeResponse(text: string): Json {
  const part = { type: "output_text", text, annotations: [] };
  const item = {
    id: fresh("msg_"),
    type: "message",
    role: "assistant",
    status: "completed",
    content: [part],
  };
  return {
    id: fresh("resp_"),
    object: "response",
    created_at: 1,
    status: "completed",
    model: "up",
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    output: [item],
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  };
}

function responseFrames(text: string): string[] {
  const whole = wholeResponse(text);
  const [item = {}] = whole.output as Json[];
  const [part] = item.content as Json[];
  const begun = { ...whole, status: "in_progress", output: [], usage: null };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const events: [string, Json][] = [
    ["response.created", { response: begun }],
    ["response.in_progress", { response: begun }],
    [
      "response.output_item.added",
      { output_index: 0, item: { ...item, status: "in_progress", content: [] } },
    ],
    ["response.content_part.added", { ...place, part: { ...part, text: "" } }],
    ["response.output_text.delta", { ...place, delta: text, logprobs: [] }],
    ["response.output_text.done", { ...place, text, logprobs: [] }],
    ["response.content_part.done", { ...place, part }],
    ["response.output_item.done", { output_index: 0, item }],
    ["response.completed", { response: whole }],
  ];
  return events.map(
    ([type, fields], n) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: n, ...fields })}\n\n`,
  );
}
