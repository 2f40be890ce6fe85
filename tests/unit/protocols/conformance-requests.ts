import { describe, expect, test } from "vitest";
import { type GatewayError, isGatewayError } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type { Part, Tool, Turn } from "@/lib/protocols/generation/parts";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import { nodeProtocolNamed } from "@/lib/protocols/protocol";
import { plainRequest } from "./plain-request";

const source = "the-test";
const MODEL = "node-model";

const text = (words: string): Part => ({ kind: "text", source, text: words, cache: undefined });

const call = (callId: string, name: string, input: unknown): Part => {
  return { kind: "tool_call", source, callId, name, input, inputIsText: false, custom: false };
};

const result = (callId: string, content: string): Part => {
  return { kind: "tool_result", source, callId, name: null, content, isError: false, cache: undefined };
};

const turn = (role: Turn["role"], ...parts: Part[]): Turn => ({ role, source, parts, cache: undefined });

const weather: Tool = {
  kind: "function",
  source,
  name: "weather",
  description: "The weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  strict: false,
  cache: undefined,
};

/** A request that asks for nothing but an answer to its turns. */
function request(turns: Turn[], more: Partial<GenerationRequest> = {}): GenerationRequest {
  return { ...plainRequest, outputLimit: 100, turns, ...more };
}

const question = turn("user", text("What is the weather?"));

/** What every protocol must carry to a node of every other one. */
export const carried: Readonly<Record<string, GenerationRequest>> = {
  "a question": request([question]),
  "a conversation with instructions, a limit and stop sequences": request(
    [question, turn("assistant", text("Where?")), turn("user", text("In Paris."))],
    { instructions: [turn("system", text("Be brief."))], stop: ["END"], outputLimit: 77 },
  ),
  "tools, their calls and their results": request(
    [
      question,
      turn(
        "assistant",
        text("I look."),
        call("id_1", "weather", { city: "Paris" }),
        call("id_2", "weather", { city: "Rome" }),
      ),
      turn("tool", result("id_1", "Rain"), result("id_2", "Sun")),
      turn("user", text("And tomorrow?")),
    ],
    { tools: [weather] },
  ),
};

/** A node may refuse these; then the error names the client's own field. */
const doubtful: Readonly<Record<string, GenerationRequest>> = {
  "a result of no call": request(
    [question, turn("assistant", text("Hm")), turn("tool", result("id_9", "Rain"))],
    { tools: [weather] },
  ),
  "a call without a result": request([question, turn("assistant", call("id_1", "weather", {})), question], {
    tools: [weather],
  }),
  "several choices": request([question], { choices: 3 }),
  "a picture that is not in the request": request([
    turn("user", {
      kind: "image",
      source,
      media: { form: "url", url: "https://example.com/a.png" },
      detail: null,
      cache: undefined,
    }),
  ]),
};

interface Pair {
  client: ProtocolAdapter;
  upstream: ProtocolAdapter;
}

