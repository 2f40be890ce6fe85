import { describe, expect, test } from "vitest";
import { chatSse, delta, messageStart, messagesSse, paths, streamThrough, textBlock } from "./pipeline";

const WORDS = "words of the upstream";
const begun = {
  chat: chatSse([delta({ content: "Hello" })], false),
  messages: messagesSse([messageStart(), ...textBlock(0, "Hello")]),
};

/** Ways in which streams tell of a failure. Source: docs/contract.md#b2. */
const frames: Readonly<Record<string, string>> = {
  "an error object": `data: ${JSON.stringify({ error: { message: WORDS } })}\n\n`,
  "an error event": `event: error\ndata: ${JSON.stringify({ type: "error", error: { message: WORDS } })}\n\n`,
  "an error event of another shape": `event: error\ndata: ${JSON.stringify({ message: WORDS })}\n\n`,
  "an error event that is no JSON": `event: error\ndata: ${WORDS}\n\n`,
  "an error event with a list": `event: error\ndata: [${JSON.stringify(WORDS)}]\n\n`,
  "an event of a name of its own": `event: modelStreamErrorException\ndata: ${JSON.stringify({ message: WORDS })}\n\n`,
  "a flat error": `data: ${JSON.stringify({ type: "api_error", message: WORDS })}\n\n`,
  "an error as a string": `data: ${JSON.stringify({ error: WORDS })}\n\n`,
  "an error as a list": `data: ${JSON.stringify({ error: [{ message: WORDS }] })}\n\n`,
  "a list of errors": `data: ${JSON.stringify({ errors: [WORDS] })}\n\n`,
  "an error that is only true": `data: ${JSON.stringify({ error: true, message: WORDS })}\n\n`,
};

/** The wire without the gateway's own last frame, whose words are cleaned elsewhere. */
function beforeFailure(wire: string): string {
  expect(wire).toContain('"UPSTREAM_ERROR"');
  return wire.slice(0, wire.trimEnd().lastIndexOf("\n\n"));
}

describe.each(paths)("a $upstream stream for a $client client that tells of a failure by", (path) => {
  test.each(Object.keys(frames))("%s has failed, and nothing of it is passed on", (name) => {
    const { failure, wire } = streamThrough(path, begun[path.upstream] + frames[name]);
    expect(failure).not.toBeNull();
    expect(beforeFailure(wire)).not.toContain("words of");
    expect(beforeFailure(wire)).toContain("Hello");
  });
});

test("a failure inside a choice has failed, whatever the client", () => {
  const choice = { index: 0, delta: {}, error: { code: 502, message: WORDS } };
  for (const client of ["chat", "messages"] as const) {
    const { failure, wire } = streamThrough(
      { upstream: "chat", client },
      begun.chat + chatSse([{ choices: [choice] }]),
    );
    expect(failure).toMatchObject({ status: 502, message: WORDS });
    expect(beforeFailure(wire)).not.toContain(WORDS);
  }
});

test("fields that say there was no error are none", () => {
  for (const error of [null, "", false, 0, []]) {
    const chunk = { ...delta({ content: "Hi" }), error, errors: [] };
    expect(streamThrough({ upstream: "chat", client: "chat" }, chatSse([chunk])).failure).toBeNull();
  }
});
