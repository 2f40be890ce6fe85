import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { type Simulator, startSimulator } from "@/tools/simulator/server";
import { accountServer, type Body } from "./account-server";

/** The key of every node that `makeNode` creates. */
export const UPSTREAM_KEY = "sk-upstream-canary-0123456789abcdef";

/** A unique name. */
export const fresh = (word: string) => `${word}-${randomBytes(4).toString("hex")}`;

/** A server and an upstream for the tests of a file that make nodes, models and plans. */
export function catalogRig() {
  const server = accountServer({ env: { ALLOW_PRIVATE_UPSTREAMS: "1" } });
  let upstream: Simulator;
  beforeAll(async () => {
    upstream = await startSimulator({ port: 0 });
  });
  afterAll(() => upstream.close());

  const admin = async <T = Body>(method: string, path: string, body?: unknown) =>
    server().api<T>(method, `/api/admin/${path}`, await server().adminToken(), body);
  const made = async (path: string, body: unknown) => {
    const answer = await admin<Record<string, string>>("POST", path, body);
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return answer.body;
  };
  const makeNode = (fields: Body = {}) =>
    made("nodes", {
      name: fresh("node"),
      protocol: "chat",
      baseUrl: `${upstream.url}/v1`,
      apiKey: UPSTREAM_KEY,
      ...fields,
    });
  const makeModel = (node: string | undefined, fields: Body = {}) =>
    made("models", {
      alias: fresh("model"),
      prices: { input: 100, output: 300 },
      routes: [{ node, model: "sim-usage-1000-1000" }],
      ...fields,
    });
  const call = (key: string, model: string | undefined) =>
    server().gateway("/v1/chat/completions", key, {
      model,
      max_tokens: 2000,
      messages: [{ role: "user", content: "Hello" }],
    });
  return { server, admin, made, makeNode, makeModel, call };
}
