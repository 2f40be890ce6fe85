import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import { compactionItem } from "@/lib/gateway/responses-state/caller-seal";
import { inOwnInput } from "@/lib/gateway/responses-state/in-own-input";
import { MAX_DEPTH } from "@/lib/gateway/responses-state/store";
import { invalid, isGatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { newRequestId } from "@/lib/kernel/request-id";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { asked, Client, NODE, ref, said } from "./responses-client";

await forEachDatabaseInAll((_kind, open) => {
  let database: Database;
  let user: Client;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() => {
    user = new Client(database);
  });

  describe("previous_response_id", () => {
    test("R-24: is found as soon as its answer is complete, with all that was said before it", async () => {
      const first = await user.turn({ input: "one" }, [said("msg_1", "first answer")]);
      const second = await user.turn({ input: [asked("two")], previous_response_id: first }, [
        said("msg_2", "second answer"),
      ]);
      const { request } = await user.resolve({ input: "three", previous_response_id: second });
      expect(request.body.input).toEqual([
        { type: "message", role: "user", content: "one" },
        said("msg_1", "first answer"),
        asked("two"),
        said("msg_2", "second answer"),
        { type: "message", role: "user", content: "three" },
      ]);
    });

    test("needs no input of its own", async () => {
      const first = await user.turn({ input: "one" }, [said("msg_1", "answer")]);
      const { request } = await user.resolve({ previous_response_id: first });
      expect(request.body.input).toHaveLength(2);
    });

    test("brings no instructions and no tools", async () => {
      const fields = { instructions: "Be brief.", tools: [{ type: "function", name: "f" }] };
      const first = await user.turn({ input: "one", ...fields }, []);
      const { request } = await user.resolve({ input: "two", previous_response_id: first });
      expect(request.body).not.toHaveProperty("instructions");
      expect(request.body).not.toHaveProperty("tools");
    });

    test("tells the node that has served the conversation", async () => {
      const first = await user.turn({ input: "one" }, []);
      expect((await user.resolve({ input: "two", previous_response_id: first })).nodeId).toBe(NODE);
    });

    test.each([
      ["of another key", async (by: Client) => by.other()],
      ["after the secret was rotated", async (by: Client) => by.rotated()],
      ["once it has expired", async (by: Client) => by.later(72 * 3_600_000)],
      ["in a partition that was dropped", async (by: Client) => by.dropped()],
    ])("%s is refused like one that was made up", async (_why, become) => {
      const real = await user.turn({ input: "one" }, [said("msg_1", "answer")]);
      const other = await become(user);
      const madeUp = `resp_${newRequestId().replaceAll("-", "")}`;
      const refusals = await Promise.all(
        [real, madeUp].map((id) => other.refusal({ input: "x", previous_response_id: id })),
      );
      expect(refusals.map(({ message }, at) => message.replace([real, madeUp][at] ?? "", "ID"))).toEqual(
        Array(2).fill(
          "There is no previous response `ID` for this key: it was not stored, or it has expired.",
        ),
      );
      for (const refusal of refusals) {
        expect(refusal.status).toBe(400);
        expect(refusal.details).toMatchObject({
          param: "previous_response_id",
          vendorCode: "previous_response_not_found",
        });
      }
    });

    test.each(["", "resp_", "resp_zz", "chatcmpl-1", "x".repeat(5_000)])("%j is refused", async (id) => {
      const { details } = await user.refusal({ input: "x", previous_response_id: id });
      expect(details.vendorCode).toBe("previous_response_not_found");
    });

    test(`goes on beyond ${MAX_DEPTH} responses without losing one`, async () => {
      let previous: string | null = null;
      for (let turn = 1; turn <= MAX_DEPTH + 2; turn += 1)
        previous = await user.turn({ input: `q${turn}`, previous_response_id: previous }, [
          said(`a${turn}`, "answer"),
        ]);
      const { request } = await user.resolve({ previous_response_id: previous });
      const items = request.body.input as JsonObject[];
      expect(items).toHaveLength(2 * (MAX_DEPTH + 2));
      expect(items.filter(({ role }) => role === "assistant").map(({ id }) => id)).toEqual(
        Array.from({ length: MAX_DEPTH + 2 }, (_, at) => `a${at + 1}`),
      );
    });

    test("of a conversation larger than a request may be is 413", async () => {
      const long = "x".repeat(60_000);
      const first = await user.turn({ input: long }, []);
      const second = await user.turn({ input: long, previous_response_id: first }, []);
      const refusal = await user.refusal({ input: "x", previous_response_id: second });
      expect(refusal.code).toBe("PAYLOAD_TOO_LARGE");
    });
  });

  describe("item_reference", () => {
    test("in the second step of the AI SDK's tool loop takes the place of its item", async () => {
      const text = said("msg_1", "I look it up.");
      const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: "{}" };
      await user.turn({ input: [asked("weather?")] }, [text, call]);
      const result = { type: "function_call_output", call_id: "c1", output: "sunny" };
      const { request, nodeId } = await user.resolve({
        input: [asked("weather?"), { type: "item_reference", id: "msg_1" }, { id: "fc_1" }, result],
      });
      expect(request.body.input).toEqual([asked("weather?"), text, call, result]);
      expect(request.source).toBeNull();
      expect(nodeId).toBe(NODE);
    });

    test.each([[{ id: "msg_1" }], [{ id: "msg_1", type: null }], [{ id: "msg_1", type: "item_reference" }]])(
      "%j is one",
      async (reference) => {
        await user.turn({ input: "one" }, [said("msg_1", "answer")]);
        const { request } = await user.resolve({ input: [reference] });
        expect(request.body.input).toEqual([said("msg_1", "answer")]);
      },
    );

    test("finds what earlier requests resolved, although only the newest is read", async () => {
      await user.turn({ input: [asked("one")] }, [said("msg_1", "first")]);
      await user.turn({ input: [asked("one"), ref("msg_1"), asked("two")] }, [said("msg_2", "second")]);
      const { request } = await user.resolve({ input: [ref("msg_1"), ref("msg_2"), ref("msg_1")] });
      expect(request.body.input).toEqual([
        said("msg_1", "first"),
        said("msg_2", "second"),
        said("msg_1", "first"),
      ]);
    });

    test("finds items of its own chain", async () => {
      const first = await user.turn({ input: "one" }, [said("msg_1", "answer")]);
      const { request } = await user.resolve({ previous_response_id: first, input: [ref("msg_1")] });
      expect(request.body.input).toHaveLength(3);
    });

    test.each([
      ["another key", async (by: Client) => by.other()],
      ["a rotated secret", async (by: Client) => by.rotated()],
      ["an expired row", async (by: Client) => by.later(72 * 3_600_000)],
    ])("of %s is refused with the reference's path", async (_why, become) => {
      await user.turn({ input: "one" }, [said("msg_1", "answer")]);
      const refusal = await (await become(user)).refusal({ input: [asked("x"), ref("msg_1")] });
      expect(refusal.status).toBe(400);
      expect(refusal.details).toMatchObject({
        param: "input[1].id",
        vendorCode: "previous_response_not_found",
      });
    });
  });

  describe("store", () => {
    test("false writes nothing, and its answer cannot be gone on from", async () => {
      const resolved = await user.resolve({ input: "one", store: false });
      expect(resolved.keeper).toBeNull();
      expect(await user.rows()).toBe(0);
    });

    test.each([undefined, null, true])("%s stores the answer", async (store) => {
      await user.turn({ input: "one", ...(store === undefined ? {} : { store }) }, []);
      expect(await user.rows()).toBe(1);
    });

    test("leaves a body without references byte for byte as it came", async () => {
      const body = { model: "alias", input: "one" };
      const { request } = await user.resolve(body);
      expect(request.body).toBe(user.lastBody);
      expect(request.source).not.toBeNull();
    });

    test("switched off writes nothing, says so to the client, and a reference names the switch", async () => {
      const off = user.withoutStore();
      const { request, keeper } = await off.resolve({ input: "one" });
      expect(keeper).toBeNull();
      expect(request.body.store).toBe(false);
      const madeUp = `resp_${"0".repeat(32)}`;
      for (const fields of [{ previous_response_id: madeUp }, { input: [ref("msg_1")] }]) {
        const refusal = await off.refusal(fields);
        expect(refusal.message).toContain("RESPONSES_STORE_HOURS");
        expect(refusal.details.vendorCode).toBe("previous_response_not_found");
      }
    });
  });

  test("two gateways on one database find each other's responses", async () => {
    const first = await user.turn({ input: "one" }, [said("msg_1", "answer")]);
    const replica = user.onAnotherGateway();
    const second = await replica.turn({ input: "two", previous_response_id: first }, []);
    const { request } = await user.resolve({ previous_response_id: second, input: [ref("msg_1")] });
    expect(request.body.input).toHaveLength(4);
  });
});

