import { describe, expect, test } from "vitest";
import { chatBody } from "../support/gateway-fixtures";
import { CHAT, hostileRig, MESSAGES, pairs } from "../support/hostile-rig";
import { expectRefusal } from "../support/v1-refusal";

const rig = hostileRig();

/** Source: docs/reliability.md#r-133. */
describe("tools", () => {
  const self = { type: "object", properties: { again: { $ref: "#" } } };
  const mutual = { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" };
  const wide = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { type: "string", description: "d".repeat(20) }]),
    ),
  };
  const nested = (levels: number) => {
    let schema: object = { type: "string" };
    for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { a: schema } };
    return schema;
  };
  const toolsOf = (path: string, schema: object) =>
    path === CHAT
      ? {
          tools: [{ type: "function", function: { name: "f", parameters: schema, strict: true } }],
          response_format: { type: "json_schema", json_schema: { name: "r", schema, strict: true } },
        }
      : { tools: [{ name: "f", input_schema: schema, strict: true }] };

  test.each(pairs)(
    "whose schema names itself, is a megabyte long or 25 levels deep end at once ($path, $model)",
    async ({ path, model }) => {
      for (const schema of [self, mutual, wide, nested(25)]) {
        const begun = performance.now();
        const answer = await rig.send(path, JSON.stringify(chatBody(model, toolsOf(path, schema))));
        expect([200, 400]).toContain(answer.status);
        expect(performance.now() - begun).toBeLessThan(5_000);
      }
    },
  );

  test.each(pairs)(
    "beyond 128, or deeper than a body may be, are refused ($path, $model)",
    async ({ path, model }) => {
      const many =
        path === CHAT
          ? Array.from({ length: 129 }, (_, at) => ({ type: "function", function: { name: `t${at}` } }))
          : Array.from({ length: 129 }, (_, at) => ({ name: `t${at}`, input_schema: { type: "object" } }));
      expectRefusal(
        await rig.send(path, JSON.stringify(chatBody(model, { tools: many }))),
        path,
        "INVALID_REQUEST",
      );
      const deep = await rig.send(path, JSON.stringify(chatBody(model, toolsOf(path, nested(40)))));
      expectRefusal(deep, path, "INVALID_REQUEST");
    },
  );
});

/** Source: docs/reliability.md#r-135, #r-138. */
describe("an address inside a request", () => {
  const address = () => `${rig.foreignHost.url}/picture.png`;

  test.each(["api_base", "base_url", "api_key", "extra_headers", "extra_body", "azure_endpoint"])(
    "as %s is refused",
    async (field) => {
      for (const { path, model } of pairs) {
        const value = field === "extra_headers" ? { host: address() } : address();
        expectRefusal(
          await rig.send(path, JSON.stringify(chatBody(model, { [field]: value }))),
          path,
          "INVALID_REQUEST",
        );
      }
      expect(rig.foreignHost.calls).toEqual([]);
    },
  );

  test("of a picture or document is passed on or refused, never called", async () => {
    const addresses = [
      address(),
      "http://127.0.0.1:1/x",
      "http://169.254.169.254/latest/meta-data",
      "file:///etc/passwd",
    ];
    for (const url of addresses) {
      const chat = [
        [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
        [{ role: "user", content: [{ type: "file", file: { file_id: url } }] }],
        [{ role: "user", content: [{ type: "text", text: `![picture](${url})` }] }],
      ];
      const source = { type: "url", url };
      const use = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] };
      const messages = [
        [{ role: "user", content: [{ type: "image", source }] }],
        [{ role: "user", content: [{ type: "document", source }] }],
        [
          { role: "user", content: "Look." },
          use,
          {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "image", source }] }],
          },
        ],
      ];
      for (const { path, model } of pairs) {
        for (const history of path === CHAT ? chat : messages) {
          const answer = await rig.send(path, JSON.stringify(chatBody(model, { messages: history })));
          expect([200, 400]).toContain(answer.status);
        }
      }
    }
    expect(rig.foreignHost.calls).toEqual([]);
    const paths = new Set(rig.node.calls.map((call) => call.path));
    expect([...paths].sort()).toEqual([CHAT, MESSAGES]);
  });
});