/** What every adapter must do with requests, for each ordered pair of a registry. */
export function describeRequests(registry: Readonly<Record<string, ProtocolAdapter>>): void {
  const adapters = Object.values(registry);
  const pairs = adapters.flatMap((client) =>
    adapters.map((upstream) => ({ client, upstream, title: `${client.id} to ${upstream.id}` })),
  );

  describe.each(pairs)("a request of $title", (pair) => {
    test.each(Object.entries(carried))("carries %s", (_name, asked) => {
      const body = bodyOf(pair.client, asked);
      const prepared = prepare(pair, body);
      expect(prepared.body.model).toBe(pair.upstream.id === "gemini" ? undefined : MODEL);
      const sent = asReceived(prepared.body);
      expect(pair.upstream.schema.safeParse(sent).error).toBeUndefined();
      const read = pair.upstream.parse(sent, targetOf(pair.upstream));
      // Where the node takes no stop sequences, the answer is ended for it.
      const stop = [...read.stop, ...(prepared.stops ?? [])];
      const wanted = pair.client.parse(body, targetOf(pair.client)).stop;
      expect(essenceOf({ ...read, stop })).toEqual(essenceOf({ ...asked, stop: wanted }));
      expect(prepared.maxTokens).toBe(asked.outputLimit);
    });

    test.each(Object.entries(doubtful))("carries %s or names the client's own field", (_name, asked) => {
      if (refusalOf(() => bodyOf(pair.client, asked)) !== null) return; // this protocol's clients cannot say it
      const body = bodyOf(pair.client, asked);
      const refusal = refusalOf(() => prepare(pair, body));
      if (refusal === null) return;
      expect(refusal.code).toBe("INVALID_REQUEST");
      expect(["body", ...Object.keys(body)]).toContain(refusal.details.param?.split(/[.[]/)[0]);
    });

    test("is the same bytes for the same body", () => {
      const body = bodyOf(
        pair.client,
        carried["tools, their calls and their results"] ?? request([question]),
      );
      const [once, again] = [prepare(pair, structuredClone(body)), prepare(pair, structuredClone(body))];
      expect(JSON.stringify(once.body)).toBe(JSON.stringify(again.body));
    });
  });

  test.each(adapters)("a request of $id for its own nodes keeps fields that nobody knows", (adapter) => {
    const body = { ...bodyOf(adapter, request([question])), from_the_future: { a: [1] } };
    expect(prepare({ client: adapter, upstream: adapter }, body).body.from_the_future).toEqual({ a: [1] });
  });
}

/** What an attempt is refused with; null: it passes. */
function refusalOf(attempt: () => unknown): GatewayError | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (isGatewayError(error)) return error;
    throw error;
  }
}

/** A node of a protocol that knows nothing special. */
export function targetOf({ id }: ProtocolAdapter): Target {
  return {
    alias: "the-alias",
    upstreamModel: MODEL,
    profile: profileFor(MODEL, nodeProtocolNamed(id) ?? "chat", {}),
    compatibility: "standard",
    version: "2023-06-01",
    headers: {},
    defaultMaxTokens: null,
    maxOutputTokens: null,
    affordableOutput: 1_000_000,
    perCall: {},
    contextLeft: 1_000_000,
    provenanceKey: "key",
    openReasoning: () => null,
  };
}

/** The body of a client of the protocol: its nodes take what its clients send. */
export function bodyOf(adapter: ProtocolAdapter, asked: GenerationRequest): JsonObject {
  const body = asReceived(adapter.render(asked, targetOf(adapter)).body);
  expect(adapter.schema.safeParse(body).error).toBeUndefined();
  return body;
}

/** A body as an adapter reads it: the gateway adds the model that a path names. */
function asReceived(body: JsonObject): JsonObject {
  return { model: MODEL, ...body };
}

function prepare({ client, upstream }: Pair, body: JsonObject) {
  return prepareRequest(body, { ...targetOf(upstream), client, upstream });
}

/** What a request is about: who says what, calls with their results, tools, limit and stops. */
function essenceOf({ instructions, turns, tools, outputLimit, stop }: GenerationRequest) {
  const said: unknown[] = [];
  const called = new Map<string | null, string>();
  for (const { role, parts } of [...instructions, ...turns]) {
    for (const part of parts) {
      if (part.kind === "text") said.push([role, part.text]);
      if (part.kind === "tool_call") {
        called.set(part.callId, `call ${called.size}`);
        said.push(["call", part.name, part.inputIsText ? JSON.parse(String(part.input)) : part.input]);
      }
      if (part.kind === "tool_result") said.push(["result", called.get(part.callId), wordsOf(part.content)]);
    }
  }
  const schemas = tools.map((tool) => [tool.name, tool.kind === "function" && isObject(tool.parameters)]);
  return { said, schemas, outputLimit, stop };
}

function wordsOf(content: string | readonly Part[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.kind === "text" ? part.text : "")).join("");
}
