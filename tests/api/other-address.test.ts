import { describe, expect, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { accountServer, freshName, signUp } from "../support/account-server";
import { signInBrowser } from "../support/browser";
import { rawCall } from "../support/raw-http";

const port = String(await freePort());
const PUBLIC_URL = `http://localhost:${port}`;
const server = accountServer({ env: { PUBLIC_URL, PORT: port } });

const send = (url: string, path: string, headers: Record<string, string>, body: unknown, method = "POST") =>
  rawCall(url, {
    method,
    path,
    headers: { "content-type": "application/json", ...headers },
    pieces: [JSON.stringify(body)],
  });
const told = (body: string) => JSON.parse(body).error as { code: string; reason: string; message: string };

/** Source: docs/contract.md#other-address, docs/reliability.md#s3-6. */
describe("where PUBLIC_URL is set", () => {
  test("a session changes things from its origin only, even when Origin and Host agree on another", async () => {
    const { token } = await signUp(server());
    const { cookie } = await signInBrowser(server().url, token);
    const change = async (headers: Record<string, string>) =>
      (await send(server().url, "/api/user/self", { cookie, ...headers }, { name: "x" }, "PATCH")).status;
    const foreign = { host: "evil.example", origin: "http://evil.example" };
    expect(await change(foreign)).toBe(403);
    expect(await change({ ...foreign, "sec-fetch-site": "same-origin" })).toBe(403);
    expect(await change({ origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` })).toBe(403);
    expect(await change({ host: "inside:3000", origin: PUBLIC_URL })).toBe(200);
    expect(await change({ origin: `https://localhost:${port}` })).toBe(200);
    expect(await change({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await change({ origin: "null", "sec-fetch-site": "same-origin" })).toBe(200);
  });

  test("a browser at another address is told where to sign in, before an account is made", async () => {
    const username = freshName();
    const body = { username, password: "secret-password" };
    const elsewhere = { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` };
    for (const path of ["/api/user/register", "/api/user/login", "/api/auth/callback/credentials"]) {
      const answer = await send(server().url, path, elsewhere, body);
      expect([path, answer.status, told(answer.body).reason]).toEqual([path, 403, "other_address"]);
      expect(told(answer.body).message).toContain(`Sign in at ${PUBLIC_URL},`);
    }
    const login = async (headers: Record<string, string>) =>
      (await send(server().url, "/api/user/login", headers, body)).status;
    expect((await send(server().url, "/api/user/register", { origin: PUBLIC_URL }, body)).status).toBe(201);
    expect([await login({}), await login({ origin: "chrome-extension://abc" })]).toEqual([200, 200]);
  });
});
