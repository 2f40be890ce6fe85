import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { refusalOf } from "@/tests/unit/protocols/requests/support";
import {
  blocks,
  chatLoop,
  definition,
  idPairs,
  messagesLoop,
  toChat,
  toMessages,
} from "@/tests/unit/protocols/requests/tool-support";

describe("tool ids", () => {
  it("EC-49: an id with other characters gets the same legal hash in call and result", () => {
    const { calls, results } = idPairs(toMessages({ messages: chatLoop([{ id: "functions.Bash:0" }]) }).body);
    expect(calls[0]).toMatch(/^toolu_[a-z2-7]{24}$/);
    expect(results).toEqual(calls);
  });

  it("EC-50: ids that differ only in illegal characters stay distinct", () => {
    const { calls, results } = idPairs(
      toMessages({ messages: chatLoop([{ id: "a.b" }, { id: "a:b" }]) }).body,
    );
    expect(new Set(calls).size).toBe(2);
    expect(results).toEqual(calls);
  });

  it("EC-51: an empty id is made up and the pair is kept", () => {
    const { calls, results } = idPairs(toMessages({ messages: chatLoop([{ id: "" }]) }).body);
    expect(calls[0]).toMatch(/^toolu_[a-z2-7]{24}$/);
    expect(results).toEqual(calls);
  });

  it("EC-52: an id of 86 characters becomes one of at most 40", () => {
    const { body } = toChat({ messages: messagesLoop("x".repeat(86), "f", "ok") });
    const [, assistant, result] = body.messages as JsonObject[];
    const id = (assistant?.tool_calls as JsonObject[] | undefined)?.[0]?.id;
    expect(id).toMatch(/^call_[a-z2-7]{24}$/);
    expect(result?.tool_call_id).toBe(id);
  });
});

describe("tool names", () => {
  it("EC-53: a name of 90 characters gets an alias everywhere and the way back is known", () => {
    const name = "n".repeat(90);
    const prepared = toChat({
      tools: [{ name, input_schema: { type: "object" } }],
      tool_choice: { type: "tool", name },
      messages: messagesLoop("x", name, "ok"),
    });
    const [tool] = prepared.body.tools as { function: JsonObject }[];
    const alias = String(tool?.function.name);
    expect(alias).toMatch(/^n{55}_[0-9a-f]{8}$/);
    expect(prepared.body.tool_choice).toEqual({ type: "function", function: { name: alias } });
    expect(JSON.stringify(prepared.body.messages)).toContain(`"name":"${alias}"`);
    expect(JSON.stringify(prepared.body)).not.toContain(name);
    expect(prepared.toolNames).toEqual(new Map([[alias, name]]));
  });

  it("EC-54: a name with dots and slashes gets a legal alias", () => {
    const prepared = toMessages({
      tools: [definition("ns.do/it")],
      messages: chatLoop([{ id: "x", name: "ns.do/it" }]),
    });
    const [tool] = prepared.body.tools as JsonObject[];
    expect(tool?.name).toMatch(/^ns_do_it_[0-9a-f]{8}$/);
    expect(blocks(prepared.body).find((block) => block.type === "tool_use")?.name).toBe(tool?.name);
    expect(prepared.toolNames.get(String(tool?.name))).toBe("ns.do/it");
  });

  it("leaves legal names alone and remembers nothing about them", () => {
    expect(toMessages({ tools: [definition("get_weather-2")] }).toolNames.size).toBe(0);
  });

  it("refuses two tools of one name", () => {
    expect(refusalOf(() => toMessages({ tools: [definition("f"), definition("f")] })).details.param).toBe(
      "tools[1].function.name",
    );
  });
});
