import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { StoppingDecoder } from "@/lib/protocols/passes/stop-sequences";
import { protocols } from "@/lib/protocols/registry";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { optionsFor } from "./pipeline";

const entry = (token: string) => ({
  token,
  logprob: -0.1,
  bytes: [...Buffer.from(token)],
  top_logprobs: [{ token, logprob: -0.1, bytes: [...Buffer.from(token)] }],
});
const tokens = ["It", " is", " so."];
const told = tokens.map(entry);

const usage = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 };
const chunk = (delta: JsonObject, logprobs: unknown, finish_reason: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "up",
  choices: [{ index: 0, delta, logprobs, finish_reason }],
});
const chatFrames = [
  ...tokens.map((content) =>
    chunk({ role: "assistant", content }, { content: [entry(content)], refusal: null }),
  ),
  { ...chunk({}, null, "stop"), usage },
].map(frameOf);
const chatWhole = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "up",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: tokens.join("") },
      logprobs: { content: told, refusal: null },
      finish_reason: "stop",
    },
  ],
  usage,
};

const part = { type: "output_text", text: tokens.join(""), annotations: [], logprobs: told };
const item = { id: "msg_1", type: "message", status: "completed", role: "assistant", content: [part] };
const response = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "up",
  status: "completed",
  output: [item],
  usage: { input_tokens: 1, output_tokens: 3, total_tokens: 4 },
};
const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
const responseFrames = [
  { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
  { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
  ...tokens.map((delta) => ({
    type: "response.output_text.delta",
    ...place,
    delta,
    logprobs: [entry(delta)],
  })),
  { type: "response.output_text.done", ...place, text: part.text, logprobs: told },
  { type: "response.output_item.done", output_index: 0, item },
  { type: "response.completed", response },
].map(frameOf);

function frameOf(payload: JsonObject): SseFrame {
  return { event: null, data: JSON.stringify(payload) };
}

const answers = { chat: [chatWhole, chatFrames], responses: [response, responseFrames] } as const;
const ways = (["chat", "responses"] as const).flatMap((node) =>
  (["chat", "responses"] as const).map((client) => [node, client] as const),
);

/** Source: docs/protocols.md#s9-4. */
describe.each(ways)("log probabilities of a %s node for a %s client", (node, client) => {
  const options = optionsFor({ client, upstream: node });
  const [whole, frames] = answers[node];

  test("whole", () => {
    const events = protocols[node].decodeWhole(structuredClone(whole), { id: "a" });
    expect(inBody(protocols[client].fold(events, options).body)).toEqual(told);
  });

  test("streamed, token by token", () => {
    const decoder = protocols[node].decoder({ id: "a" });
    const encoder = protocols[client].encoder(options);
    let wire = "";
    for (const frame of frames) for (const event of decoder.push(frame)) wire += encoder.push(event);
    for (const event of decoder.end()) wire += encoder.push(event);
    expect(inDeltas(wire + encoder.end())).toEqual(tokens.map((token) => [token, [entry(token)]]));
  });

  test("as far as the answer goes where it is cut at a stop sequence", () => {
    const decoder = new StoppingDecoder(protocols[node].decoder({ id: "a" }), [" so"], 1);
    const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
    expect(inBody(protocols[client].fold(events, options).body)).toEqual(told.slice(0, 2));
  });

  /** The log probabilities of a whole body of the client's. */
  function inBody(body: JsonObject): unknown {
    const { choices, output } = JSON.parse(JSON.stringify(body));
    return client === "chat" ? choices[0].logprobs.content : output[0].content[0].logprobs;
  }

  /** The text of each piece of the client's stream, with what it tells of its tokens. */
  function inDeltas(wire: string): unknown[] {
    return new SseDecoder().push(Buffer.from(wire)).flatMap(({ data }) => {
      if (data === "[DONE]") return [];
      const { choices, type, delta, logprobs } = JSON.parse(data);
      if (client === "responses") return type === "response.output_text.delta" ? [[delta, logprobs]] : [];
      return choices[0]?.delta?.content ? [[choices[0].delta.content, choices[0].logprobs.content]] : [];
    });
  }
});
