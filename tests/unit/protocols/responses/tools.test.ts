import { describe, expect, test } from "vitest";
import { declaredTools, toolTable } from "@/lib/protocols/responses/tools";

const search = { type: "tool_search", execution: "client", parameters: {} };
const body = {
  tools: [
    { type: "function", name: "wait" },
    { type: "namespace", name: "mcp__toy", tools: [{ type: "function", name: "add" }] },
    search,
    { type: "local_shell" },
    { type: "web_search" },
  ],
  input: [
    {
      type: "additional_tools",
      tools: [{ type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] }],
    },
    { type: "tool_search_output", tools: [{ type: "function", name: "wait", description: "later" }] },
  ],
};

describe("the tools of a Responses client", () => {
  test("have one flat name each, and keep the name and namespace that the client knows", () => {
    const table = toolTable(body);
    expect([...table.keys()]).toEqual(["wait", "mcp__toy__add", "tool_search", "local_shell", "exec"]);
    expect(table.get("mcp__toy__add")).toMatchObject({
      kind: "function",
      name: "add",
      namespace: "mcp__toy",
    });
    expect(table.get("exec")).toMatchObject({ kind: "custom", name: "exec", namespace: null });
    expect(table.get("tool_search")).toMatchObject({ kind: "tool_search", namespace: null });
    expect(table.get("local_shell")).toMatchObject({ kind: "local_shell", namespace: null });
  });

  test("are those of tools, of additional_tools and of searches; the last declaration counts", () => {
    const { own, foreign } = declaredTools(body);
    expect(own.at(-1)).toMatchObject({ source: "input[1].tools[0]", found: true });
    expect(toolTable(body).get("wait")).toMatchObject({ definition: { description: "later" } });
    expect(foreign.map(({ source }) => source)).toEqual(["tools[4]"]);
  });

  test("are none where a body declares none, whatever it holds instead", () => {
    for (const tools of [undefined, null, "x", [null, 3, { type: "namespace", tools: 3 }]])
      expect(toolTable({ tools, input: [null, { type: "additional_tools", tools: {} }] }).size).toBe(0);
  });

  test("of the server's own search are not the client's", () => {
    const { own, foreign } = declaredTools({ tools: [{ type: "tool_search", execution: "server" }] });
    expect(own).toEqual([]);
    expect(foreign).toHaveLength(1);
  });
});
