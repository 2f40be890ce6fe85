import { isObject } from "@/lib/kernel/json-object";
import { promptFields } from "@/lib/protocols/kit/call-body";
import { requestOf } from "@/lib/protocols/kit/call-request";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { ProtocolKit } from "@/lib/protocols/kit/protocol-kit";
import type { Tool } from "@/lib/protocols/kit/tool";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { ApiError } from "../api/client";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { headersOf, sendCall } from "../playground/calls";
import { AnswerReading, wholeAnswer } from "../playground/read-answer";
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
  const { counting, usagePath } = protocolKits[protocolOfClient[client]];
  const ids: ProbeId[] = [
    "models",
    ...(counting === undefined ? [] : (["count"] as const)),
    "whole",
    "stream",
    "tools",
  ];
  return usagePath === undefined ? ids : [...ids, "usage"];
}

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
    const { models } = kitOf(context);
    const { body } = await callJson(context, "GET", models?.path ?? "/v1/models");
    const entries = list(memberOf(body, models?.list ?? "data"), context).filter(isObject);
    const ids = entries.map((entry) => models?.idOf(entry) ?? entry.id);
    if (!ids.includes(context.model)) throw new ProbeFailure(context.text.failures.modelMissing);
    return {
      cost: null,
      detail: fill(context.text.probes.models.detail, { count: ids.length, model: context.model }),
    };
  },
  whole: async (context) => {
    const { body, cost } = await callModel(context, generation(context, {}));
    const answer = wholeAnswer(context.protocol, body);
    if (answer.text === "") throw new ProbeFailure(context.text.failures.noText);
    const values = { output: answer.outputTokens ?? 0, reason: answer.reason ?? "–" };
    return { cost, detail: fill(context.text.probes.whole.detail, values) };
  },
  stream: async (context) => {
    const kit = kitOf(context);
    const asked = requestOf(context.protocol, generation(context, { stream: true }));
    const response = await call(context, "POST", asked.path, asked.body);
    if (response.body === null) throw new ProbeFailure(context.text.failures.badShape);
    const reading = new AnswerReading(context.protocol);
    let count = 0;
    let ended = false;
    for await (const frame of readFrames(response.body)) {
      count += 1;
      ended ||= kit.endsStream(frame);
      reading.frame(frame);
    }
    const { answer } = reading;
    if (answer.failure !== null) throw new ProbeFailure(answer.failure);
    if (!ended) throw new ProbeFailure(context.text.failures.noEnd);
    if (answer.text === "") throw new ProbeFailure(context.text.failures.noText);
    const requestId = response.headers.get("x-request-id");
    return { cost: null, requestId, detail: fill(context.text.probes.stream.detail, { count }) };
  },
  tools: async (context) => {
    const asked = generation(context, kitOf(context).forcedTool(weatherTool));
    const { body, cost } = await callModel(context, asked);
    const tool = wholeAnswer(context.protocol, body).toolCalls[0]?.name;
    if (tool === undefined) throw new ProbeFailure(context.text.failures.noTool);
    return { cost, detail: fill(context.text.probes.tools.detail, { tool }) };
  },
  count: async (context) => {
    const { counting } = kitOf(context);
    if (counting === undefined) throw new ProbeFailure(context.text.failures.badShape);
    const { [counting.foreignField]: _foreign, ...prompt } = generation(context, {});
    const { body } = await callJson(context, "POST", counting.path, prompt);
    const tokens = memberOf(body, "input_tokens");
    if (typeof tokens !== "number") throw new ProbeFailure(context.text.failures.badShape);
    return { cost: null, detail: fill(context.text.probes.count.detail, { count: tokens }) };
  },
  usage: async (context) => {
    const { usagePath } = kitOf(context);
    if (usagePath === undefined) throw new ProbeFailure(context.text.failures.badShape);
    const { body } = await callJson(context, "GET", usagePath);
    const remaining = memberOf(body, "remaining");
    if (typeof remaining !== "number" && typeof remaining !== "string") {
      throw new ProbeFailure(context.text.failures.badShape);
    }
    return {
      cost: null,
      detail: fill(context.text.probes.usage.detail, { remaining: context.format.left(remaining) }),
    };
  },
};

function kitOf({ protocol }: ProbeContext): ProtocolKit {
  return protocolKits[protocol];
}

function generation(context: ProbeContext, more: Record<string, unknown>): Record<string, unknown> {
  const content = "tools" in more ? "What is the weather in Paris?" : PROMPT;
  return { model: context.model, ...promptFields(context.protocol, content, MAX_TOKENS), ...more };
}

const weatherTool: Tool = {
  name: "get_weather",
  description: "The weather in a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

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

function callModel(context: ProbeContext, asked: Record<string, unknown>) {
  const { path, body } = requestOf(context.protocol, asked);
  return callJson(context, "POST", path, body);
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

/** The member of an object; undefined where the value is none. */
function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
