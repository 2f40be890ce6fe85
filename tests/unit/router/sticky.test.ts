import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { protocols } from "@/lib/protocols/registry";
import { conversationKey, StickyNodes } from "@/lib/router/sticky-nodes";

const turn = (role: string, content: unknown) => ({ role, content });
const chat = (...messages: unknown[]) => ({ messages });
const keyOf = (body: JsonObject, key = "key", alias = "alias") => {
  const protocol = body.system === undefined ? protocols.chat : protocols.messages;
  return conversationKey(key, alias, protocol.conversation(body));
};

describe("conversation key", () => {
  it("stays the same while the conversation grows", () => {
    const opening = [turn("system", "be brief"), turn("user", "hello")];
    const grown = [...opening, turn("assistant", "hi"), turn("user", "more")];
    expect(keyOf(chat(...grown))).toBe(keyOf(chat(...opening)));
  });

  it("differs by key, alias, system text and first user turn, even after a long system text", () => {
    const long = "x".repeat(50_000);
    const bodies = [
      { system: long, messages: [turn("user", "one")] },
      { system: long, messages: [turn("user", "two")] },
      {
        system: [{ type: "text", text: "other" }],
        messages: [turn("user", [{ type: "text", text: "one" }])],
      },
    ];
    const keys = bodies.map((body) => keyOf(body));
    keys.push(keyOf(bodies[0] ?? {}, "other"), keyOf(bodies[0] ?? {}, "key", "other"));
    expect(new Set(keys).size).toBe(5);
  });

  it("is the caller's prompt_cache_key when there is one", () => {
    const body = (text: string) => ({ prompt_cache_key: "mine", messages: [turn("user", text)] });
    expect(keyOf(body("one"))).toBe(keyOf(body("two")));
  });

  it("holds no text of the conversation", () => {
    expect(keyOf(chat(turn("user", "secret")))).not.toContain("secret");
  });

  it("is null when there is nothing to recognise a conversation by", () => {
    expect(keyOf({})).toBeNull();
    expect(keyOf({ messages: [null, 5] })).toBeNull();
    expect(keyOf(chat(turn("user", [{ type: "image" }])))).toBeNull();
  });
});

describe("sticky nodes", () => {
  it("remembers who answered, for an hour", () => {
    const startMs = 5_000;
    let now = startMs;
    const sticky = new StickyNodes(() => now);
    sticky.set("conversation", "a");
    sticky.set("conversation", "b");
    now = startMs + 3_600_000;
    expect(sticky.get("conversation")).toBe("b");
    now = startMs + 3_600_001;
    expect(sticky.get("conversation")).toBeNull();
    expect(sticky.get(null)).toBeNull();
  });

  it("forgets the conversation not used for longest when it is full", () => {
    const sticky = new StickyNodes(() => 0, 3);
    for (const name of ["one", "two", "three", "one", "four"]) sticky.set(name, "a");
    expect(sticky.size).toBe(3);
    expect(["one", "two", "three", "four"].map((name) => sticky.get(name))).toEqual(["a", null, "a", "a"]);
  });
});
