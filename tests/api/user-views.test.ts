import { expect, test } from "vitest";
import { savedViews } from "@/lib/api/schemas/saved-views";
import { accountServer, type Body, signUp } from "../support/account-server";

const server = accountServer();
const views = async (token: string) => {
  const { status, body } = await server().api("GET", "/api/user/views", token);
  expect(status).toBe(200);
  return savedViews.parse(body).views;
};
const save = (token: string, list: unknown, method = "PATCH") =>
  server().api<Body>(method, "/api/user/views", token, { views: list });
const view = (name: string, filters: Body = {}, list = "own") => ({ name, list, filters });

const everyFilter = {
  last: "24h",
  from: "2026-11-20T00:00:00.000Z",
  to: "2026-11-21T00:00:00.000Z",
  tokenId: "a",
  userId: "b",
  model: "demo-chat",
  status: "error",
  outcome: "failed",
  errorCode: "UPSTREAM_ERROR",
  operation: "generate",
  minLatencyMs: 10_000,
  minCost: "12.5",
  requestId: "c",
};

test("views are kept with the account, in their order, until they are replaced", async () => {
  const { token } = await signUp(server());
  expect(await views(token)).toEqual([]);
  const saved = [view("Zebra", everyFilter), view("Apple", { model: "demo-chat" }), view("Apple", {}, "all")];
  expect(await save(token, saved)).toMatchObject({ status: 200, body: { views: saved } });
  expect(await views(token)).toEqual(saved);
  expect((await save(token, [], "PUT")).status).toBe(200);
  expect(await views(token)).toEqual([]);
});

test("nobody sees or changes another account's views", async () => {
  const [owner, stranger] = [await signUp(server()), await signUp(server())];
  await save(owner.token, [view("Mine")]);
  expect(await views(stranger.token)).toEqual([]);
  await save(stranger.token, []);
  expect(await views(owner.token)).toEqual([view("Mine")]);
  expect((await server().api("GET", "/api/user/views")).status).toBe(401);
});

test("a deleted account leaves none", async () => {
  const owner = await signUp(server());
  await save(owner.token, [view("Mine")]);
  const { status } = await server().api("DELETE", "/api/user/self", owner.token, {
    password: owner.password,
  });
  expect(status).toBe(204);
});

test.each([
  ["more than twenty", Array.from({ length: 21 }, (_, index) => view(`View ${index}`))],
  ["a name twice in one list, without regard to case", [view("Slow"), view("slow")]],
  ["an empty name", [view("")]],
  ["a long name", [view("n".repeat(41))]],
  ["an unknown filter", [view("Mine", { colour: "red" })]],
  ["a filter that is not of its kind", [view("Mine", { minLatencyMs: "10" })]],
  ["a fraction of a micro-cent", [view("Mine", { minCost: "0.0000001" })]],
  ["an unknown list", [view("Mine", {}, "others")]],
  ["free JSON beside the view", [{ ...view("Mine"), note: {} }]],
  ["something that is no list", "Mine"],
])("views with %s are refused, and the stored ones stay", async (_what, list) => {
  const { token } = await signUp(server());
  await save(token, [view("Before")]);
  const { status, body } = await save(token, list);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { code: "INVALID_REQUEST" } });
  expect(await views(token)).toEqual([view("Before")]);
});

test.each(["outcome=lost", "minCost=-1", "minCost=1e3", "minCost=0.0000001", "minCost=1234567890123"])(
  "the log refuses ?%s",
  async (query) => {
    const { token } = await signUp(server());
    expect((await server().api("GET", `/api/user/logs?${query}`, token)).status).toBe(400);
  },
);
