import { describe, expect, test } from "vitest";
import { chatBody, gatewayFor, logEntry, type ModelSpec, requestIdOf } from "../support/gateway-fixtures";
import { expectFetchRefusal } from "../support/v1-refusal";

const aliases = ["alpha", "beta.1", "claude-main", "vendor/model:free", "zeta"];
const listed = aliases.map((alias) => ({
  alias,
  routes: [["chat", "sim-usage-10-5"]] as [string, string][],
  ...(alias === "claude-main"
    ? {
        alsoKnownAs: ["claude-sonnet-*", "beta.2"],
        displayName: "Claude",
        contextWindow: 200_000,
        maxOutputTokens: 64_000,
      }
    : {}),
}));
const asleep: ModelSpec = { alias: "asleep", alsoKnownAs: ["dozing", "nap-*"], routes: [["off", "sim-a"]] };
const gateway = gatewayFor({ nodes: [{ name: "off", enabled: false }], models: [...listed, asleep] });

interface Models {
  object: string;
  data: { id: string; object: string; owned_by: string }[];
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
}

async function list(query = "", fields: Record<string, unknown> = {}): Promise<Models> {
  const { key } = await gateway.key(fields);
  const answer = await gateway.server.gateway(`/v1/models${query}`, key);
  expect(answer.status).toBe(200);
  return answer.json();
}

describe("the list of models", () => {
  /** Source: docs/reliability.md#r-130. */
  test("has the envelope and entries of the specification, in one order", async () => {
    const models = await list();
    expect(models).toMatchObject({ object: "list", has_more: false });
    expect(models.data.map(({ id }) => id).toSorted()).toEqual(aliases);
    for (const model of models.data)
      expect(model).toMatchObject({ object: "model", owned_by: "tollgate", type: "model" });
    expect((await list()).data.map(({ id }) => id)).toEqual(models.data.map(({ id }) => id));
    expect(models.data.find(({ id }) => id === "claude-main")).toMatchObject({
      display_name: "Claude",
      max_input_tokens: 200_000,
      max_tokens: 64_000,
    });
  });

  /** Source: docs/contract.md#model-entry. */
  test("tells of each model what it is known to support, and what it costs", async () => {
    const [first] = (await list()).data;
    expect(first).toMatchObject({
      capabilities: null,
      supports: expect.any(Array),
      protocols: ["chat"],
      pricing: { unit: "cents_per_million_tokens", input: expect.any(Number), output: expect.any(Number) },
    });
  });

  test("is asked for when a name is mistyped, which is answered with the nearest that the key may use", async () => {
    const { server } = gateway;
    const { key } = await gateway.key();
    const { key: narrow } = await gateway.key({ models: ["zeta"] });
    const messageOf = async (name: string, of: string) => {
      const answer = await server.gateway("/v1/chat/completions", of, chatBody(name));
      expect(answer.status).toBe(404);
      return ((await answer.json()) as { error: { message: string } }).error.message;
    };
    expect(await messageOf("alpa", key)).toContain('Did you mean "alpha"?');
    expect(await messageOf("Claude_Main", key)).toContain('Did you mean "claude-main"?');
    expect(await messageOf("alpa", narrow)).not.toContain("Did you mean");
    expect(await messageOf("gpt-5", key)).not.toContain("Did you mean");
    const one = await server.gateway("/v1/models/alpa", key);
    expect(await one.text()).toContain("Did you mean");
  });

  test("holds only what the key may use", async () => {
    const models = await list("", { models: ["alpha", "vendor/model:free"] });
    expect(models.data.map(({ id }) => id).toSorted()).toEqual(["alpha", "vendor/model:free"]);
  });

  test("is paged as both SDKs page, forwards and backwards, without a gap", async () => {
    const all = (await list()).data.map(({ id }) => id);
    const seen: string[] = [];
    for (let after = ""; ; ) {
      const page = await list(`?limit=2${after}&purpose=unknown`);
      seen.push(...page.data.map(({ id }) => id));
      expect(page.first_id).toBe(page.data[0]?.id);
      expect(page.last_id).toBe(page.data.at(-1)?.id);
      if (!page.has_more) break;
      after = `&after_id=${encodeURIComponent(page.last_id ?? "")}`;
    }
    expect(seen).toEqual(all);
    const before = await list(`?limit=2&before_id=${encodeURIComponent(all[4] ?? "")}`);
    expect(before.data.map(({ id }) => id)).toEqual(all.slice(2, 4));
    expect(before.has_more).toBe(true);
    expect((await list("?limit=1000")).data).toHaveLength(5);
  });

  test.each(["0", "-1", "1.5", "1001", "x"])("is not paged by a limit of %s", async (limit) => {
    const { key } = await gateway.key();
    const answer = await gateway.server.gateway(`/v1/models?limit=${limit}`, key);
    expect((await expectFetchRefusal(answer, "/v1/models", "INVALID_REQUEST")).param).toBe("limit");
  });
});

