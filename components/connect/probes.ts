import { type ClientProtocol, clientPaths } from "@/lib/protocols/protocol";
import { ApiError } from "../api/client";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { addEvent, noAnswer, valueAt, wholeAnswer } from "../playground/answer";
import { headersOf, promptFields, sendCall } from "../playground/calls";
import { readFrames } from "../playground/read-frames";
import { type Client, protocolOfClient } from "../snippets/snippets";

export type ProbeId = keyof Messages["connect"]["probes"];

/** The parameters of a probe. */
export interface ProbeContext {
  protocol: ClientProtocol;
  model: string;
  secret: string;
  signal: AbortSignal;
  text: Messages["connect"];
  format: Format;
}

/** The result of a probe. */
export interface ProbeResult {
  detail: string;
  /** Cents, from the answer's header; null where it has none. */
  cost: string | null;
  /** Of a billed answer whose header tells no cost: its log does. */
  requestId?: string | null;
}

/** An unexpected answer. */
export class ProbeFailure extends Error {}

/** The checks of a client, in the order of its calls. */
export function probesOf(client: Client): ProbeId[] {
  return probesOfProtocol[protocolOfClient[client]];
}

/** Where a protocol counts tokens, and the field of a generation that does not belong there. */
const counts: Readonly<Partial<Record<ClientProtocol, { path: `/${string}`; limit: string }>>> = {
  messages: { path: "/v1/messages/count_tokens", limit: "max_tokens" },
  responses: { path: "/v1/responses/input_tokens", limit: "max_output_tokens" },
};

const probesOfProtocol: Readonly<Record<ClientProtocol, ProbeId[]>> = {
  chat: ["models", "whole", "stream", "tools", "usage"],
  messages: ["models", "count", "whole", "stream", "tools"],
  responses: ["models", "count", "whole", "stream", "tools", "usage"],
};

/** The path of the base URL for clients of a protocol, below the public URL. */
export const basePaths: Readonly<Record<ClientProtocol, string>> = {
  chat: "/v1",
  messages: "",
  responses: "/v1",
};

const MAX_WAITS = 3;
const MAX_WAIT_SECONDS = 10;

/**
 * Runs one check; waits when the key's limit requires it, like a well-behaved client. Throws ProbeFailure or ApiError.
 */
export async function runProbe(id: ProbeId, context: ProbeContext): Promise<ProbeResult> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await probes[id](context);
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : null;
      if (seconds === null || seconds > MAX_WAIT_SECONDS || waits >= MAX_WAITS) throw error;
      await new Promise((done) => setTimeout(done, seconds * 1000));
    }
  }
}

const PROMPT = "Answer with one short word.";
const MAX_TOKENS = 64;

