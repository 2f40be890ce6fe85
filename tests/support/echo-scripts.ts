import type { EchoedRequest } from "./echoing-upstream";
import { headers } from "./node-canaries";

const head = (status: string, type: string, more = "") =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n${more}connection: close\r\n\r\n`;
const json = (status: string, body: unknown) => head(status, "application/json") + JSON.stringify(body);
const plain = (echo: string) => echo.replace(/[^\x20-\x7e]/g, "").slice(0, 6_000);
const structured = (echo: string) => ({
  message: `No: ${echo}`,
  type: echo,
  code: echo,
  param: echo,
  metadata: { raw: JSON.stringify({ echo }), list: [echo] },
});

const begins = {
  chat: `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { content: "Some words" }, finish_reason: null }] })}\n\n`,
  messages: [
    [
      "message_start",
      {
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          usage: { input_tokens: 3, output_tokens: 1 },
        },
      },
    ],
    ["content_block_start", { index: 0, content_block: { type: "text", text: "" } }],
    ["content_block_delta", { index: 0, delta: { type: "text_delta", text: "Some words" } }],
  ]
    .map(
      ([event, fields]) =>
        `event: ${event}\ndata: ${JSON.stringify({ type: event, ...(fields as object) })}\n\n`,
    )
    .join(""),
};

/** Error frames of streams. */
const errorFrames: Readonly<Record<string, (echo: string) => string>> = {
  "an error object": (echo) => `data: ${JSON.stringify({ error: structured(echo) })}\n\n`,
  "an error event": (echo) =>
    `event: error\ndata: ${JSON.stringify({ type: "error", error: structured(echo) })}\n\n`,
  "an error event of another shape": (echo) =>
    `event: error\ndata: ${JSON.stringify({ message: echo, code: 500 })}\n\n`,
  "an error event that is no JSON": (echo) => `event: error\ndata: ${plain(echo)}\n\n`,
  "an event of a name of its own": (echo) =>
    `event: internalServerException\ndata: ${JSON.stringify({ message: echo })}\n\n`,
  "a flat error": (echo) => `data: ${JSON.stringify({ type: "overloaded_error", message: echo })}\n\n`,
  "a list of errors": (echo) => `data: ${JSON.stringify({ errors: [{ message: echo }] })}\n\n`,
  "an error in a choice": (echo) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, error: { code: 502, message: echo }, finish_reason: "error" }] })}\n\n`,
  "an error as a string": (echo) => `data: ${JSON.stringify({ error: echo })}\n\n`,
  "a refused request": (echo) =>
    `data: ${JSON.stringify({ error: { message: `Bad ${echo}`, type: "invalid_request_error", param: echo } })}\n\n`,
};

type Script = (echo: string, protocol: "chat" | "messages") => string;