describe("one model", () => {
  test.each(["alpha", "beta.1", "vendor/model:free", "vendor%2Fmodel%3Afree"])(
    "%s is found by its id",
    async (id) => {
      const { key } = await gateway.key();
      const answer = await gateway.server.gateway(`/v1/models/${id}`, key);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ id: decodeURIComponent(id), object: "model" });
    },
  );

  test("answers to its further names, exact ones before patterns, and generates under them", async () => {
    const { server } = gateway;
    const { key } = await gateway.key();
    for (const name of ["claude-sonnet-4-5", "beta.2"]) {
      expect(await (await server.gateway(`/v1/models/${name}`, key)).json()).toMatchObject({ id: name });
      const answer: { model: string } = await (
        await server.gateway("/v1/chat/completions", key, chatBody(name))
      ).json();
      expect(answer.model).toBe(name);
    }
  });

  /** Source: docs/reliability.md#r-130, #r-131. */
  test.each(["none", "ALPHA", "alpha ", "../alpha", "аlpha", "claude-sonnet"])(
    "%j is not found",
    async (id) => {
      const { key } = await gateway.key();
      const answer = await gateway.server.gateway(`/v1/models/${encodeURIComponent(id)}`, key);
      await expectFetchRefusal(answer, "/v1/models", "MODEL_NOT_FOUND");
      const asked = await gateway.server.gateway("/v1/messages", key, chatBody(id));
      const error = await expectFetchRefusal(asked, "/v1/messages", "MODEL_NOT_FOUND");
      expect(error.param).toBe("model");
    },
  );

  /** Source: docs/contract.md#b14. */
  test.each(["asleep", "dozing", "nap-1"])(
    "%s, all of whose nodes are disabled, is unavailable for now and not unknown; it is not listed",
    async (name) => {
      const { server } = gateway;
      const key = await gateway.key();
      for (const path of [
        "/v1/chat/completions",
        "/v1/messages",
        "/v1/messages/count_tokens",
        "/v1/models",
      ]) {
        const isLook = path === "/v1/models";
        const answer = await server.gateway(
          isLook ? `${path}/${name}` : path,
          key.key,
          isLook ? undefined : chatBody(name),
        );
        expect(Number(answer.headers.get("retry-after")), path).toBeGreaterThanOrEqual(1);
        const error = await expectFetchRefusal(answer, path, "NO_AVAILABLE_NODE");
        expect(error.message).toContain("All nodes are disabled of the model `asleep`");
        if (path !== "/v1/chat/completions") continue;
        expect(await logEntry(server, key, requestIdOf(answer))).toMatchObject({
          model: "asleep",
          cost: "0",
        });
      }
      const narrow = await gateway.key({ models: ["alpha"] });
      const forbidden = await server.gateway("/v1/messages", narrow.key, chatBody(name));
      await expectFetchRefusal(forbidden, "/v1/messages", "FORBIDDEN");
      expect((await list()).data.map(({ id }) => id)).not.toContain("asleep");
    },
  );

  /** Source: docs/reliability.md#r-130. */
  test("outside the key's list is forbidden to generate and hidden to look at; the log names the model", async () => {
    const { server } = gateway;
    const user = await gateway.key({ models: ["alpha"] });
    const { key } = user;
    for (const name of ["claude-main", "claude-sonnet-4-5"]) {
      const looked = await server.gateway(`/v1/models/${name}`, key);
      await expectFetchRefusal(looked, "/v1/models", "MODEL_NOT_FOUND");
      for (const path of ["/v1/chat/completions", "/v1/messages", "/v1/messages/count_tokens"]) {
        const asked = await server.gateway(path, key, chatBody(name));
        expect((await expectFetchRefusal(asked, path, "FORBIDDEN")).message).toContain("claude-main");
        if (path.endsWith("count_tokens")) continue;
        expect(await logEntry(server, user, requestIdOf(asked))).toMatchObject({
          model: "claude-main",
          errorCode: "FORBIDDEN",
          cost: "0",
        });
      }
    }
  });
});
