import { describe, expect, it, test } from "vitest";
import { GatewayError } from "@/lib/kernel/errors";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import { geminiClient } from "@/lib/protocols/gemini/client/adapter";
import { sealsIn } from "@/lib/protocols/gemini/signature-seals";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { answerOptions, chunksOf, parsed } from "./support";

function streamed(events: readonly GenerationEvent[], choice: Partial<EncoderOptions> = {}): string {
  const encoder = geminiClient.encoder(answerOptions(choice));
  return events.map((event) => encoder.push(event)).join("") + encoder.end();
}

function folded(events: readonly GenerationEvent[], choice: Partial<EncoderOptions> = {}) {
  return geminiClient.fold(events, answerOptions(choice));
}

const usage: GenerationEvent = {
  type: "usage",
  usage: { inputUncached: 10, cacheRead: 4, cacheWrite: 2, output: 9, reasoning: 3 },
};
const counts = {
  promptTokenCount: 16,
  candidatesTokenCount: 6,
  thoughtsTokenCount: 3,
  cachedContentTokenCount: 4,
  totalTokenCount: 25,
};
const call = (slot: number, name: string, args: string): GenerationEvent[] => [
  { type: "tool_open", slot, id: `id-${slot}`, name, kind: "function" },
  { type: "tool_args", slot, text: args },
  { type: "tool_close", slot },
];
const end = (reason: "end" | "length" | "tool_use" | "refusal" | "stop_sequence"): GenerationEvent[] => [
  { type: "finish", reason, native: reason },
  usage,
];

describe("a stream", () => {
  test("is frames of one data line each, without event names or an end mark", () => {
    const wire = streamed([{ type: "text", text: "Hé" }, { type: "text", text: "llo" }, ...end("end")]);
    expect(wire).toMatch(/^(?:data: \{[^\r\n]*\}\r\n\r\n)+$/);
    expect(chunksOf(wire)).toEqual([
      {
        candidates: [{ content: { parts: [{ text: "Hé" }], role: "model" }, index: 0 }],
        modelVersion: "alias-1",
        responseId: "answer-1",
      },
      {
        candidates: [{ content: { parts: [{ text: "llo" }], role: "model" }, index: 0 }],
        modelVersion: "alias-1",
        responseId: "answer-1",
      },
      {
        candidates: [{ content: { parts: [{ text: "" }], role: "model" }, finishReason: "STOP", index: 0 }],
        usageMetadata: counts,
        modelVersion: "alias-1",
        responseId: "answer-1",
      },
    ]);
  });

  test("sends a call as one part once it is complete", () => {
    const encoder = geminiClient.encoder(answerOptions({ toolNames: new Map([["f_x", "f.x"]]) }));
    const wires = call(0, "f_x", '{"a":19.90}').map((event) => encoder.push(event));
    expect(wires.slice(0, 2)).toEqual(["", ""]);
    expect(wires[2]).toContain('{"functionCall":{"id":"id-0","name":"f.x","args":{"a":19.90}}}');
    expect(encoder.end()).toContain('"finishReason":"STOP"');
  });

  test("keeps several candidates apart", () => {
    const chunks = chunksOf(
      streamed([
        { type: "text", text: "a" },
        { type: "choice", index: 1 },
        { type: "text", text: "b" },
        { type: "finish", reason: "length", native: "length" },
        usage,
      ]),
    );
    expect(chunks.at(1)).toMatchObject({ candidates: [{ index: 1, content: { parts: [{ text: "b" }] } }] });
    expect(chunks.at(-1)).toMatchObject({
      candidates: [
        { index: 0, finishReason: "STOP" },
        { index: 1, finishReason: "MAX_TOKENS" },
      ],
    });
  });
});

