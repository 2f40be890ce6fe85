import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually, fresh, gatewayFor, keyMoney, logEntries, reconcile } from "../support/gateway-fixtures";
import { HeldNode } from "../support/held-node";
import { SayingNode } from "../support/saying-node";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";
import { openSocket } from "../support/socket-client";

const saying = new SayingNode();
const held = new HeldNode();
let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, call) =>
    (call.path.startsWith("/held") ? held : saying).answer(response, call),
  );
});
afterAll(() => upstream?.close());
beforeEach(() => held.reset());

const gateway = gatewayFor({
  nodes: () => [
    { name: "c1", baseUrl: `${upstream?.url}/c1` },
    { name: "r1", protocol: "responses", baseUrl: `${upstream?.url}/r1` },
    { name: "held", baseUrl: `${upstream?.url}/held` },
  ],
  models: [
    { alias: "on-chat", routes: [["c1", "up"]] },
    { alias: "on-responses", routes: [["r1", "up"]] },
    { alias: "held", routes: [["held", "up"]] },
  ],
  plans: [
    { id: 1, name: "Unlimited", qps: null, rpm: null, tpm: null, keyQuotaCents: 1e9, selfService: true },
    { id: 2, name: "Two", qps: null, rpm: 2, tpm: null, keyQuotaCents: 1e9, selfService: true },
  ],
});

const open = (user: TestUser) => openSocket(gateway.server.url, user.key);
const lastAsked = () => upstream?.calls.at(-1)?.body ?? "";
const entriesOf = async (user: TestUser) =>
  (await logEntries(gateway.server, user)).filter(({ tokenId }) => tokenId === user.keyId);

/** Source: docs/websocket.md#state. */
describe.each(["on-chat", "on-responses"])("a response %s", (model) => {
  test("with store: false goes on on its socket, and is unknown on every other", async () => {
    const user = await gateway.key();
    const socket = await open(user);
    const words = [fresh("word"), fresh("word"), fresh("word")];
    let previous: string | undefined;
    for (const word of words) {
      const body = { model, input: word, store: false, ...(previous && { previous_response_id: previous }) };
      const last = await socket.turn(body);
      expect(last).toMatchObject({ type: "response.completed", response: { store: false } });
      expect(last.response?.previous_response_id ?? null).toBe(previous ?? null);
      previous = last.response?.id;
    }
    for (const word of words) expect(lastAsked()).toContain(word);
    expect(lastAsked()).not.toContain("previous_response_id");
    const other = await open(user);
    for (const unknown of [previous, "resp_unknown"])
      expect(await other.turn({ model, input: "Hi", previous_response_id: unknown })).toMatchObject({
        type: "error",
        status: 400,
        error: { code: "previous_response_not_found", param: "previous_response_id" },
      });
    await Promise.all([socket.close(), other.close()]);
  });

  test("that is stored goes on over HTTP and on other sockets, whole", async () => {
    const user = await gateway.key();
    const [socket, other] = await Promise.all([open(user), open(user)]);
    const words = [fresh("word"), fresh("word"), fresh("word"), fresh("word")];
    const unstored = await socket.turn({ model, input: words[0], store: false });
    const first = await socket.turn({ model, input: words[1], previous_response_id: unstored.response?.id });
    expect(first.response?.store).toBe(true);
    const second = await socket.turn({ model, input: words[2], previous_response_id: first.response?.id });
    const { id } = await saying.ask(gateway.server, user, {
      model,
      input: words[3],
      previous_response_id: second.response?.id,
    });
    for (const word of words) expect(lastAsked().split(word)).toHaveLength(2);
    await other.turn({ model, input: "And?", previous_response_id: id });
    for (const word of words) expect(lastAsked().split(word)).toHaveLength(2);
    await Promise.all([socket.close(), other.close()]);
  });

  test("forks into lanes, which run at once", async () => {
    const user = await gateway.key();
    const socket = await open(user);
    const word = fresh("word");
    const base = await socket.turn({ model, input: word, store: false, stream_id: "a" });
    const previous_response_id = base.response?.id;
    const fork = (stream_id: string) =>
      socket.turn({ model, input: stream_id, store: false, stream_id, previous_response_id });
    const forks = await Promise.all([fork("a"), fork("b")]);
    expect(forks.map(({ type, stream_id }) => [type, stream_id])).toEqual([
      ["response.completed", "a"],
      ["response.completed", "b"],
    ]);
    expect(lastAsked()).toContain(word);
    await socket.close();
  });
});

/** Source: docs/websocket.md#prepared. */
describe("a request that only prepares later ones", () => {
  test("asks no node, costs nothing, is not logged, and can be gone on from", async () => {
    const user = await gateway.key();
    const socket = await open(user);
    const calls = upstream?.calls.length ?? 0;
    const word = fresh("word");
    const prepared = await socket.turn({ model: "on-chat", input: word, store: false, generate: false });
    expect(prepared).toMatchObject({
      type: "response.completed",
      response: {
        status: "completed",
        output: [],
        model: "on-chat",
        usage: { input_tokens: 0, total_tokens: 0 },
      },
    });
    expect(socket.events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.completed",
    ]);
    expect(upstream?.calls.length).toBe(calls);
    const last = await socket.turn({
      model: "on-chat",
      input: "Now.",
      store: false,
      previous_response_id: prepared.response?.id,
    });
    expect(last.type).toBe("response.completed");
    expect(lastAsked()).toContain(word);
    expect(await entriesOf(user)).toHaveLength(1);
    await socket.close();
  });

  test("is checked like any other and counts as one request", async () => {
    const user = await gateway.key({ planId: 2 });
    const socket = await open(user);
    const prepare = (fields: object) => socket.turn({ generate: false, ...fields });
    expect((await prepare({ model: "none", input: "Hi" })).status).toBe(404);
    expect((await prepare({ model: "on-chat", input: 7 })).error?.param).toBe("input");
    expect(await prepare({ model: "on-chat", input: "x", previous_response_id: "resp_x" })).toMatchObject({
      error: { code: "previous_response_not_found" },
    });
    expect((await prepare({ model: "on-chat", input: "Hi" })).error?.code).toBe("rate_limit_exceeded");
    expect((await keyMoney(gateway.server, user)).held).toBe(0);
    await socket.close();
  });
});

