import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { CallPrices } from "@/lib/kernel/usage";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { f, send, turn } from "./extra-costs-support";
import { refusalOf } from "./support";

describe("a web search of a client on a node of another protocol", () => {
  // Google's search runs at Google's models only.
  const clients = protocolIds.filter((id) => id !== "gemini");
  const asking: Record<Exclude<Protocol, "gemini">, JsonObject> = {
    chat: { web_search_options: {} },
    messages: { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    responses: { tools: [{ type: "web_search" }] },
  };
  const pairs = clients.flatMap((client) =>
    protocolIds.filter((node) => node !== client).map((node) => ({ client, node })),
  );
  const search = /web_search|googleSearch/;
  const profile = { webSearch: "web_search_20250305" };

  test.each(pairs)(
    "$client to $node needs a price, and is bounded and offered with one",
    ({ client, node }) => {
      const without = send(client, asking[client], { node, profile });
      expect(JSON.stringify(without.body)).not.toMatch(search);
      expect(without.losses.join()).toMatch(/dropped:web_search/);
      expect(without.offeredCalls).toBeUndefined();
      const priced = send(client, asking[client], { node, profile, perCall: { webSearch: 1n } });
      expect(JSON.stringify(priced.body)).toMatch(search);
      expect(priced.offeredCalls?.tools).toEqual(["webSearch"]);
      const strict = { node, profile, compatibility: "strict" as const };
      expect(refusalOf(() => send(client, asking[client], strict)).details.param).toMatch(/web_search|tools/);
    },
  );

  const names = ["web_search", "web_search_options"];
  const everyPair = clients.flatMap((client) => protocolIds.map((node) => ({ client, node })));
  test.each(everyPair.flatMap((pair) => names.map((name) => ({ ...pair, name }))))(
    "$client to $node passes without a price where the operator lists $name",
    ({ client, node, name }) => {
      const free = { ...profile, unpricedExtras: [name] };
      for (const compatibility of ["standard", "strict"] as const) {
        const sent = send(client, asking[client], { node, profile: free, compatibility });
        expect(JSON.stringify(sent.body)).toMatch(search);
        expect(sent.losses.join()).not.toContain("dropped");
      }
    },
  );

  test.each(["chat", "responses", "gemini"] as const)(
    "messages to %s is a 400 when the model must search",
    (node) => {
      const fields = { ...asking.messages, tool_choice: { type: "tool", name: "web_search" } };
      expect(refusalOf(() => send("messages", fields, { node, profile })).details.param).toBe(
        "tools[0].type",
      );
    },
  );
});

test("searches of a messages node are bounded by its own field, and code by what is billed", () => {
  const search = { type: "web_search_20250305", name: "web_search" };
  const code = { type: "code_execution_20250825", name: "code_execution" };
  const ask = (tools: JsonObject[], perCall: CallPrices) => send("messages", { tools }, { perCall });
  const bounded = ask([search], { webSearch: 1n });
  expect(bounded.body.tools).toEqual([{ ...search, max_uses: 10 }]);
  expect(bounded.losses).toContain("added:max_uses:10");
  const own = ask([{ ...search, max_uses: 3 }], { webSearch: 1n });
  expect(own.body.tools).toEqual([{ ...search, max_uses: 3 }]);
  expect(own.offeredCalls).toEqual({ tools: ["webSearch"], maxCalls: 3 });
  const both = ask([{ ...search, max_uses: 3 }, code], { webSearch: 1n, codeInterpreter: 1n });
  expect(both.offeredCalls).toEqual({ tools: ["webSearch", "codeInterpreter"], maxCalls: 13 });
  const filtering = ask([{ type: "web_search_20260209", name: "web_search" }], { webSearch: 1n });
  expect(filtering.offeredCalls?.included).toEqual(["codeInterpreter"]);
});

describe("code execution of a messages node", () => {
  const code = { type: "code_execution_20260120", name: "code_execution" };
  const search = (date: string) => ({ type: `web_search_${date}`, name: "web_search", max_uses: 4 });
  const fetching = (date: string) => ({ type: `web_fetch_${date}`, name: "web_fetch" });
  const called = { ...f.messages, allowed_callers: ["code_execution_20260120"] };
  const own = { container: "container_1" };

  describe.each<[string, CallPrices]>([
    ["without a price", {}],
    ["with a price", { codeInterpreter: 1n }],
  ])("%s", (_what, codePrice) => {
    test.each(["20260209", "20260309", "20270101"])("is free beside a fetch of %s", (date) => {
      const tools = [code, fetching(date), called];
      const choice = { perCall: codePrice, compatibility: "strict" as const };
      const { body, losses, offeredCalls } = send("messages", { ...own, tools }, choice);
      expect(body).toMatchObject({ ...own, tools });
      expect(losses).toEqual([]);
      expect(offeredCalls).toEqual({ tools: [], included: ["codeInterpreter"], maxCalls: 0 });
    });

    test.each(["20260209", "20260309", "20270101"])("is free beside a search of %s that passes", (date) => {
      const tools = [code, search(date), called];
      const priced = { ...codePrice, webSearch: 1n };
      const choice = { perCall: priced, compatibility: "strict" as const };
      const { body, losses, offeredCalls } = send("messages", { ...own, tools }, choice);
      expect(body).toMatchObject({ ...own, tools });
      expect(losses).toEqual([]);
      expect(offeredCalls).toEqual({ tools: ["webSearch"], included: ["codeInterpreter"], maxCalls: 4 });
      const unpriced = { perCall: codePrice, profile: { unpricedExtras: ["web_search"] } };
      const sent = send("messages", { ...own, tools }, unpriced);
      expect(sent.body).toMatchObject({ ...own, tools });
      expect(sent.offeredCalls).toEqual({ tools: [], included: ["codeInterpreter"], maxCalls: 0 });
    });
  });

  test("is billed beside older versions, and beside a search that is left out", () => {
    for (const other of [search("20250305"), fetching("20250910"), search("20260209")]) {
      const unpriced = send("messages", { ...own, tools: [code, other] });
      expect(JSON.stringify(unpriced.body.tools ?? [])).not.toContain("code_execution");
      expect(unpriced.body).not.toHaveProperty("container");
      const choice = { perCall: { codeInterpreter: 1n } };
      const priced = send("messages", { ...own, tools: [code, other] }, choice);
      expect(priced.offeredCalls).toEqual({ tools: ["codeInterpreter"], maxCalls: 10 });
    }
  });

  test("is included in a search that a client of another protocol asks for", () => {
    const choice = { node: "messages" as const, perCall: { webSearch: 1n } };
    const ask = (webSearch: string) =>
      send("responses", { tools: [{ type: "web_search" }] }, { ...choice, profile: { webSearch } });
    expect(ask("web_search_20260209").offeredCalls?.included).toEqual(["codeInterpreter"]);
    expect(ask("web_search_20250305").offeredCalls).not.toHaveProperty("included");
  });
});

test("what needs code goes with the tool that runs it: its container, and the tools that only code may call", () => {
  const code = { type: "code_execution_20250825", name: "code_execution" };
  const called = { ...f.messages, allowed_callers: ["code_execution_20250825"] };
  const { body, losses } = send("messages", { tools: [code, called], container: { skills: [] } });
  expect(body.tools).toEqual([f.messages]);
  expect(body).not.toHaveProperty("container");
  expect(losses).toEqual(["dropped:code_execution_20250825", "dropped:container"]);
});

describe("a tool of a responses request that only other tools may call", () => {
  const callable = (...callers: string[]) => ({ ...f.responses, allowed_callers: callers });
  const programs = { type: "programmatic_tool_calling" };

  test("keeps its callers beside programmatic tool calling, which costs tokens only", () => {
    const tools = [programs, callable("programmatic"), { type: "x_search" }];
    const { body, losses } = send("responses", { tools });
    expect(body.tools).toEqual([programs, callable("programmatic")]);
    expect(losses.join()).not.toContain("programmatic");
  });

  test.each([
    ["hologram_20270101", "hologram_20270101"],
    ["hologram_20270101", "hologram"],
    ["code_interpreter", "code_interpreter"],
    ["programmatic_shell_calling", "programmatic"],
  ])("loses the caller that %s stood for when it goes: %s", (type, caller) => {
    const group = (...members: JsonObject[]) => ({ type: "namespace", name: "n", tools: members });
    const list = (tools: JsonObject[]) => ({ type: "additional_tools", role: "developer", tools });
    const tools = [{ type }, callable(caller), group(callable(caller, "direct"))];
    const { body } = send("responses", { tools, input: [list([callable("direct", caller)]), turn] });
    expect(body.tools).toEqual([f.responses, group(callable("direct"))]);
    expect(body.input).toEqual([list([callable("direct")]), turn]);
  });

  test("keeps a caller of which another version stays", () => {
    const tools = [{ type: "hologram_20270101" }, { type: "hologram_20280101" }, callable("hologram")];
    const profile = { unpricedExtras: ["hologram_20280101"] };
    expect(send("responses", { tools }, { profile }).body.tools).toEqual(tools.slice(1));
  });
});