describe("a whole answer", () => {
  test("has the parts of the stream, texts joined", () => {
    const events: GenerationEvent[] = [
      { type: "reasoning", text: "th" },
      { type: "reasoning", text: "ink" },
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
      ...call(0, "f", '{"a":1}'),
      ...call(1, "g", ""),
      ...end("tool_use"),
    ];
    expect(folded(events).body).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: "think", thought: true },
              { text: "Hello" },
              { functionCall: { id: "id-0", name: "f", args: { a: 1 } } },
              { functionCall: { id: "id-1", name: "g", args: {} } },
            ],
            role: "model",
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: counts,
      modelVersion: "alias-1",
      responseId: "answer-1",
    });
  });

  test("hides reasoning from a client that did not ask for it", () => {
    const { body } = folded(
      [
        { type: "reasoning", text: "x" },
        { type: "text", text: "y" },
      ],
      {
        hideReasoning: true,
      },
    );
    expect(body).toMatchObject({ candidates: [{ content: { parts: [{ text: "y" }] } }] });
  });

  test.each([
    ["end", "STOP"],
    ["stop_sequence", "STOP"],
    ["length", "MAX_TOKENS"],
    ["refusal", "SAFETY"],
  ] as const)("that ended by %s says %s", (reason, word) => {
    expect(folded(end(reason)).body).toMatchObject({ candidates: [{ finishReason: word }] });
  });

  test("leaves out calls whose arguments were cut off, and says so", () => {
    const { body, losses } = folded([...call(0, "f", '{"a":'), ...end("length")]);
    expect(body).toMatchObject({ candidates: [{ content: { parts: [{ text: "" }] } }] });
    expect(losses).toEqual(["dropped:tool_calls"]);
  });

  test("has the first call only where the node could not be told so", () => {
    const { body, losses } = folded([...call(0, "f", "{}"), ...call(1, "g", "{}")], { singleToolCall: true });
    expect(body).toMatchObject({ candidates: [{ content: { parts: [{ functionCall: { name: "f" } }] } }] });
    expect(losses).toEqual(["dropped:tool_calls"]);
  });

  test("tells log probabilities", () => {
    const token = { token: "a", logprob: -0.5, bytes: null, top_logprobs: [{ token: "b", logprob: -1 }] };
    const { body } = folded([{ type: "text", text: "a", logProbabilities: [token] }]);
    expect(body).toMatchObject({
      candidates: [
        {
          logprobsResult: {
            chosenCandidates: [{ token: "a", logProbability: -0.5 }],
            topCandidates: [{ candidates: [{ token: "b", logProbability: -1 }] }],
          },
        },
      ],
    });
  });

  test("tells what it cites, by offsets in bytes", () => {
    const { body } = folded([
      { type: "text", text: "Zürich is big." },
      { type: "search", id: "s", query: "zurich", sources: [] },
      { type: "citation", url: "https://a.example", title: "A", start: 0, end: 6 },
    ]);
    expect(body).toMatchObject({
      candidates: [
        {
          groundingMetadata: {
            webSearchQueries: ["zurich"],
            groundingChunks: [{ web: { uri: "https://a.example", title: "A" } }],
            groundingSupports: [
              { segment: { startIndex: 0, endIndex: 7, text: "Zürich" }, groundingChunkIndices: [0] },
            ],
          },
        },
      ],
    });
  });
});

describe("reasoning that only the node can read", () => {
  const signed: GenerationEvent[] = [
    { type: "reasoning", text: "why" },
    { type: "reasoning_signature", signature: "s" },
  ];

  /** Parts of an answer, sent back as history. */
  function replayed(events: readonly GenerationEvent[]) {
    const { candidates } = folded(events, { hideReasoning: true }).body as {
      candidates: { content: { parts: { thoughtSignature?: string }[]; role: string } }[];
    };
    const content = candidates[0]?.content;
    const parts = content?.parts ?? [];
    for (const { thoughtSignature: signature } of parts)
      if (signature !== undefined)
        expect(Buffer.from(signature, "base64").toString("base64")).toBe(signature);
    const [turn] = parsed({ contents: [{ role: "model", parts }] }).turns;
    return (turn?.parts ?? []).map((part) =>
      part.kind === "reasoning" ? Buffer.from(part.sealed ?? "", "base64").toString() : part.kind,
    );
  }

  it("goes with the first call, and comes back before the text that followed it", () => {
    const events = [
      ...signed,
      { type: "text", text: "t" } as const,
      ...call(0, "f", "{}"),
      ...call(1, "g", "{}"),
    ];
    expect(replayed(events)).toEqual(['tg1.["why","s",null]', "text", "tool_call", "tool_call"]);
  });

  it("goes with an empty text at the end where there is no call", () => {
    expect(replayed([...signed, { type: "text", text: "t" }])).toEqual(['tg1.["why","s",null]', "text"]);
  });

  it("may be several pieces, which keep their order", () => {
    const events: GenerationEvent[] = [
      ...signed,
      { type: "reasoning_opaque", data: "o" },
      ...call(0, "f", "{}"),
    ];
    expect(replayed(events)).toEqual(['tg1.["why","s",null]', 'tg1.["",null,"o"]', "tool_call"]);
  });

  it("is known in the alphabet in which a client writes it again", () => {
    const seal = Buffer.from("tg1.\u00ff\u00fe?>").toString("base64url");
    const standard = Buffer.from(seal, "base64url").toString("base64");
    expect(sealsIn(standard)).toEqual([seal]);
    expect(sealsIn(standard.replaceAll("+", "-").replaceAll("/", "_"))).toEqual([seal]);
    expect(sealsIn("c2ln")).toEqual([]);
  });
});

