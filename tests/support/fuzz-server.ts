import { afterAll, beforeAll } from "vitest";
import { type Simulator, startSimulator } from "@/tools/simulator/server";
import { accountServer } from "./account-server";
import type { TestServer, TestUser } from "./server";

/** Whose credentials go with a request. */
export type As = "user" | "admin" | "key" | "nobody";

/** The position of a value in a request, marked by `?`; `%user` and the like are ids of the rig's records. */
export type Field = [as: As, method: string, path: string, body: string];

/** A server with one record of each kind, to fuzz their fields in the tests of a file. */
export interface FuzzServer {
  readonly server: TestServer;
  readonly user: TestUser;
  admin(): Promise<string>;
  /** Sends a body exactly as it is written. */
  send(as: As, method: string, path: string, body: string): Promise<{ status: number; text: string }>;
}

/** The rig of a test file, started before its first test. */
export function fuzzServer(): FuzzServer {
  const server = accountServer({ env: { ALLOW_PRIVATE_UPSTREAMS: "1" } });
  let upstream: Simulator;
  let user: TestUser;
  let ids: Record<string, string>;

  const admin = () => server().adminToken();

  async function make(path: string, body: unknown): Promise<string> {
    const { status, body: made } = await server().api<{ id: string }>(
      "POST",
      `/api/admin/${path}`,
      await admin(),
      body,
    );
    if (status !== 201) throw new Error(`${path} was not made: ${status} ${JSON.stringify(made)}`);
    return String(made.id);
  }

  beforeAll(async () => {
    upstream = await startSimulator({ port: 0 });
    const plan = await make("plans", { name: "Wide", qps: null, rpm: null, tpm: null, selfService: true });
    user = await server().user({ planId: Number(plan), quota: 500 });
    const self = await server().api<{ id: string }>("GET", "/api/user/self", user.token);
    const node = await make("nodes", {
      name: "odd",
      protocol: "chat",
      baseUrl: `${upstream.url}/v1`,
      apiKey: "sk-odd",
    });
    const model = await make("models", {
      alias: "odd",
      prices: { input: 100, output: 300 },
      routes: [{ node: "odd", model: "sim-usage-10-5" }],
    });
    ids = { user: self.body.id, node, model, plan, key: user.keyId };
  });
  afterAll(() => upstream.close());

  return {
    get server() {
      return server();
    },
    get user() {
      return user;
    },
    admin,
    async send(as, method, path, body) {
      const credential = {
        user: user.token,
        admin: as === "admin" ? await admin() : "",
        key: user.key,
        nobody: "",
      }[as];
      const response = await fetch(
        server().url + path.replace(/%(\w+)/g, (whole, name) => ids[name] ?? whole),
        {
          method,
          headers: {
            "content-type": "application/json",
            ...(as === "nobody" ? {} : { authorization: `Bearer ${credential}` }),
          },
          body,
        },
      );
      return { status: response.status, text: await response.text() };
    },
  };
}