/** The bytes that the node writes instead of a response. */
export const scripts: Readonly<Record<string, Script>> = {
  "a status line": (echo) => head(`500 ${plain(echo)}`, "application/json"),
  "a status line that is none": (echo) => `${plain(echo)}\r\n\r\n`,
  "a header that is none": (echo) => `HTTP/1.1 200 OK\r\n${plain(echo)}\r\n\r\n`,
  "the headers of a 500": (echo) =>
    head("500 No", "text/plain", `x-request-id: ${plain(echo)}\r\nset-cookie: ${plain(echo)}\r\n`),
  "the headers of a 429": (echo) =>
    head(
      "429 No",
      "application/json",
      `retry-after: ${plain(echo)}\r\nx-ratelimit-reset-tokens: ${plain(echo)}\r\n`,
    ),
  "a redirection": (echo) => head("302 Found", "text/html", `location: http://x/${plain(echo)}\r\n`) + echo,
  ...Object.fromEntries(
    ["400", "401", "403", "404", "413", "422", "429", "500", "503"].map((status) => [
      `the body of a ${status}`,
      (echo: string) => json(`${status} No`, { error: structured(echo) }),
    ]),
  ),
  "a 403 about content": (echo) =>
    json("403 No", { error: { message: `Your input was flagged by moderation: ${echo}`, code: 403 } }),
  "a messages error": (echo) =>
    json("400 No", { type: "error", error: { type: "invalid_request_error", message: echo } }),
  "an array of errors": (echo) => json("400 No", [{ error: { code: 400, message: echo, status: echo } }]),
  "a nested error": (echo) =>
    json("400 No", { error: { message: JSON.stringify({ error: structured(echo) }) } }),
  "an error as a string": (echo) => json("500 No", { error: echo }),
  "a flat error": (echo) => json("422 No", { object: "error", message: echo, type: echo, code: 422 }),
  "a detail": (echo) => json("422 No", { detail: echo }),
  "details in a list": (echo) => json("422 No", { detail: [{ loc: [echo], msg: echo, type: echo }] }),
  "plain text": (echo) => head("400 No", "text/plain") + echo,
  HTML: (echo) => `${head("502 No", "text/html")}<html>${echo}</html>`,
  "an error in a 200": (echo) => json("200 OK", { error: structured(echo) }),
  "HTML in a 200": (echo) => `${head("200 OK", "text/html")}<html>${echo}</html>`,
  "cut JSON in a 200": (echo) => `${head("200 OK", "application/json")}{"id":"${echo}`,
  "an answer without choices": (echo) => json("200 OK", { message: echo, code: 500 }),
  ...Object.fromEntries(
    Object.entries(errorFrames).flatMap(([name, frame]) => [
      [
        `${name} at the start of a stream`,
        (echo: string) => head("200 OK", "text/event-stream") + frame(echo),
      ],
      [
        `${name} inside a stream`,
        (echo: string, protocol: "chat" | "messages") =>
          head("200 OK", "text/event-stream") + begins[protocol] + frame(echo),
      ],
    ]),
  ),
  "a comment of a stream that breaks off": (echo, protocol) =>
    `${head("200 OK", "text/event-stream")}${begins[protocol]}: ${plain(echo)}\nid: ${plain(echo)}\n`,
};

/** An answer whose text, reasoning and tool arguments contain the credential. */
export function contentAnswer(request: EchoedRequest): string {
  const credential =
    request.headers["x-api-key"] ?? request.headers.authorization?.replace("Bearer ", "") ?? "";
  const said = `Key ${credential} at http://${request.headers.host}/v1, ${headers["x-signature"]}.`;
  const usage = { prompt_tokens: 5, completion_tokens: 5, input_tokens: 5, output_tokens: 5 };
  const tool = JSON.stringify({ said });
  if (request.model === "says-chat") {
    const call = { index: 0, id: "call_1", type: "function", function: { name: "use", arguments: tool } };
    const message = { role: "assistant", content: said, reasoning_content: said, tool_calls: [call] };
    const base = { id: "c", object: "chat.completion", model: "m", usage };
    if (!request.stream)
      return json("200 OK", { ...base, choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
    const chunk = (choice: object) =>
      `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [choice] })}\n\n`;
    return `${head("200 OK", "text/event-stream")}${chunk({ index: 0, delta: message })}${chunk({ index: 0, delta: {}, finish_reason: "tool_calls" })}data: [DONE]\n\n`;
  }
  const blocks = [
    { type: "thinking", thinking: said, signature: "c2ln" },
    { type: "text", text: said },
    { type: "tool_use", id: "toolu_1", name: "use", input: { said } },
  ];
  const message = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    stop_reason: "tool_use",
    stop_sequence: null,
    usage,
  };
  if (!request.stream) return json("200 OK", { ...message, content: blocks });
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const deltas = [
    [
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: said },
    ],
    [
      { type: "text", text: "" },
      { type: "text_delta", text: said },
    ],
    [
      { type: "tool_use", id: "toolu_1", name: "use", input: {} },
      { type: "input_json_delta", partial_json: tool },
    ],
  ];
  return [
    head("200 OK", "text/event-stream"),
    event("message_start", { message: { ...message, content: [], stop_reason: null } }),
    ...deltas.map(
      ([content_block, delta], index) =>
        event("content_block_start", { index, content_block }) +
        event("content_block_delta", { index, delta }) +
        event("content_block_stop", { index }),
    ),
    event("message_delta", { delta: { stop_reason: "tool_use", stop_sequence: null }, usage }),
    event("message_stop", {}),
  ].join("");
}