describe("an error", () => {
  const { errors } = geminiClient;
  const bodyOf = (error: GatewayError) =>
    errors.body?.(error, "request-1") as { error: Record<string, unknown> };

  it("names the field of a bad request", () => {
    const { error } = bodyOf(new GatewayError("INVALID_REQUEST", "contents is bad.", { param: "contents" }));
    expect(error).toMatchObject({ code: 400, status: "INVALID_ARGUMENT", message: "contents is bad." });
    expect(error.details).toContainEqual({
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ field: "contents", description: "contents is bad." }],
    });
  });

  it("of a limit says when to try again, in words and as a duration", () => {
    const { error } = bodyOf(new GatewayError("RATE_LIMITED", "Too many.", { retryAfterSeconds: 12 }));
    expect(error).toMatchObject({
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      message: "Too many. Please retry in 12s.",
    });
    expect(error.details).toContainEqual({
      "@type": "type.googleapis.com/google.rpc.RetryInfo",
      retryDelay: "12s",
    });
  });

  it.each([
    ["INVALID_API_KEY", 401, "UNAUTHENTICATED", "API_KEY_INVALID"],
    ["QUOTA_EXCEEDED", 402, "FAILED_PRECONDITION", "QUOTA_EXHAUSTED"],
    ["FORBIDDEN", 403, "PERMISSION_DENIED", "FORBIDDEN"],
    ["MODEL_NOT_FOUND", 404, "NOT_FOUND", "MODEL_NOT_FOUND"],
    ["PAYLOAD_TOO_LARGE", 413, "INVALID_ARGUMENT", "PAYLOAD_TOO_LARGE"],
    ["UPSTREAM_ERROR", 502, "UNAVAILABLE", "UPSTREAM_ERROR"],
    ["NO_AVAILABLE_NODE", 503, "UNAVAILABLE", "NO_AVAILABLE_NODE"],
    ["INTERNAL_ERROR", 500, "INTERNAL", "INTERNAL_ERROR"],
  ] as const)("%s is %i %s", (code, status, word, reason) => {
    const { error } = bodyOf(new GatewayError(code, "m"));
    expect(error).toMatchObject({ code: status, status: word });
    expect(error.details).toContainEqual(expect.objectContaining({ reason, domain: "tollgate" }));
  });

  it("in a stream is one frame", () => {
    const frame = errors.frame({ code: "UPSTREAM_ERROR", message: "broke", requestId: "r" });
    expect(chunksOf(frame)).toMatchObject([
      { error: { code: 502, status: "UNAVAILABLE", message: "broke" } },
    ]);
  });
});

describe("a stream as an array", () => {
  const form = () => geminiClient.streamForm?.(new URLSearchParams("")) ?? null;

  it("has an element for each frame, wherever the text is cut", () => {
    const wire = streamed([{ type: "text", text: "a\r\n\r\nb" }, ...end("end")]);
    const chunks = chunksOf(wire);
    for (let at = 0; at <= wire.length; at += 1) {
      const array = form();
      const text = `${array?.write(wire.slice(0, at))}${array?.write(wire.slice(at))}${array?.end()}`;
      expect(JSON.parse(text)).toEqual(chunks);
    }
  });

  it("stays valid with white space that keeps it open, and with nothing in it", () => {
    const array = form();
    const ping = geminiClient.ping(false);
    const frame = streamed([]);
    expect(array?.write(ping)).toBe("\n\n");
    expect(
      JSON.parse(`${array?.write(frame)}${array?.write(ping)}${array?.write(frame)}${array?.end()}`),
    ).toHaveLength(2);
    expect(form()?.end()).toBe("[]");
  });

  it("is not made for a client of server-sent events", () => {
    expect(geminiClient.streamForm?.(new URLSearchParams("alt=sse"))).toBeNull();
  });
});

test.each([
  ["/v1beta/models/a:generateContent", { operation: "generate", fields: { model: "a", stream: false } }],
  [
    "/v1beta/models/v/a@1:b:streamGenerateContent",
    { operation: "generate", fields: { model: "v/a@1:b", stream: true } },
  ],
  ["/v1beta/models/a:countTokens", { operation: "count", fields: { model: "a", stream: false } }],
  ["/v1beta/models/a:batchEmbedContents", { operation: "embed", fields: { model: "a" } }],
  ["/v1beta/models/a:batchGenerateContent", null],
  ["/v1beta/models/a", null],
  ["/v1beta/files", null],
])("the path %s asks for %j", (path, asked) => {
  expect(geminiClient.readPath?.(path) ?? null).toEqual(asked);
});
