import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { parseJson } from "@/lib/kernel/parse-json";
import type { Protocol } from "@/lib/protocols/protocol";

/** What a client library makes of an answer. */
export interface Reading {
  text: string;
  calls: { name: string; input: unknown }[];
}

/** Reads wire text the way one client library does; throws where the library does. */
export interface Reader {
  name: string;
  client: Protocol;
  read(wire: string, stream: boolean): Promise<Reading>;
}

const url = "http://gateway.test/v1";

function answering(wire: string, stream: boolean) {
  const headers = { "content-type": stream ? "text/event-stream" : "application/json" };
  return { apiKey: "k", fetch: async () => new Response(wire, { headers }) };
}

async function readOpenAi(wire: string, stream: boolean): Promise<Reading> {
  const api = new OpenAI({ ...answering(wire, stream), maxRetries: 0 }).chat.completions;
  const request = { model: "m", messages: [{ role: "user" as const, content: "x" }] };
  const answer = stream ? await api.stream(request).finalChatCompletion() : await api.create(request);
  const message = answer.choices[0]?.message;
  const calls =
    message?.tool_calls?.flatMap((call) => (call.type === "function" ? [call.function] : [])) ?? [];
  if (message?.function_call) calls.push(message.function_call);
  return {
    text: message?.content || message?.refusal || "",
    calls: calls.map((call) => ({
      name: call.name,
      input: parseJson(call.arguments) ?? { cut: call.arguments },
    })),
  };
}

async function readOpenAiResponses(wire: string, stream: boolean): Promise<Reading> {
  const api = new OpenAI({ ...answering(wire, stream), maxRetries: 0 }).responses;
  const request = { model: "m", input: "x" };
  const answer = stream ? await api.stream(request).finalResponse() : await api.create(request);
  if (answer.status === "failed") throw new Error(answer.error?.message);
  const parts = answer.output.flatMap((item) => (item.type === "message" ? item.content : []));
  return {
    text: answer.output_text || parts.map((part) => (part.type === "refusal" ? part.refusal : "")).join(""),
    calls: answer.output.flatMap((item) =>
      item.type === "function_call"
        ? [{ name: item.name, input: parseJson(item.arguments) ?? { cut: item.arguments } }]
        : [],
    ),
  };
}

async function readAnthropic(wire: string, stream: boolean): Promise<Reading> {
  const api = new Anthropic({ ...answering(wire, stream), maxRetries: 0 }).messages;
  const request = { model: "m", max_tokens: 9, messages: [{ role: "user" as const, content: "x" }] };
  const answer = stream ? await api.stream(request).finalMessage() : await api.create(request);
  return {
    text: answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: answer.content.flatMap((block) =>
      block.type === "tool_use" ? [{ name: block.name, input: block.input }] : [],
    ),
  };
}

type AiModel = ReturnType<ReturnType<typeof createAnthropic>["languageModel"]>;

function readAi(make: (options: ReturnType<typeof answering>) => AiModel) {
  return async (wire: string, stream: boolean): Promise<Reading> => {
    const model = make(answering(wire, stream));
    const request = { prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "x" }] }] };
    const reading: Reading = { text: "", calls: [] };
    // What the node has run itself is no call of the client's.
    const call = (part: { toolName: string; input: string; providerExecuted?: boolean | undefined }) => {
      if (part.providerExecuted === true) return;
      reading.calls.push({ name: part.toolName, input: parseJson(part.input) ?? { cut: part.input } });
    };
    if (!stream) {
      const { content } = await model.doGenerate(request);
      for (const part of content) {
        if (part.type === "text") reading.text += part.text;
        else if (part.type === "tool-call") call(part);
      }
      return reading;
    }
    for await (const part of (await model.doStream(request)).stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta") reading.text += part.delta;
      else if (part.type === "tool-call") call(part);
    }
    return reading;
  };
}

/** The client libraries whose accumulators every answer must survive. */
export const readers: readonly Reader[] = [
  { name: "openai", client: "chat", read: readOpenAi },
  {
    name: "AI SDK openai",
    client: "chat",
    read: readAi((options) => createOpenAI({ ...options, baseURL: url }).chat("m")),
  },
  {
    name: "AI SDK openai-compatible",
    client: "chat",
    read: readAi((options) =>
      createOpenAICompatible({ ...options, name: "gateway", baseURL: url }).chatModel("m"),
    ),
  },
  { name: "openai responses", client: "responses", read: readOpenAiResponses },
  {
    name: "AI SDK openai responses",
    client: "responses",
    read: readAi((options) => createOpenAI({ ...options, baseURL: url }).responses("m")),
  },
  { name: "anthropic", client: "messages", read: readAnthropic },
  {
    name: "AI SDK anthropic",
    client: "messages",
    read: readAi((options) => createAnthropic({ ...options, baseURL: url }).languageModel("m")),
  },
];
