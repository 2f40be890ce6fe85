import { afterAll, beforeAll, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";
import { SayingNode } from "../support/saying-node";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";

const MIB = 1024 * 1024;
const AT_ONCE = 40;

const node = new SayingNode();
let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(node.answer);
});
afterAll(() => upstream?.close());

const gateway = gatewayFor({
  nodes: () => [{ name: "c1", baseUrl: `${upstream?.url}/c1` }],
  models: [{ alias: "on-chat", routes: [["c1", "up"]] }],
});

test("a large stored conversation is gone on with, shown, listed and counted as a small one is", async () => {
  const user = await gateway.key();
  const [first, second] = ["the first words ", "the last words "].map((words) => words.repeat(MIB / 32));
  const input = [message(first ?? ""), message("between"), message(second ?? "")];
  const made = await stored(user, input);
  const next = { model: "on-chat", input: "Go on.", previous_response_id: made.id };
  await node.ask(gateway.server, user, next);
  const sent = upstream?.calls.at(-1)?.body ?? "";
  for (const words of [first ?? "", "between", second ?? "", "Go on."]) expect(sent).toContain(words);
  expect(await (await call(user, `/${made.id}`)).json()).toEqual(made.response);
  const items = (await (await call(user, `/${made.id}/input_items?order=asc`)).json()) as { data: object[] };
  expect(items.data).toMatchObject(input);
  const counted = (await (await call(user, "/input_tokens", next)).json()) as { input_tokens: number };
  expect(counted.input_tokens).toBeGreaterThan(MIB / 8);
});

test("readers of one account's large content are refused with a time to come back, and counted; others go on", async () => {
  const user = await gateway.key();
  const sameAccount = await gateway.key();
  const other = await gateway.server.user();
  const input = [message("the fox runs on ".repeat(MIB / 8))];
  const ids = new Map<TestUser, string>();
  for (const key of [user, sameAccount]) ids.set(key, (await stored(key, input)).id);
  const before = await refusals();
  const readers = Array.from({ length: AT_ONCE }, (_, at) => (at % 2 === 0 ? user : sameAccount));
  const reading = readers.map((key) => call(key, `/${ids.get(key)}`));
  const [bystander, ...replies] = await Promise.all([small(other), ...reading]);
  // A crowded machine may be overloaded as a whole, but the other account does not wait for a turn.
  expect(bystander.status === 200 || bystander.text.includes("overloaded")).toBe(true);
  expect(bystander.text).not.toContain("large content");
  const refused = replies.filter(({ status }) => status === 503);
  expect(replies.filter(({ status }) => status === 200).length + refused.length).toBe(AT_ONCE);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(AT_ONCE);
  for (const { headers } of refused) expect(headers.get("retry-after")).toMatch(/^[1-3]$/);
  expect((await refusals()) - before).toBe(refused.length);
});

/** A response that is stored; on a crowded machine that may come too late. */
async function stored(user: TestUser, input: object[]) {
  for (;;) {
    const made = await node.ask(gateway.server, user, { model: "on-chat", input });
    if (made.response.store === true) return made;
  }
}

function message(content: string): object {
  return { type: "message", role: "user", content };
}

function call(user: TestUser, path: string, body?: object): Promise<Response> {
  return fetch(`${gateway.server.url}/v1/responses${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** One small call. */
async function small(user: TestUser): Promise<{ status: number; text: string }> {
  const body = { model: "on-chat", input: "Hello" };
  const reply = await gateway.server.gateway("/v1/responses", user.key, body);
  return { status: reply.status, text: await reply.text() };
}

/** Refusals of bulk work since the start. */
async function refusals(): Promise<number> {
  const text = await (await fetch(`${gateway.server.url}/metrics`)).text();
  return Number(/^tollgate_unrecorded_refusals_total\{reason="bulk"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
