import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fresh, gatewayFor } from "../support/gateway-fixtures";
import { SayingNode } from "../support/saying-node";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";
import { discardServer, startServer, type TestServer, type TestUser } from "../support/server";

type Json = Record<string, unknown>;

const node = new SayingNode();
const upstreams: ScriptedUpstream[] = [];
beforeAll(async () => {
  for (let at = 0; at < 2; at += 1) upstreams.push(await startScriptedUpstream(node.answer));
});
afterAll(async () => {
  for (const upstream of upstreams) await upstream.close();
});

const gateway = gatewayFor({
  nodes: () => upstreams.map(({ url }, at) => ({ name: `c${at}`, baseUrl: url })),
  models: [
    {
      alias: "on-two",
      routes: [
        ["c0", "up"],
        ["c1", "up"],
      ],
    },
  ],
});

const ask = (user: TestUser, body: Json, headers: Record<string, string> = {}, server = gateway.server) =>
  node.ask(server, user, body, headers);

describe("a conversation stays on one node", () => {
  const nodesOf = (word: string) =>
    upstreams.map(({ calls }) => calls.filter(({ body }) => body.includes(word)).length > 0);

  test.each<[by: string, fields: (word: string) => Json, headers: (word: string) => Record<string, string>]>([
    ["prompt_cache_key", (word) => ({ prompt_cache_key: word }), () => ({})],
    ["the header session-id", () => ({}), (word) => ({ "session-id": word })],
  ])("by %s", async (_by, fields, headers) => {
    const user = await gateway.key();
    const word = fresh("session");
    for (let turn = 0; turn < 12; turn += 1)
      await ask(
        user,
        { model: "on-two", input: `${word} ${turn}`, store: false, ...fields(word) },
        headers(word),
      );
    expect(nodesOf(word).filter(Boolean)).toHaveLength(1);
  });

  test("by its chain, on another replica too", async () => {
    const replica = await startReplica();
    try {
      const user = await gateway.key();
      const word = fresh("chain");
      let previous: string | undefined;
      for (let turn = 0; turn < 12; turn += 1) {
        const fields = previous === undefined ? {} : { previous_response_id: previous };
        const input = turn === 0 ? word : fresh("turn");
        const instructions = fresh("instructions");
        const server = turn % 2 === 0 ? gateway.server : replica;
        previous = (await ask(user, { model: "on-two", input, instructions, ...fields }, {}, server)).id;
      }
      expect(nodesOf(word).filter(Boolean)).toHaveLength(1);
    } finally {
      await replica.stop();
    }
  });

  /** A second gateway on the same PostgreSQL. */
  async function startReplica(): Promise<TestServer> {
    const { DATABASE_URL, CONFIG_FILE, AUTH_SECRET, ENCRYPTION_KEY } = gateway.server.env;
    expect(DATABASE_URL).toBeDefined();
    const given = Object.entries({ DATABASE_URL, CONFIG_FILE, AUTH_SECRET, ENCRYPTION_KEY });
    const env = Object.fromEntries(
      given.filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return startServer({ env: { ...env, ACCEPT_NEW_KEYS: "1" } });
  }
});

describe("with RESPONSES_STORE_HOURS=0", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { RESPONSES_STORE_HOURS: "0" } });
  });
  afterAll(() => discardServer(server));

  test("answers say that they are not stored, and a reference names the switch", async () => {
    const user = await server.user();
    const made = await ask(user, { model: "demo-chat", input: "Hello", max_output_tokens: 50 }, {}, server);
    expect(made.response.store).toBe(false);
    const body = { model: "demo-chat", input: "x", previous_response_id: made.id };
    const refused = (await (await server.gateway("/v1/responses", user.key, body)).json()) as { error: Json };
    expect(refused.error).toMatchObject({ code: "previous_response_not_found" });
    expect(refused.error.message).toContain("RESPONSES_STORE_HOURS");
  });
});
