import OpenAI from "openai";
import type { ResponsesServerEvent } from "openai/resources/responses/responses";
import { ResponsesWS } from "openai/resources/responses/ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fresh, gatewayFor, logEntries } from "../support/gateway-fixtures";
import { SayingNode } from "../support/saying-node";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";

const node = new SayingNode();
let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(node.answer);
});
afterAll(() => upstream?.close());

const gateway = gatewayFor({
  nodes: () => [
    { name: "c1", baseUrl: `${upstream?.url}/c1` },
    { name: "r1", protocol: "responses", baseUrl: `${upstream?.url}/r1` },
  ],
  models: [
    { alias: "on-chat", routes: [["c1", "up"]] },
    { alias: "on-responses", routes: [["r1", "up"]] },
  ],
});

/** The official client's socket, with the completed responses of its lanes. */
function connect(key: string) {
  const client = new OpenAI({ apiKey: key, baseURL: `${gateway.server.url}/v1` });
  const socket = new ResponsesWS(client);
  const events: (ResponsesServerEvent & { stream_id?: string })[] = [];
  const errors: unknown[] = [];
  const waiting: (() => void)[] = [];
  const changed = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  socket.on("event", (event) => {
    events.push(event);
    changed();
  });
  socket.on("error", (error) => {
    errors.push(error);
    changed();
  });
  const completed = async (lane: string, count: number) => {
    for (;;) {
      const found = events.filter(
        ({ type, stream_id }) => type === "response.completed" && stream_id === lane,
      );
      const last = found.at(-1);
      if (found.length >= count && last?.type === "response.completed") return last.response;
      if (errors.length > 0) throw errors[0];
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return { socket, events, errors, completed };
}

/** Source: docs/websocket.md#clients. */
test.each(["on-chat", "on-responses"])(
  "openai's client runs two lanes and a fork on one socket %s",
  async (model) => {
    const user = await gateway.key();
    const { socket, events, completed } = connect(user.key);
    const [left, right] = [fresh("word"), fresh("word")];
    const create = (stream_id: string, input: string, previous_response_id?: string) =>
      socket.send({
        type: "response.create",
        model,
        input,
        store: false,
        stream_id,
        ...(previous_response_id === undefined ? {} : { previous_response_id }),
      });
    create("left", left);
    create("right", right);
    const [first, other] = await Promise.all([completed("left", 1), completed("right", 1)]);
    const asked = () => upstream?.calls.at(-1)?.body ?? "";
    create("left", "On.", first.id);
    await completed("left", 2);
    expect(asked()).toContain(left);
    create("fork", "Both?", other.id);
    const forked = await completed("fork", 1);
    expect(forked.previous_response_id).toBe(other.id);
    expect([asked().includes(right), asked().includes(left)]).toEqual([true, false]);
    expect(forked.output_text ?? JSON.stringify(forked.output)).toContain(node.lastAnswer);
    expect(new Set(events.map(({ stream_id }) => stream_id))).toEqual(new Set(["left", "right", "fork"]));
    const closed = new Promise<number>((resolve) => socket.on("close", (code) => resolve(code)));
    socket.close();
    expect(await closed).toBe(1000);
    expect(
      (await logEntries(gateway.server, user)).filter(({ tokenId }) => tokenId === user.keyId),
    ).toHaveLength(4);
  },
);

test("openai's client gets a refusal as its error, with code and status", async () => {
  const { socket, errors } = connect((await gateway.key()).key);
  const told = new Promise((resolve) => socket.on("error", resolve));
  socket.send({ type: "response.create", model: "none", input: "Hi" });
  await told;
  expect(errors).toMatchObject([
    { error: { type: "error", status: 404, error: { code: "model_not_found" } } },
  ]);
  socket.close();
});
