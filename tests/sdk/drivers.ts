import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, streamText, tool } from "ai";
import OpenAI from "openai";

/** One call of a tool, as the SDK reads it. */
export interface Call {
  id: string;
  name: string;
  input: unknown;
}

/** What a conversation consists of, before any SDK's spelling. */
export type Turn =
  | { role: "user"; text: string }
  | { role: "assistant"; calls: Call[] }
  | { role: "results"; results: { id: string; name: string; text: string }[] };

/** One question to a model through an SDK. */
export interface Ask {
  /** Root of the gateway. */
  url: string;
  key: string;
  model: string;
  stream: boolean;
  turns: Turn[];
  /** Offer the weather tool. */
  tools?: boolean;
  maxTokens?: number;
}

/** What the SDK makes of the answer. `stop`: `end`, `tool` or `length`; anything else is the SDK's own word. */
export interface Reading {
  text: string;
  calls: Call[];
  stop: string;
  usage: { input: number | undefined; output: number | undefined };
}

/** An official SDK: asks, and throws what the SDK throws. */
export type Driver = (ask: Ask) => Promise<Reading>;

const weather = {
  name: "get_weather",
  description: "The weather of a city.",
  schema: {
    type: "object" as const,
    properties: { city: { type: "string" as const } },
    required: ["city"],
    additionalProperties: false,
  },
};

const stops: Readonly<Record<string, string>> = {
  stop: "end",
  end_turn: "end",
  tool_calls: "tool",
  tool_use: "tool",
  "tool-calls": "tool",
  max_tokens: "length",
};

function stopOf(word: string | null | undefined): string {
  return stops[word ?? ""] ?? String(word);
}

const openai: Driver = async (ask) => {
  const client = new OpenAI({ baseURL: `${ask.url}/v1`, apiKey: ask.key, maxRetries: 0 });
  const { name, description, schema } = weather;
  const request = {
    model: ask.model,
    max_tokens: ask.maxTokens ?? 300,
    messages: ask.turns.flatMap(openaiMessages),
    ...(ask.tools
      ? { tools: [{ type: "function" as const, function: { name, description, parameters: schema } }] }
      : {}),
  };
  const answer = ask.stream
    ? await client.chat.completions
        .stream({ ...request, stream_options: { include_usage: true } })
        .finalChatCompletion()
    : await client.chat.completions.create(request);
  const choice = answer.choices[0];
  return {
    text: choice?.message.content ?? "",
    calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === "function"
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
        : [],
    ),
    stop: stopOf(choice?.finish_reason),
    usage: { input: answer.usage?.prompt_tokens, output: answer.usage?.completion_tokens },
  };
};

function openaiMessages(turn: Turn): OpenAI.ChatCompletionMessageParam[] {
  if (turn.role === "user") return [{ role: "user", content: turn.text }];
  if (turn.role === "results")
    return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  const calls = turn.calls.map(({ id, name, input }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: JSON.stringify(input) },
  }));
  return [{ role: "assistant", content: null, tool_calls: calls }];
}

const anthropic: Driver = async (ask) => {
  const client = new Anthropic({ baseURL: ask.url, apiKey: ask.key, maxRetries: 0 });
  const { name, description, schema } = weather;
  const request = {
    model: ask.model,
    max_tokens: ask.maxTokens ?? 300,
    messages: ask.turns.map(anthropicMessage),
    ...(ask.tools ? { tools: [{ name, description, input_schema: schema }] } : {}),
  };
  const answer = ask.stream
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
  return {
    text: answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: answer.content.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    stop: stopOf(answer.stop_reason),
    usage: { input: answer.usage.input_tokens, output: answer.usage.output_tokens },
  };
};

function anthropicMessage(turn: Turn): Anthropic.MessageParam {
  if (turn.role === "user") return { role: "user", content: turn.text };
  if (turn.role === "assistant") {
    return { role: "assistant", content: turn.calls.map((call) => ({ type: "tool_use", ...call })) };
  }
  return {
    role: "user",
    content: turn.results.map(({ id, text }) => ({ type: "tool_result", tool_use_id: id, content: text })),
  };
}

function aiSdk(modelOf: (ask: Ask) => LanguageModel): Driver {
  return async (ask) => {
    const options = {
      model: modelOf(ask),
      maxOutputTokens: ask.maxTokens ?? 300,
      maxRetries: 0,
      messages: ask.turns.map(aiMessage),
      ...(ask.tools
        ? {
            tools: {
              [weather.name]: tool({
                description: weather.description,
                inputSchema: jsonSchema(weather.schema),
              }),
            },
          }
        : {}),
    };
    const answer = ask.stream ? await streamed(options) : await generateText(options);
    const [text, calls, finish, usage] = await Promise.all([
      answer.text,
      answer.toolCalls,
      answer.finishReason,
      answer.usage,
    ]);
    return {
      text,
      calls: calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
      stop: stopOf(finish),
      usage: { input: usage.inputTokens, output: usage.outputTokens },
    };
  };
}

/** Reads a stream to its end; an error inside it is thrown. */
async function streamed(options: Parameters<typeof streamText>[0]) {
  const answer = streamText({ ...options, onError: () => {} });
  for await (const part of answer.fullStream) if (part.type === "error") throw part.error;
  return answer;
}

function aiMessage(turn: Turn): ModelMessage {
  if (turn.role === "user") return { role: "user", content: turn.text };
  if (turn.role === "assistant") {
    return {
      role: "assistant",
      content: turn.calls.map(({ id, name, input }) => ({
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input,
      })),
    };
  }
  return {
    role: "tool",
    content: turn.results.map(({ id, name, text }) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: name,
      output: { type: "text", value: text },
    })),
  };
}

/** The official SDKs, by name; the first two are the vendors' own. */
export const drivers = {
  openai,
  anthropic,
  "ai sdk, openai": aiSdk(({ url, key, model }) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).chat(model),
  ),
  "ai sdk, openai-compatible": aiSdk(({ url, key, model }) =>
    createOpenAICompatible({ name: "tollgate", baseURL: `${url}/v1`, apiKey: key, includeUsage: true })(
      model,
    ),
  ),
  "ai sdk, anthropic": aiSdk(({ url, key, model }) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model),
  ),
} satisfies Record<string, Driver>;

/** Name of an official SDK. */
export type DriverName = keyof typeof drivers;

/** The names of all of them. */
export const driverNames = Object.keys(drivers) as DriverName[]; // the keys of the constant above