const probes: Record<ProbeId, (context: ProbeContext) => Promise<ProbeResult>> = {
  models: async (context) => {
    const { body } = await callJson(context, "GET", "/v1/models");
    const ids = list(valueAt(body, "data"), context).map((entry) => valueAt(entry, "id"));
    if (!ids.includes(context.model)) throw new ProbeFailure(context.text.failures.modelMissing);
    return {
      cost: null,
      detail: fill(context.text.probes.models.detail, { count: ids.length, model: context.model }),
    };
  },
  whole: async (context) => {
    const { body, cost } = await callJson(
      context,
      "POST",
      clientPaths[context.protocol],
      generation(context, {}),
    );
    const answer = wholeAnswer(context.protocol, body);
    if (answer.text === "") throw new ProbeFailure(context.text.failures.noText);
    const values = { output: answer.outputTokens ?? 0, reason: answer.reason ?? "–" };
    return { cost, detail: fill(context.text.probes.whole.detail, values) };
  },
  stream: async (context) => {
    const response = await call(
      context,
      "POST",
      clientPaths[context.protocol],
      generation(context, { stream: true }),
    );
    if (response.body === null) throw new ProbeFailure(context.text.failures.badShape);
    let answer = noAnswer;
    let count = 0;
    let ended = false;
    for await (const frame of readFrames(response.body)) {
      count += 1;
      ended ||= frame.data === "[DONE]" || frame.event === "message_stop"; // `[DONE]` ends a Responses stream too
      if (frame.data !== "[DONE]") answer = addEvent(answer, context.protocol, JSON.parse(frame.data));
    }
    if (answer.failure !== null) throw new ProbeFailure(answer.failure);
    if (!ended) throw new ProbeFailure(context.text.failures.noEnd);
    if (answer.text === "") throw new ProbeFailure(context.text.failures.noText);
    const requestId = response.headers.get("x-request-id");
    return { cost: null, requestId, detail: fill(context.text.probes.stream.detail, { count }) };
  },
  tools: async (context) => {
    const { body, cost } = await callJson(
      context,
      "POST",
      clientPaths[context.protocol],
      generation(context, toolPart(context)),
    );
    const tool = calledTool(context.protocol, body);
    if (tool === null) throw new ProbeFailure(context.text.failures.noTool);
    return { cost, detail: fill(context.text.probes.tools.detail, { tool }) };
  },
  count: async (context) => {
    const count = counts[context.protocol];
    if (count === undefined) throw new ProbeFailure(context.text.failures.badShape);
    const { [count.limit]: _limit, ...prompt } = generation(context, {});
    const { body } = await callJson(context, "POST", count.path, prompt);
    const tokens = valueAt(body, "input_tokens");
    if (typeof tokens !== "number") throw new ProbeFailure(context.text.failures.badShape);
    return { cost: null, detail: fill(context.text.probes.count.detail, { count: tokens }) };
  },
  usage: async (context) => {
    const { body } = await callJson(context, "GET", "/v1/usage");
    const remaining = valueAt(body, "remaining");
    if (typeof remaining !== "number" && typeof remaining !== "string") {
      throw new ProbeFailure(context.text.failures.badShape);
    }
    return {
      cost: null,
      detail: fill(context.text.probes.usage.detail, { remaining: context.format.left(remaining) }),
    };
  },
};

function generation(context: ProbeContext, more: Record<string, unknown>): Record<string, unknown> {
  const content = "tools" in more ? "What is the weather in Paris?" : PROMPT;
  return { model: context.model, ...promptFields(context.protocol, content, MAX_TOKENS), ...more };
}

function toolPart(context: ProbeContext): Record<string, unknown> {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const name = "get_weather";
  const description = "The weather in a city";
  const parts: Record<ClientProtocol, Record<string, unknown>> = {
    chat: {
      tools: [{ type: "function", function: { name, description, parameters: schema } }],
      tool_choice: { type: "function", function: { name } },
    },
    messages: { tools: [{ name, description, input_schema: schema }], tool_choice: { type: "tool", name } },
    responses: {
      tools: [{ type: "function", name, description, parameters: schema, strict: false }],
      tool_choice: { type: "function", name },
    },
  };
  return parts[context.protocol];
}

function calledTool(protocol: ClientProtocol, body: unknown): string | null {
  const name = calledNames[protocol](body);
  return typeof name === "string" ? name : null;
}

const calledNames: Readonly<Record<ClientProtocol, (body: unknown) => unknown>> = {
  chat: (body) => valueAt(body, "choices", 0, "message", "tool_calls", 0, "function", "name"),
  messages: (body) => nameOfFirst(valueAt(body, "content"), "tool_use"),
  responses: (body) => nameOfFirst(valueAt(body, "output"), "function_call"),
};

function nameOfFirst(entries: unknown, type: string): unknown {
  const found = Array.isArray(entries) ? entries.find((entry) => valueAt(entry, "type") === type) : undefined;
  return valueAt(found, "name");
}

function call(
  context: ProbeContext,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<Response> {
  return sendCall(path, {
    method,
    headers: headersOf(context.protocol, context.secret),
    body,
    signal: context.signal,
  });
}

async function callJson(
  context: ProbeContext,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<{ body: unknown; cost: string | null }> {
  const response = await call(context, method, path, body);
  const parsed: unknown = await response.json();
  return { body: parsed, cost: response.headers.get("x-tollgate-cost") };
}

function list(value: unknown, context: ProbeContext): unknown[] {
  if (Array.isArray(value)) return value;
  throw new ProbeFailure(context.text.failures.badShape);
}
