import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type Compatibility, withTrueHint } from "@/lib/protocols/generation/compatibility";
import type { Protocol } from "@/lib/protocols/protocol";
import { prepareFor, refusalOf, validated } from "@/tests/unit/protocols/requests/support";

interface Case {
  client: Protocol;
  upstream: Protocol;
  /** The setting that is named, by the setting in force; absent: none is. */
  named: Partial<Record<Compatibility, Compatibility>>;
  body: JsonObject;
}

const settings: readonly Compatibility[] = ["strict", "standard", "lenient"];
const forgiving = { strict: "lenient", standard: "lenient" } as const;
const user = (content: unknown) => ({ role: "user", content });
const call = { role: "assistant", tool_calls: [{ id: "c1", function: { name: "f", arguments: "{}" } }] };
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
const use = (id: string) => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name: "f", input: {} }],
});
const used = (id: string) => user([{ type: "tool_result", tool_use_id: id, content: "ok" }]);
const chatImage = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
const blockImage = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
const badPart = { type: "input_audio", input_audio: {} };

function chat(messages: unknown[], fields: JsonObject = { max_tokens: 9 }): JsonObject {
  return { model: "m", messages, ...fields };
}

function cases(): Record<string, Case> {
  const toMessages = { client: "chat", upstream: "messages" } as const;
  const toChat = { client: "messages", upstream: "chat" } as const;
  const none = {};
  return {
    "no limit": { ...toMessages, named: { strict: "standard" }, body: chat([user("a")], {}) },
    "no limit and a high temperature": {
      ...toMessages,
      named: forgiving,
      body: chat([user("a")], { temperature: 1.5 }),
    },
    "a high temperature": {
      ...toMessages,
      named: forgiving,
      body: chat([user("a")], { temperature: 1.5, max_tokens: 9 }),
    },
    "a high temperature beside what no setting takes": {
      ...toMessages,
      named: none,
      body: chat([user([badPart])], { temperature: 1.5, max_tokens: 9 }),
    },
    "several choices": {
      ...toMessages,
      named: forgiving,
      body: chat([user("a")], { n: 2, max_tokens: 9 }),
    },
    "a temperature above 2": {
      ...toMessages,
      named: none,
      body: chat([user("a")], { temperature: 2.1, max_tokens: 9 }),
    },
    "an orphan result": { ...toMessages, named: forgiving, body: chat([user("a"), result("lost")]) },
    "an orphan result beside what no setting takes": {
      ...toMessages,
      named: none,
      body: chat([user("a"), result("lost"), user([badPart])]),
    },
    "a result without an id": {
      ...toMessages,
      named: forgiving,
      body: chat([user("a"), call, { role: "tool", content: "ok" }]),
    },
    "an unanswered call": { ...toMessages, named: forgiving, body: chat([user("a"), call, user("b")]) },
    "an unanswered call at the end": { ...toMessages, named: none, body: chat([user("a"), call]) },
    "an image for the blind": { ...toMessages, named: forgiving, body: chat([user([chatImage])]) },
    "messages: an orphan result": { ...toChat, named: forgiving, body: chat([user("a"), used("lost")]) },
    "messages: an unanswered call": {
      ...toChat,
      named: forgiving,
      body: chat([user("a"), use("t1"), user("b")]),
    },
    "messages: an unanswered call at the end": { ...toChat, named: none, body: chat([user("a"), use("t1")]) },
    "messages: two faults, the second beyond repair": {
      ...toChat,
      named: none,
      body: chat([user("a"), used("lost"), use("t1")]),
    },
    "messages: an image for the blind": { ...toChat, named: forgiving, body: chat([user([blockImage])]) },
    "messages: no limit": { ...toChat, named: none, body: chat([user("a")], {}) },
  };
}

function run({ client, upstream, body }: Case, setting: Compatibility) {
  return withTrueHint(setting, (compatibility) =>
    prepareFor(validated(body, client, { compatibility }), {
      clientProtocol: client,
      upstreamProtocol: upstream,
      compatibility,
      profile: { imagesIn: false },
    }),
  );
}

describe("a refusal names another setting exactly where the same request passes", () => {
  it.each(Object.entries(cases()))("%s", (_, one) => {
    for (const setting of settings) {
      const named = one.named[setting];
      if (passes(one, setting)) continue;
      const { message } = refusalOf(() => run(one, setting));
      const hints = [...message.matchAll(/COMPATIBILITY=(\w+)/g)].map(([, word]) => word);
      expect(hints).toEqual(named === undefined ? [] : [named]);
      const wouldPass = settings.filter((other) => passes(one, other));
      if (named === undefined) expect(wouldPass).toEqual([]);
      else expect(wouldPass).toContain(named);
    }
    for (const setting of Object.keys(one.named)) expect(passes(one, setting as Compatibility)).toBe(false); // keys of `named` are settings
  });
});

function passes(one: Case, setting: Compatibility): boolean {
  try {
    run(one, setting);
    return true;
  } catch {
    return false;
  }
}
