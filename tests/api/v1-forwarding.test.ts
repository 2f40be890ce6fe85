import { beforeAll, describe, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";
import { rawCall } from "../support/raw-http";

const gateway = gatewayFor({
  models: [
    { alias: "on-chat", routes: [["chat", "sim-a"]] },
    { alias: "on-messages", routes: [["messages", "sim-a"]] },
  ],
});
let key = "";
beforeAll(async () => {
  key = (await gateway.key()).key;
});

async function send(path: string, body: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await rawCall(gateway.server.url, { path, headers, pieces: [body] });
  expect(answer.status).toBe(200);
  const seen: { body: string }[] = await (await fetch(`${gateway.upstream.url}/__requests`)).json();
  return seen.at(-1)?.body ?? "";
}

describe.each([
  { path: "/v1/chat/completions", alias: "on-chat" },
  { path: "/v1/messages", alias: "on-messages" },
])("a request to $path that the node takes as it is", ({ path, alias }) => {
  test("arrives with its own bytes, only the model's name is the node's", async () => {
    const body = `{ "model" : "${alias}",\n "max_tokens":20, "new_field":{"big":12345678901234567890,"n":1.0,"e":"\\u00e9"},
      "messages":[ {"role":"user","content":"say \\"model\\": \\"${alias}\\""} ]}`;
    expect(await send(path, body)).toBe(body.replace(`"model" : "${alias}"`, '"model" : "sim-a"'));
  });

  test("arrives as it was understood when a name occurs twice", async () => {
    const body = `{"model":"${alias}","max_tokens":90000,"max_tokens":20,"messages":[{"role":"user","content":"Hi"}]}`;
    const sent = await send(path, body);
    expect(sent.match(/max_tokens/g)).toHaveLength(1);
    expect(JSON.parse(sent).max_tokens).toBe(20);
  });
});
