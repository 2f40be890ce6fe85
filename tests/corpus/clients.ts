import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { Protocol } from "@/lib/protocols/protocol";
import type { Meaning, Oracle } from "./corpus";
import { geminiPresent } from "./gemini";
import { google } from "./google-client";
import { type Ask, type ResponsesClient, responsesClients } from "./responses-clients";

/** A library whose users call the gateway. */
export interface Client {
  name: string;
  protocol: Protocol;
  /** What it makes of the answer; throws what it throws. */
  ask(ask: Ask, oracle: Oracle): Promise<Meaning>;
}

/** More than any recorded answer has, so that what their nodes claim is plausible. */
const MAX_TOKENS = 100_000;
const SMALLEST = { max_tokens: MAX_TOKENS, messages: [{ role: "user" as const, content: "x" }] };

const openaiChat: ResponsesClient = async ({ root, key, model, stream, fields }, oracle) => {
  const api = new OpenAI({ baseURL: `${root}/v1`, apiKey: key, maxRetries: 0 }).chat.completions;
  const request = { ...SMALLEST, ...fields, model };
  return oracle.fromOpenAI(
    stream
      ? await api
          .stream({ ...request, stream: true, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await api.create({ ...request, stream: false }),
  );
};

const anthropic: ResponsesClient = async ({ root, key, model, stream, fields }, oracle) => {
  const api = new Anthropic({ baseURL: root, apiKey: key, maxRetries: 0 }).beta.messages;
  const request = { ...SMALLEST, ...fields, model };
  // A time-out given by hand keeps the SDK from refusing long answers on its own.
  const options = { headers: { "anthropic-version": "2023-06-01" }, timeout: 60_000 };
  return oracle.fromAnthropic(
    stream
      ? await api.stream({ ...request, stream: true }, options).finalMessage()
      : await api.create({ ...request, stream: false }, options),
  );
};

/** The vendors' own libraries, and a client of Gemini's paths: one for each protocol. */
export const vendorClients: readonly Client[] = [
  { name: "openai", protocol: "chat", ask: openaiChat },
  { name: "anthropic", protocol: "messages", ask: anthropic },
  { name: "openai", protocol: "responses", ask: responsesClients.openai },
  ...(geminiPresent ? [{ name: "google", protocol: "gemini", ask: google } as const] : []),
];

/** Other libraries that call `/v1/responses`. */
export const otherClients: readonly Client[] = Object.entries(responsesClients)
  .filter(([name]) => name !== "openai")
  .map(([name, ask]) => ({ name, protocol: "responses", ask }));
