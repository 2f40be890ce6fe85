import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { ChatDecoder } from "@/lib/protocols/chat/node/decode";
import { madeCallId } from "@/lib/protocols/chat/node/made-call-id";
import { plainChatEvents } from "@/lib/protocols/chat/node/plain-answer";
import { chatChunks } from "@/lib/protocols/chat/node/whole";
import { MessagesDecoder } from "@/lib/protocols/messages/node/decode";
import { plainMessagesEvents } from "@/lib/protocols/messages/node/plain-answer";
import { messagesPayloads } from "@/lib/protocols/messages/node/whole";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";

const odd = fc.oneof(
  fc.constantFrom(null, "", 0, -1, 1.5, true, false, {}, [], "text", "\0", "\ud800", "error", 1e20),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
);

/** The object, sometimes with a field replaced, added or taken out at a random place below it. */
function spoiled<T extends JsonObject>(whole: T): fc.Arbitrary<T> {
  const places = placesOf(whole);
  const change = fc.record({
    place: fc.constantFrom(...places),
    name: fc.constantFrom("extra", "x_new", "type", "error"),
    value: odd,
    kind: fc.constantFrom("replace", "add", "remove"),
  });
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const copy = structuredClone(whole);
    for (const { place, name, value, kind } of changes)
      spoil(copy, place, kind === "add" ? name : null, kind === "remove" ? undefined : value);
    return copy;
  });
}

function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...placesOf(inner, [...path, name]),
  ]);
}

function spoil(target: unknown, place: readonly string[], added: string | null, value: unknown): void {
  const [name = "", ...rest] = place;
  if (typeof target !== "object" || target === null) return;
  const object = target as JsonObject; // an array takes names too
  if (rest.length > 0) spoil(object[name], rest, added, value);
  else if (value === undefined) delete object[name];
  else object[added ?? name] = value;
}

const chatAnswer = (finish: string, content: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "up",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content, refusal: null },
      logprobs: null,
      finish_reason: finish,
    },
  ],
  usage: {
    prompt_tokens: 3,
    completion_tokens: 2,
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: 1 },
  },
  system_fingerprint: "fp",
});

const message = (stop: string, text: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "up",
  content: [
    { type: "text", text },
    { type: "text", text: "more" },
  ],
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 1, output_tokens: 2 },
});

describe("a plain whole answer", () => {
  test("of a chat node gives the events that its decoder gives, or is left to it", () => {
    const answers = fc
      .tuple(fc.constantFrom("stop", "length"), fc.string({ minLength: 1 }))
      .chain(([finish, text]) => spoiled(chatAnswer(finish, text)));
    let plain = 0;
    fc.assert(
      fc.property(answers, (answer) => {
        const events = plainChatEvents(structuredClone(answer));
        if (events === null) return;
        plain += 1;
        const decoder = new ChatDecoder({ id: "own" }, madeCallId);
        expect([
          ...chatChunks(structuredClone(answer)).flatMap((chunk) => decoder.accept(chunk)),
          ...decoder.done(),
        ]).toEqual(events);
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(500);
  });

  test("of a messages node gives the events that its decoder gives, or is left to it", () => {
    const answers = fc
      .tuple(fc.constantFrom("end_turn", "max_tokens"), fc.string({ minLength: 1 }))
      .chain(([stop, text]) => spoiled(message(stop, text)));
    let plain = 0;
    fc.assert(
      fc.property(answers, (answer) => {
        const events = plainMessagesEvents(structuredClone(answer));
        if (events === null) return;
        plain += 1;
        const decoder = new MessagesDecoder({ id: "own" });
        expect([
          ...messagesPayloads(structuredClone(answer)).flatMap((payload) => decoder.accept(payload)),
          ...decoder.end(),
        ]).toEqual(events);
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(500);
  });
});

describe("a plain request", () => {
  const turns = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "" },
  ];
  const fields = { model: "alias", temperature: 0.5, top_p: 1, stream: true };
  const requests: Record<Exclude<Protocol, "gemini">, JsonObject> = {
    chat: { ...fields, messages: turns, max_tokens: 10 },
    messages: { ...fields, messages: turns, max_tokens: 10 },
    responses: { ...fields, input: turns, max_output_tokens: 10 },
  };

  // Requests of Gemini clients are always left to their schema.
  test.each(["chat", "messages", "responses"] as const)(
    "of a %s client passes its schema, or is left to it",
    (protocol) => {
      const { isPlain, schema, countSchema } = protocols[protocol];
      let plain = 0;
      fc.assert(
        fc.property(spoiled(requests[protocol]), (body) => {
          if (!isPlain(body)) return;
          plain += 1;
          expect(schema.safeParse(body).success).toBe(true);
          expect(countSchema.safeParse(body).success).toBe(true);
          expect(JSON.stringify(body)).not.toMatch(/\\u0000|\\ud[89a-f]/);
        }),
        { numRuns: 5_000 },
      );
      expect(plain).toBeGreaterThan(500);
    },
  );
});
