import { expect, test } from "vitest";
import { parseExact, printJson } from "@/lib/kernel/exact-json";
import { countPromptTokens } from "@/lib/billing/prompt-tokens";
import { protocols } from "@/lib/protocols/registry";
import { optionsFor, streamThrough, foldThrough, wholeThrough } from "../protocols/pipeline";
import { prepareFor, validated } from "../protocols/requests/support";
import { withoutFence } from "@/lib/protocols/passes/fenced-json";
import { Buffer } from "node:buffer";

const say = (name: string, f: () => unknown) => test(name, async () => {
  try { console.log("##", name, typeof f === "function" ? JSON.stringify(await f())?.slice(0, 3000) : ""); } catch (e) { console.log("## THROWS", name, String(e).slice(0, 300)); }
});

say("mark quote", () => {
  const text = JSON.stringify({ content: '"\uFDD0json:5' });
  const out = printJson(parseExact(text));
  try { JSON.parse(out); return ["ok", out]; } catch (e) { return ["BROKEN", out, String(e)]; }
});
say("mark number", () => printJson(parseExact(JSON.stringify({ content: "\uFDD0json:5" }))));
say("mark render", () => {
  const body = validated({ model: "a", messages: [{ role: "user", content: "\uFDD0json:5" }] }, "chat");
  return printJson(prepareFor(body, { clientProtocol: "chat", upstreamProtocol: "messages" }).body);
});
say("tokens", async () => {
  const fields = protocols.messages.promptFields;
  const nums = Array.from({ length: 200 }, (_, i) => `${i}.50`).join(",");
  const raw = `{"model":"a","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{"p":[${nums}]}}]}]}`;
  const counter = { count: async (t: string) => t.length };
  return [await countPromptTokens(JSON.parse(raw), fields, counter), await countPromptTokens(parseExact(raw) as never, fields, counter)];
});
say("tokens tools schema", async () => {
  const fields = protocols.messages.promptFields;
  const enums = Array.from({ length: 200 }, (_, i) => `${i}.50`).join(",");
  const raw = `{"model":"a","messages":[],"tools":[{"name":"f","input_schema":{"type":"object","properties":{"a":{"enum":[${enums}]}}}}]}`;
  const counter = { count: async (t: string) => t.length };
  return [await countPromptTokens(JSON.parse(raw), fields, counter), await countPromptTokens(parseExact(raw) as never, fields, counter)];
});
say("responses no place in deltas", () => {
  const ev = [
    { type: "response.created", response: { id: "r", model: "m" } },
    { type: "response.output_item.added", output_index: 0, item: { id: "msg_1", type: "message", role: "assistant", content: [] } },
    { type: "response.output_text.delta", item_id: "msg_1", content_index: 0, delta: "Hello" },
    { type: "response.output_item.done", output_index: 0, item: { id: "msg_1", type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello", annotations: [] }] } },
    { type: "response.completed", response: { status: "completed", output: [], usage: { input_tokens: 1, output_tokens: 1 } } },
  ];
  const sse = ev.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join("");
  return foldThrough({ client: "chat", upstream: "responses" }, sse);
});
const chunk = (choice: object, more: object = {}) => `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`;
const lp = (token: string) => ({ content: [{ token, logprob: -1, bytes: [], top_logprobs: [] }] });
say("logprobs of reasoning leak", () => {
  const sse = chunk({ delta: { role: "assistant", reasoning_content: "secret" }, logprobs: lp("secret") }) + chunk({ delta: { content: "Hi" }, logprobs: lp("Hi") }) + chunk({ delta: {}, finish_reason: "stop" }) + "data: [DONE]\n\n";
  return [foldThrough({ client: "responses", upstream: "chat" }, sse, { hideReasoning: true })?.output];
});
say("logprobs of tool call", () => {
  const sse = chunk({ delta: { role: "assistant", content: "Hi" }, logprobs: lp("Hi") }) + chunk({ delta: { tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "{}" } }] }, logprobs: lp("{}") }) + chunk({ delta: { content: "after" }, logprobs: lp("after") }) + chunk({ delta: {}, finish_reason: "tool_calls" }) + "data: [DONE]\n\n";
  return [foldThrough({ client: "responses", upstream: "chat" }, sse)?.output];
});
say("fence loses logprobs", () => withoutFence([{ type: "start", id: "a", model: "m" }, { type: "text", text: '{"a":1}', logProbabilities: [{ token: "x" }] }, { type: "finish", reason: "end", native: "stop" }, { type: "end" }]));
say("big logprobs c-c", () => {
  const content = Array.from({ length: 200_000 }, () => ({ token: "a", logprob: -1, bytes: [97], top_logprobs: [] }));
  const body = { id: "c", object: "chat.completion", created: 1, model: "m", choices: [{ index: 0, message: { role: "assistant", content: "a" }, logprobs: { content }, finish_reason: "stop" }], usage: { prompt_tokens: 1, completion_tokens: 200000, total_tokens: 200001 } };
  return Object.keys(wholeThrough({ client: "chat", upstream: "chat" }, body));
});
say("citations quadratic", () => {
  const times: unknown[] = [];
  for (const n of [10_000, 20_000, 40_000]) {
    const annotations = Array.from({ length: n }, () => ({ type: "url_citation", url: "u" }));
    const body = { id: "c", object: "chat.completion", created: 1, model: "m", choices: [{ index: 0, message: { role: "assistant", content: "a", annotations }, finish_reason: "stop" }], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
    const t = performance.now(); wholeThrough({ client: "messages", upstream: "chat" }, body); times.push([n, Math.round(performance.now() - t)]);
  }
  return times;
});
say("picture while call open", () => {
  const sse = chunk({ delta: { role: "assistant", tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: '{"x":' } }] } }) + chunk({ delta: { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] } }) + chunk({ delta: { tool_calls: [{ index: 0, function: { arguments: "1}" } }] } }) + chunk({ delta: {}, finish_reason: "tool_calls" }) + "data: [DONE]\n\n";
  return foldThrough({ client: "responses", upstream: "chat" }, sse)?.output;
});
say("picture then two calls", () => {
  const sse = chunk({ delta: { role: "assistant", tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } }] } }) + chunk({ delta: { content: "words" } })+ chunk({ delta: { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] } }) + chunk({ delta: {}, finish_reason: "tool_calls" }) + "data: [DONE]\n\n";
  return foldThrough({ client: "responses", upstream: "chat" }, sse)?.output;
});
say("citation rest after picture", () => {
  const sse = chunk({ delta: { role: "assistant", content: "Hi" } }) + chunk({ delta: { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] } }, { citations: ["http://a"] }) + chunk({ delta: {}, finish_reason: "stop" }) + "data: [DONE]\n\n";
  return foldThrough({ client: "responses", upstream: "chat" }, sse)?.output;
});
say("seal with terminal to M client", () => {
  const ev = [
    { type: "response.created", response: { id: "r", model: "m" } },
    { type: "response.output_item.added", output_index: 0, item: { id: "rs_1", type: "reasoning", summary: [] } },
    { type: "response.reasoning_summary_text.delta", item_id: "rs_1", output_index: 0, summary_index: 0, delta: "think" },
    { type: "response.output_item.done", output_index: 0, item: { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "think" }] } },
    { type: "response.output_item.added", output_index: 1, item: { id: "fc_1", type: "function_call", call_id: "c1", name: "f", arguments: "" } },
    { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: "{}" },
    { type: "response.output_item.done", output_index: 1, item: { id: "fc_1", type: "function_call", call_id: "c1", name: "f", arguments: "{}" } },
    { type: "response.completed", response: { status: "completed", output: [{ id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "think" }], encrypted_content: "ENC" }, { id: "fc_1", type: "function_call", call_id: "c1", name: "f", arguments: "{}" }], usage: { input_tokens: 1, output_tokens: 1 } } },
  ];
  const sse = ev.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join("");
  return [foldThrough({ client: "messages", upstream: "responses" }, sse)?.content, foldThrough({ client: "chat", upstream: "responses" }, sse)?.choices];
});
say("numeric names in schema", () => {
  const raw = '{"model":"a","messages":[{"role":"user","content":"x"}],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","properties":{"1":{"type":"string"},"2":{"type":"string"}},"required":["1","2"],"additionalProperties":false}}}}';
  const go = (parse: (t: string) => unknown) => prepareFor(validated(parse(raw), "chat"), { clientProtocol: "chat", upstreamProtocol: "responses" }).body.text;
  return [go(JSON.parse), go(parseExact)];
});
say("numeric names in messages schema 11", () => {
  const props = Array.from({ length: 11 }, (_, i) => `"${i}":{"type":"string"}`).join(",");
  const req = Array.from({ length: 11 }, (_, i) => `"${i}"`).join(",");
  const raw = `{"model":"a","max_tokens":9,"messages":[{"role":"user","content":"x"}],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","properties":{${props}},"required":[${req}],"additionalProperties":false}}}}`;
  const go = (parse: (t: string) => unknown) => { const r = prepareFor(validated(parse(raw), "chat"), { clientProtocol: "chat", upstreamProtocol: "messages", upstreamModel: "claude-sonnet-4-5" }); return [Object.keys(r.body), r.losses, r.jsonInWords]; };
  return [go(JSON.parse), go(parseExact)];
});