describe("a compaction item", () => {
  const user = new Client({ query: async () => [] });

  test("R-33: of ours is restored as the summary it holds", async () => {
    const item = compactionItem("cmp_1", "They talked about bread.", user.seal);
    expect(JSON.stringify(item)).not.toContain("bread");
    const { request } = await user.resolve({ input: [item, asked("go on")] });
    const [summary] = request.body.input as JsonObject[];
    expect(JSON.stringify(summary)).toContain("They talked about bread.");
    expect(summary).toMatchObject({ type: "message", role: "user" });
  });

  test("of ours for another key is refused with its path", async () => {
    const item = compactionItem("cmp_1", "secret", user.seal);
    const refusal = await user.other().refusal({ input: [asked("x"), item] });
    expect(refusal.details.param).toBe("input[1].encrypted_content");
  });

  test("of somebody else is left as it is", async () => {
    const item = { type: "compaction", id: "cmp_1", encrypted_content: "gAAAA" };
    const { request } = await user.resolve({ input: [item] });
    expect(request.body.input).toEqual([item]);
  });
});

describe("an error about a request with inherited items", () => {
  test.each([
    ["input[5].content[0].image_url", "input[2].content[0].image_url"],
    ["input[2].content", "previous_response_id"],
    ["tools[0].name", "tools[0].name"],
  ])("about %s names %s", (param, shown) => {
    const error = inOwnInput(invalid(param, `${param} must be text.`), 3);
    expect(isGatewayError(error) && error.details.param).toBe(shown);
    expect(isGatewayError(error) && error.message).toBe(`${shown} must be text.`);
  });

  test("says that a bound of the list holds for both together", () => {
    const error = inOwnInput(invalid("input", "input must have at most 10000 entries."), 9_998);
    const message =
      "input must have at most 10000 entries together with the 9998 that previous_response_id refers to.";
    expect(error).toMatchObject({ message, details: { param: "input", fields: { input: [message] } } });
  });
});
