import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import type { LanguageModel, ModelMessage } from "ai";
import * as ai from "ai";
import * as ai6 from "ai-6";
import { createAnthropic as createAnthropic3 } from "ai-sdk-anthropic-3";
import { createOpenAI as createOpenAI3 } from "ai-sdk-openai-3";
import { createOpenAICompatible as createOpenAICompatible2 } from "ai-sdk-openai-compatible-2";
import Anthropic0 from "anthropic-sdk-0";
import OpenAI from "openai";
import OpenAI6 from "openai-6";

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

const openai =
  (Client: typeof OpenAI): Driver =>
  async (ask) => {
    const client = new Client({ baseURL: `${ask.url}/v1`, apiKey: ask.key, maxRetries: 0 });
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

const anthropic =
  (Client: typeof Anthropic): Driver =>
  async (ask) => {
    const client = new Client({ baseURL: ask.url, apiKey: ask.key, maxRetries: 0 });
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

/** What a driver needs of the AI SDK. */
type AiSdk = Pick<typeof ai, "generateText" | "streamText" | "jsonSchema" | "tool">;

function aiSdk(sdk: AiSdk, modelOf: (ask: Ask) => LanguageModel): Driver {
  const { generateText, jsonSchema, tool } = sdk;
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
    const answer = ask.stream ? await streamed(sdk, options) : await generateText(options);
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
async function streamed({ streamText }: AiSdk, options: Parameters<typeof ai.streamText>[0]) {
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

// A former major has the types of its own version; the calls above are the same in both.
const former = {
  openai: OpenAI6 as unknown as typeof OpenAI,
  anthropic: Anthropic0 as unknown as typeof Anthropic,
  ai: ai6 as unknown as AiSdk,
  model: (model: unknown) => model as LanguageModel,
};
const v1 = ({ url, key }: Ask) => ({ baseURL: `${url}/v1`, apiKey: key });
const named = (ask: Ask) => ({ name: "tollgate", ...v1(ask), includeUsage: true });

/** The official SDKs, by name; the first two are the vendors' own. A number is a former major, which agents still use. */
export const drivers = {
  openai: openai(OpenAI),
  anthropic: anthropic(Anthropic),
  "ai sdk, openai": aiSdk(ai, (ask) => createOpenAI(v1(ask)).chat(ask.model)),
  "ai sdk, openai-compatible": aiSdk(ai, (ask) => createOpenAICompatible(named(ask))(ask.model)),
  "ai sdk, anthropic": aiSdk(ai, (ask) => createAnthropic(v1(ask))(ask.model)),
  "openai 6": openai(former.openai),
  "anthropic 0": anthropic(former.anthropic),
  "ai sdk 6, openai": aiSdk(former.ai, (ask) => former.model(createOpenAI3(v1(ask)).chat(ask.model))),
  "ai sdk 6, openai-compatible": aiSdk(former.ai, (ask) =>
    former.model(createOpenAICompatible2(named(ask))(ask.model)),
  ),
  "ai sdk 6, anthropic": aiSdk(former.ai, (ask) => former.model(createAnthropic3(v1(ask))(ask.model))),
} satisfies Record<string, Driver>;

/** Name of an official SDK. */
export type DriverName = keyof typeof drivers;

/** The names of all of them. */
export const driverNames = Object.keys(drivers) as DriverName[]; // the keys of the constant above
