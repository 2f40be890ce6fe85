import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { readVersion } from "@/lib/protocols/generation/version";
import type { Protocol } from "@/lib/protocols/protocol";
import { refusalOf, validated } from "@/tests/unit/protocols/requests/support";

const plain = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "hi" }] };

function refused(fields: JsonObject, protocol: Protocol = "chat", options = {}) {
  const refusal = refusalOf(() => validated({ ...plain, ...fields }, protocol, options));
  expect(refusal.status).toBe(400);
  expect(refusal.message.length).toBeGreaterThan(10);
  return refusal;
}

describe("validateRequest", () => {
  it("returns the very body it got, so that nothing is lost on a same-protocol path", () => {
    const body = { ...plain, made_up: { a: [1] }, temperature: null };
    expect(validated(body, "chat")).toBe(body);
    expect(validated(body, "messages")).toBe(body);
  });

  it.each(["chat", "messages"] as const)("names the field and what would be right (%s)", (protocol) => {
    expect(refused({ model: undefined }, protocol).message).toBe("model must be a string.");
    expect(refused({ messages: [] }, protocol).message).toBe("messages must not be empty.");
    expect(refused({ messages: "hi" }, protocol).message).toBe("messages must be an array.");
    expect(refused({ stream: "true" }, protocol).message).toBe("stream must be true or false.");
    expect(refused({ messages: [{ role: "king", content: "hi" }] }, protocol).message).toMatch(
      /^messages\[0\]\.role must be one of .*user/,
    );
    expect(refused({ messages: [{ role: "user" }] }, protocol).details.param).toBe("messages[0].content");
    expect(refused({ messages: [{ role: "user", content: 5 }] }, protocol).message).toMatch(
      /^messages\[0\]\.content must be a string or an array of content/,
    );
    expect(refused({ messages: [{ role: "user", content: [{ text: "a" }] }] }, protocol).details.param).toBe(
      "messages[0].content[0].type",
    );
    expect(refused({ temperature: -0.1 }, protocol).message).toBe("temperature must be at least 0.");
    expect(refused({ temperature: "1" }, protocol).message).toBe("temperature must be a number.");
    expect(refused({ top_p: 1.5 }, protocol).message).toBe("top_p must be at most 1.");
    expect(refused({ tools: [{}, 5] }, protocol).details.param).toBe("tools[1]");
  });

  it.each([[0], [-1], [1.5], ["10"], [1e30], [2 ** 64]])(
    "refuses max_tokens %s on both protocols",
    (value) => {
      expect(refused({ max_tokens: value }).details.param).toBe("max_tokens");
      expect(refused({ max_tokens: value }, "messages").details.param).toBe("max_tokens");
      expect(refused({ max_completion_tokens: value }).details.param).toBe("max_completion_tokens");
    },
  );

  it.each([[undefined], [null]])(
    "takes a missing chat limit (%s) except when strict, a missing messages limit never",
    (max_tokens) => {
      const body = { ...plain, max_tokens };
      expect(validated(body, "chat")).toBe(body);
      expect(validated(body, "chat", { compatibility: "lenient" })).toBe(body);
      const refusal = refused({ max_tokens }, "chat", { compatibility: "strict" });
      expect(refusal.details.param).toBe("max_tokens");
      expect(refusal.details.alternative).toBe("the alias's default is used instead");
      expect(
        validated({ ...body, max_completion_tokens: 5 }, "chat", { compatibility: "strict" }),
      ).toBeTruthy();
      for (const compatibility of ["standard", "strict", "lenient"] as const) {
        expect(refused({ max_tokens }, "messages", { compatibility }).message).toContain(
          "max_tokens is required",
        );
      }
      expect(validated(body, "messages", { countTokens: true })).toBe(body);
    },
  );

  it("D2: temperature up to 1 always, up to 2 for lenient chat, above never", () => {
    expect(validated({ ...plain, temperature: 1 }, "chat")).toBeTruthy();
    for (const compatibility of ["standard", "strict"]) {
      expect(refused({ temperature: 1.2 }, "chat", { compatibility }).details.alternative).toBe(
        "values up to 2 are lowered to 1",
      );
    }
    expect(validated({ ...plain, temperature: 2 }, "chat", { compatibility: "lenient" })).toBeTruthy();
    expect(refused({ temperature: 2.1 }, "chat", { compatibility: "lenient" }).details.param).toBe(
      "temperature",
    );
    expect(refused({ temperature: 1.2 }, "messages", { compatibility: "lenient" }).details.param).toBe(
      "temperature",
    );
  });

  it("treats null as absent for every optional field", () => {
    const nulls = {
      temperature: null,
      top_p: null,
      stop: null,
      stream: null,
      tools: null,
      tool_choice: null,
      user: null,
      n: null,
    };
    expect(validated({ ...plain, ...nulls }, "chat")).toBeTruthy();
    expect(
      validated({ ...plain, system: null, tools: null, stop_sequences: null, thinking: null }, "messages"),
    ).toBeTruthy();
  });

  it("bounds what one request may hold", () => {
    const message = { role: "user", content: "a" };
    expect(validated({ ...plain, messages: Array(2000).fill(message) }, "chat")).toBeTruthy();
    expect(refused({ messages: Array(2001).fill(message) }).message).toBe(
      "messages must have at most 2000 entries.",
    );
    const tool = (name: string) => ({ type: "function", function: { name } });
    expect(refused({ tools: Array(129).fill(tool("f")) }).message).toBe(
      "tools must have at most 128 entries.",
    );
    const tooMany = refused({ input: Array(10_001).fill({ ...message }), messages: undefined }, "responses");
    expect(tooMany.message).toBe("input must have at most 10000 entries.");
    expect(tooMany.details.param).toBe("input");
    expect(refused({ input: "a", tools: Array(513).fill({ type: "x" }) }, "responses").message).toBe(
      "tools must have at most 512 entries.",
    );
    const functions = Array(129).fill({ name: "f" });
    expect(refused({ functions }).message).toBe("functions must have at most 128 entries.");
    expect(refused({ tools: [tool("f".repeat(129))] }).details.param).toBe("tools[0].function.name");
    expect(refused({ tools: [{ name: "f".repeat(129) }] }, "messages").details.param).toBe("tools[0].name");
    expect(refused({ stop: ["1", "2", "3", "4", "5"] }).details.param).toBe("stop");
  });

  it("refuses depth beyond 64 levels and 200,000 values", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 70; level += 1) deep = [deep];
    expect(refused({ metadata: deep }).message).toContain("64 levels");
    expect(refused({ logit_bias: Array(200_001).fill(0) }).message).toContain("200000 values");
  });

  it("refuses NUL and lone surrogates by their place and takes every whole character", () => {
    expect(refused({ messages: [{ role: "user", content: "a\0b" }] }).details.param).toBe(
      "messages[0].content",
    );
    expect(refused({ messages: [{ role: "user", content: "\ud83d" }] }).details.param).toBe(
      "messages[0].content",
    );
    expect(refused({ metadata: { "\udc00": 1 } }).details.param).toBe("metadata");
    expect(validated({ ...plain, messages: [{ role: "user", content: "é漢😀" }] }, "chat")).toBeTruthy();
  });

  it.each(["api_base", "base_url", "api_key", "extra_headers", "custom_llm_provider"])(
    "refuses %s: the gateway chooses the upstream",
    (field) => {
      expect(refused({ [field]: "https://attacker.example" }).details.param).toBe(field);
      expect(refused({ [field]: "https://attacker.example" }, "messages").details.param).toBe(field);
    },
  );

  it.each([[[]], ["text"], [null], [5]])("refuses a body that is no object (%j)", (body) => {
    expect(refusalOf(() => validated(body, "chat")).details.param).toBe("body");
  });

  it.each(["temperature", "top_p", "top_k"])(
    "EC-27: version 2026-10-21 refuses %s even at its default",
    (field) => {
      expect(refused({ [field]: 1 }, "messages", { version: "2026-10-21" }).details.param).toBe(field);
      expect(refused({ [field]: 1 }, "messages", { version: "2027-03-01" }).details.param).toBe(field);
      expect(validated({ ...plain, [field]: 1 }, "messages")).toBeTruthy();
    },
  );

  it("version 2026-10-21 refuses citations in a user's text", () => {
    const messages = [{ role: "user", content: [{ type: "text", text: "a", citations: [{}] }] }];
    expect(refused({ messages }, "messages", { version: "2026-10-21" }).details.param).toBe(
      "messages[0].content[0].citations",
    );
    expect(validated({ ...plain, messages }, "messages")).toBeTruthy();
    const answered = [
      { role: "user", content: "a" },
      { ...messages[0], role: "assistant" },
      { role: "user", content: "b" },
    ];
    expect(validated({ ...plain, messages: answered }, "messages", { version: "2026-10-21" })).toBeTruthy();
  });

  it("points into the branch of a union that the caller meant", () => {
    expect(refused({ messages: [{ role: "user", content: [{ type: "text" }, { type: 5 }] }] }).message).toBe(
      "messages[0].content[1].type must be a string.",
    );
    expect(refused({ system: [{ text: "a" }] }, "messages").details.param).toBe("system[0].type");
  });
});

describe("readVersion", () => {
  it("takes either header, anthropic-version first, and 2023-06-01 when there is none", () => {
    expect(readVersion({})).toBe("2023-06-01");
    expect(readVersion({ "provider-version": "2026-10-21" })).toBe("2026-10-21");
    expect(readVersion({ "provider-version": "2026-10-21", "anthropic-version": "2023-06-01" })).toBe(
      "2023-06-01",
    );
    expect(readVersion({ "anthropic-version": "2028-02-02" })).toBe("2028-02-02");
  });

  it.each(["2023-01-01", "latest", "2023-6-1", "2026-13-45"])(
    "refuses %s by the header's name",
    (version) => {
      expect(refusalOf(() => readVersion({ "provider-version": version })).details.param).toBe(
        "provider-version",
      );
    },
  );
});
