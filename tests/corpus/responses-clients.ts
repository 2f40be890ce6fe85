import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { type AgentOutputItem, type ModelRequest, setTracingDisabled, withTrace } from "@openai/agents-core";
import { OpenAIResponsesModel } from "@openai/agents-openai";
import OpenAI from "openai";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { Meaning, Oracle } from "./corpus";

// The agents' SDK reports every run to its vendor unless it is told not to.
setTracingDisabled(true);

/** One question to an alias. */
export interface Ask {
  /** Root of the gateway or of the upstream. */
  root: string;
  key: string;
  model: string;
  stream: boolean;
  /** Fields of the client's own request instead of the smallest one; only vendors' SDKs take them. */
  fields?: Record<string, unknown>;
}

/** A library whose users call `/v1/responses`: asks and tells what it makes of the answer; throws what it throws. */
export type ResponsesClient = (ask: Ask, oracle: Oracle) => Promise<Meaning>;

const QUESTION = "What is the weather?";
const TIMEOUT_MS = 60_000;
/** More than any recorded answer has, so that what their nodes claim is plausible. */
const MAX_TOKENS = 100_000;

function vendorSdk({ root, key }: Ask): OpenAI {
  return new OpenAI({ baseURL: `${root}/v1`, apiKey: key, maxRetries: 0, timeout: TIMEOUT_MS });
}

const openai: ResponsesClient = async (ask, oracle) => {
  const api = vendorSdk(ask).responses;
  const request = { input: QUESTION, max_output_tokens: MAX_TOKENS, ...ask.fields, model: ask.model };
  return oracle.fromResponses(
    ask.stream ? await api.stream(request).finalResponse() : await api.create({ ...request, stream: false }),
  );
};

type AiModel = ReturnType<ReturnType<typeof createOpenAI>["responses"]>;

const aiStops: Readonly<Record<string, string>> = {
  stop: "end",
  "tool-calls": "tool",
  length: "length",
  "content-filter": "refusal",
};

/** The AI SDK's models, below the loop of its tools. */
function aiSdk(modelOf: (ask: Ask) => AiModel): ResponsesClient {
  return async (ask) => {
    const model = modelOf(ask);
    const request = {
      maxOutputTokens: MAX_TOKENS,
      prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: QUESTION }] }],
    };
    const reading = { text: "", reasoning: "", calls: [] as { name: string; args: unknown }[] };
    const take = (part: { type: string; toolName?: string; input?: unknown; providerExecuted?: boolean }) => {
      if (part.type !== "tool-call" || part.providerExecuted === true) return;
      reading.calls.push({ name: part.toolName ?? "", args: argumentsOf(String(part.input)) });
    };
    if (!ask.stream) {
      const { content, finishReason, usage } = await model.doGenerate(request);
      for (const part of content) {
        if (part.type === "text") reading.text += part.text;
        else if (part.type === "reasoning") reading.reasoning += part.text;
        else take(part);
      }
      return meaning(reading, aiStops[finishReason.unified] ?? finishReason.unified, {
        input: usage.inputTokens.total,
        output: usage.outputTokens.total,
      });
    }
    let end = meaning(reading, "none", {});
    for await (const part of (await model.doStream(request)).stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta") reading.text += part.delta;
      else if (part.type === "reasoning-delta") reading.reasoning += part.delta;
      else if (part.type === "finish")
        end = meaning(reading, aiStops[part.finishReason.unified] ?? part.finishReason.unified, {
          input: part.usage.inputTokens.total,
          output: part.usage.outputTokens.total,
        });
      else take(part);
    }
    if (end.stop === "none") throw new Error("the stream has no end");
    return end;
  };
}

