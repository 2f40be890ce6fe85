// A node of protocol `chat` that streams some text and two tool calls.
import { createServer } from "node:http";

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "upstream-model" };

/** Starts the node on a free port of this machine. */
export function startUpstream() {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of chunks()) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      response.end("data: [DONE]\n\n");
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve({ server, url: `http://127.0.0.1:${server.address().port}/v1` }),
    );
  });
}

function chunks() {
  const delta = (value, finish = null) => ({
    ...head,
    choices: [{ index: 0, delta: value, finish_reason: finish }],
  });
  const call = (index, part) => delta({ tool_calls: [{ index, ...part }] });
  return [
    delta({ role: "assistant", content: "I look at " }),
    delta({ content: "the weather." }),
    call(0, { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":' } }),
    call(0, { function: { arguments: '"Oslo"}' } }),
    call(1, { id: "call_2", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } }),
    delta({}, "tool_calls"),
    { ...head, choices: [], usage: { prompt_tokens: 60, completion_tokens: 20, total_tokens: 80 } },
  ];
}