/** Source: docs/websocket.md#lanes. */
describe("lanes", () => {
  test("of one name take turns, those of others run at once, eight of them", async () => {
    const user = await gateway.key();
    const socket = await open(user);
    for (let lane = 0; lane < 9; lane += 1)
      socket.create({ model: "held", input: `lane ${lane}`, stream_id: `lane-${lane}` });
    socket.create({ model: "held", input: "second", stream_id: "lane-0" });
    const [first] = await held.came(8);
    expect(held.calls.map(({ text }) => text).sort()).toEqual(
      Array.from({ length: 8 }, (_, lane) => `lane ${lane}`),
    );
    first?.finish();
    await held.came(9);
    expect(held.calls[8]?.text).toBe("lane 8");
    for (const call of held.calls.slice(1)) call.finish();
    await held.came(10);
    expect(held.calls[9]?.text).toBe("second");
    held.calls[9]?.finish();
    for (let ended = 0; ended < 10; ended += 1)
      await socket.next(({ type }) => type === "response.completed");
    // The events of each response are its lane's alone, in order.
    const lanes = new Map<unknown, number[]>();
    for (const { stream_id, sequence_number = -1 } of socket.events)
      lanes.set(stream_id, [...(lanes.get(stream_id) ?? []), sequence_number]);
    for (const [lane, numbers] of lanes)
      if (lane !== "lane-0") expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(await entriesOf(user)).toHaveLength(10);
    await socket.close();
  });

  test("hold four waiting requests each; a fifth is a 429 at once", async () => {
    const socket = await open(await gateway.key());
    for (let turn = 0; turn < 6; turn += 1) socket.create({ model: "held", input: `turn ${turn}` });
    const refused = await socket.next(({ type }) => type === "error");
    expect(refused).toMatchObject({ status: 429, error: { code: "too_many_pending_responses" } });
    for (let turn = 0; turn < 5; turn += 1) (await held.came(turn + 1))[turn]?.finish();
    for (let turn = 0; turn < 5; turn += 1) await socket.next(({ type }) => type === "response.completed");
    await socket.close();
  });
});

/** Source: docs/websocket.md#closes. */
describe("a client that leaves in the middle of turns", () => {
  test.each(["terminate", "close"] as const)(
    "(%s) cancels them upstream and pays what it saw",
    async (way) => {
      const user = await gateway.key();
      const socket = await open(user);
      socket.create({ model: "held", input: "one", stream_id: "1" });
      socket.create({ model: "held", input: "two", stream_id: "2" });
      socket.create({ model: "held", input: "never", stream_id: "2" });
      const calls = await held.came(2);
      await socket.next(({ delta, stream_id }) => delta !== undefined && stream_id === "2");
      socket.socket[way]();
      await Promise.all(calls.map(({ left }) => left));
      const entries = await eventually(async () => {
        const found = await entriesOf(user);
        return found.length === 2 ? found : null;
      });
      expect(entries.map(({ status, httpStatus }) => [status, httpStatus])).toEqual([
        ["cancelled", 499],
        ["cancelled", 499],
      ]);
      expect(held.calls).toHaveLength(2);
      expect((await keyMoney(gateway.server, user)).held).toBe(0);
      expect(await reconcile(gateway.server)).toMatchObject({ ok: true, mismatches: [] });
    },
  );
});

/** Source: docs/websocket.md#keys. */
describe("a key that is disabled", () => {
  const disable = (user: TestUser) =>
    gateway.server.api("PATCH", `/api/user/tokens/${user.keyId}`, user.token, { status: "disabled" });

  test("is refused at the next turn", async () => {
    const user = await gateway.key();
    const socket = await open(user);
    expect((await socket.turn({ model: "on-chat", input: "Hi" })).type).toBe("response.completed");
    expect((await disable(user)).status).toBe(200);
    expect(await socket.turn({ model: "on-chat", input: "Hi" })).toMatchObject({
      type: "error",
      status: 401,
      error: { code: "invalid_api_key" },
    });
    expect(await socket.closed).toBe(1008);
  });

  test("closes its idle sockets within seconds, and those with a turn after it", {
    timeout: 30_000,
  }, async () => {
    const user = await gateway.key();
    const [idle, busy] = await Promise.all([open(user), open(user)]);
    busy.create({ model: "held", input: "one" });
    const [call] = await held.came(1);
    await disable(user);
    const began = performance.now();
    expect(await idle.closed).toBe(1008);
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(idle.events).toMatchObject([{ type: "error", status: 401 }]);
    busy.create({ model: "held", input: "two", stream_id: "x" });
    expect(await busy.next(({ stream_id }) => stream_id === "x")).toMatchObject({
      type: "error",
      status: 401,
    });
    call?.finish();
    await busy.next(({ type }) => type === "response.completed");
    expect(await busy.closed).toBe(1008);
  });
});