const agents: ResponsesClient = async (ask) => {
  const model = new OpenAIResponsesModel(vendorSdk(ask), ask.model);
  const request: ModelRequest = {
    input: QUESTION,
    modelSettings: { maxTokens: MAX_TOKENS },
    tools: [],
    outputType: "text",
    handoffs: [],
    tracing: false,
  };
  if (!ask.stream) {
    // A model answers inside of a trace only, even where traces are off.
    const { output, usage } = await withTrace("answer", () => model.getResponse(request));
    return agentsMeaning(output, { input: usage.inputTokens, output: usage.outputTokens });
  }
  for await (const event of model.getStreamedResponse(request)) {
    if (event.type !== "response_done") continue;
    const { output, usage } = event.response;
    return agentsMeaning(output, { input: usage.inputTokens, output: usage.outputTokens });
  }
  throw new Error("the stream has no end");
};

function agentsMeaning(output: AgentOutputItem[], usage: Counts): Meaning {
  const reading = { text: "", reasoning: "", calls: [] as { name: string; args: unknown }[] };
  for (const item of output) {
    if (item.type === "message" && item.role === "assistant")
      for (const part of item.content) if (part.type === "output_text") reading.text += part.text;
    if (item.type === "reasoning") reading.reasoning += item.content.map(({ text }) => text).join("");
    if (item.type === "function_call")
      reading.calls.push({ name: item.name, args: argumentsOf(item.arguments) });
  }
  return meaning(reading, null, usage);
}

const langchain: ResponsesClient = async (ask) => {
  const model = new ChatOpenAI({
    model: ask.model,
    apiKey: ask.key,
    maxTokens: MAX_TOKENS,
    useResponsesApi: true,
    maxRetries: 0,
    timeout: TIMEOUT_MS,
    configuration: { baseURL: `${ask.root}/v1` },
  });
  const answer = ask.stream ? await joined(await model.stream(QUESTION)) : await model.invoke(QUESTION);
  const calls = [
    ...(answer.tool_calls ?? []).map(({ name, args }) => ({ name, args })),
    ...(answer.invalid_tool_calls ?? []).map(({ name = "", args = "" }) => ({
      name,
      args: argumentsOf(args),
    })),
  ];
  const { incomplete_details: incomplete } = answer.response_metadata;
  const cut = isObject(incomplete) ? incomplete.reason : null;
  const stop = cut === "content_filter" ? "refusal" : cut === null ? null : "length";
  return meaning({ text: answer.text, reasoning: "", calls }, stop, {
    input: answer.usage_metadata?.input_tokens,
    output: answer.usage_metadata?.output_tokens,
  });
};

async function joined(chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let all = new AIMessageChunk("");
  for await (const chunk of chunks) all = all.concat(chunk);
  return all;
}

interface Counts {
  input?: number | undefined;
  output?: number | undefined;
}

/** `stop` is null where the library does not tell why an answer ended. */
function meaning(
  reading: { text: string; reasoning: string; calls: { name: string; args: unknown }[] },
  stop: string | null,
  { input = 0, output = 0 }: Counts,
): Meaning {
  const { text, reasoning, calls } = reading;
  return {
    ok: true,
    text,
    reasoning,
    tool_calls: calls,
    stop: stop ?? (calls.length > 0 ? "tool" : "end"),
    usage: { input, output },
  };
}

/** Arguments as the oracle writes them: what is not JSON is kept as its text. */
function argumentsOf(text: string): unknown {
  if (text.trim() === "") return {};
  const parsed = parseJson(text);
  return isObject(parsed) ? parsed : { __unparsable: text };
}

/** The libraries, by name; the first is the vendor's own. */
export const responsesClients = {
  openai,
  "ai sdk, openai": aiSdk(({ root, key, model }) =>
    createOpenAI({ baseURL: `${root}/v1`, apiKey: key }).responses(model),
  ),
  "ai sdk, open responses": aiSdk(({ root, key, model }) =>
    createOpenResponses({ name: "tollgate", url: `${root}/v1/responses`, apiKey: key })(model),
  ),
  "openai agents": agents,
  langchain,
} satisfies Record<string, ResponsesClient>;
