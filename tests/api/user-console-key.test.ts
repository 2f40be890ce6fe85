import { afterAll, beforeAll, expect, test } from "vitest";
import { keyRecord } from "@/lib/api/schemas/keys";
import { type SignedUp, signUp } from "../support/account-server";
import { signInBrowser } from "../support/browser";
import { discardServer, startServer, type TestServer } from "../support/server";
import { forEachServerDatabase } from "../support/server-databases";

const PATH = "/api/user/console-key";

/** Source: docs/reliability.md#s3-1b. */
await forEachServerDatabase(
  (database) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer({ database, env: { DEMO_PROVIDER: "1" } });
    });
    afterAll(() => discardServer(server));

    interface Issued {
      apiKey: { id: string; keyPrefix: string; name: string; expiresAt: string };
      key: string;
    }

    async function browser(): Promise<SignedUp & { cookie: string }> {
      const account = await signUp(server);
      return { ...account, cookie: (await signInBrowser(server.url, account.token)).cookie };
    }

    const post = (headers: Record<string, string>) => fetch(server.url + PATH, { method: "POST", headers });

    async function issue(cookie: string): Promise<Issued> {
      const response = await post({ cookie, origin: server.url });
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      return (await response.json()) as Issued;
    }

    const models = async (key: string) => (await server.gateway("/v1/models", key)).status;

    test("every call of every browser gets the same key until it ends, and the key opens the model API", async () => {
      const first = await browser();
      const { apiKey, key } = await issue(first.cookie);
      expect(key).toMatch(/^tgw-[0-9A-Za-z]{46}$/);
      expect(key.startsWith(apiKey.keyPrefix)).toBe(true);
      const hours = (Date.parse(apiKey.expiresAt) - Date.now()) / 3_600_000;
      expect(hours).toBeGreaterThan(11.9);
      expect(hours).toBeLessThan(12.1);
      const second = (await signInBrowser(server.url, first.token)).cookie;
      const again = await Promise.all([first.cookie, second, first.cookie].map(issue));
      for (const each of again) expect(each).toEqual({ apiKey, key });
      expect(await models(key)).toBe(200);
      const other = await issue((await browser()).cookie);
      expect(other.key).not.toBe(key);
    });

    /** Source: docs/reliability.md#s3-6. */
    test("a browser session gets nothing for the form of a page, here and where a session is ended", async () => {
      const { cookie, token } = await browser();
      const own = { cookie, origin: server.url };
      const send = (path: string, headers: Record<string, string>, body?: string) =>
        fetch(server.url + path, { method: "POST", headers, ...(body === undefined ? {} : { body }) });
      const logout = "/api/user/self/logout-everywhere";
      for (const path of [PATH, logout]) {
        const forms = [
          await send(path, { ...own, "content-type": "text/plain" }, "a=b"),
          await send(path, { ...own, "content-type": "application/x-www-form-urlencoded" }),
        ];
        for (const { status } of forms) expect([path, status]).toEqual([path, 415]);
      }
      expect((await send(PATH, { ...own, "content-type": "application/json" }, "{}")).status).toBe(200);
      expect((await send(PATH, own)).status).toBe(200);
      const bearer = { authorization: `Bearer ${token}`, "content-type": "text/plain" };
      expect((await send(logout, bearer, "a=b")).status).toBe(204);
    });

    test("calls that come first at once get one key", async () => {
      const { cookie } = await browser();
      const issued = await Promise.all(Array.from({ length: 8 }, () => issue(cookie)));
      expect(new Set(issued.map(({ key }) => key)).size).toBe(1);
    });

    test("only a cookie session of the own origin gets it", async () => {
      const { cookie, token } = await browser();
      const { key } = await issue(cookie);
      const refused: [Record<string, string>, number][] = [
        [{}, 401],
        [{ authorization: `Bearer ${key}` }, 401],
        [{ authorization: `Bearer ${token}` }, 403],
        [{ authorization: `Bearer ${token}`, cookie, origin: server.url }, 403],
        [{ cookie }, 403],
        [{ cookie, origin: "https://evil.example" }, 403],
        [{ cookie, origin: server.url, "sec-fetch-site": "cross-site" }, 403],
      ];
      for (const [headers, expected] of refused) {
        const response = await post(headers);
        expect([response.status, (await response.text()).includes("tgw-")]).toEqual([expected, false]);
      }
    });

    test("no list has it, nobody changes or deletes it, and its record has no secret", async () => {
      const { cookie, token } = await browser();
      expect((await server.api("GET", PATH, token)).body).toEqual({ apiKey: null });
      const { apiKey, key } = await issue(cookie);
      expect((await server.api("GET", "/api/user/tokens", token)).body).toMatchObject({ data: [], total: 0 });
      const record = await server.api<{ apiKey: unknown }>("GET", PATH, token);
      expect(keyRecord.parse(record.body.apiKey)).toEqual(apiKey);
      expect(JSON.stringify(record.body)).not.toContain(key.slice(12));
      const one = `/api/user/tokens/${apiKey.id}`;
      expect((await server.api("PATCH", one, token, { quota: 1 })).status).toBe(409);
      expect((await server.api("DELETE", one, token)).status).toBe(409);
      expect(await models(key)).toBe(200);
    });

    test("ends with all sessions; the next one is another key in the same record", async () => {
      const { cookie, token, username, password } = await browser();
      const { apiKey, key } = await issue(cookie);
      expect(await models(key)).toBe(200);
      expect((await server.api("POST", "/api/user/self/logout-everywhere", token)).status).toBe(204);
      expect(await models(key)).toBe(401);
      const login = await server.api<{ token: string }>("POST", "/api/user/login", undefined, {
        username,
        password,
      });
      const fresh = await issue((await signInBrowser(server.url, login.body.token)).cookie);
      expect([fresh.apiKey.id, fresh.key === key]).toEqual([apiKey.id, false]);
      expect([await models(key), await models(fresh.key)]).toEqual([401, 200]);
      const change = { currentPassword: password, newPassword: "another-password" };
      expect((await server.api("POST", "/api/user/self/password", login.body.token, change)).status).toBe(
        200,
      );
      expect(await models(fresh.key)).toBe(401);
    });

    test("ends with a suspension, and stays ended when the account is active again", async () => {
      const { cookie, id, username, password } = await browser();
      const { key } = await issue(cookie);
      const admin = await server.adminToken();
      const setStatus = (status: string) => server.api("PATCH", `/api/admin/users/${id}`, admin, { status });
      expect((await setStatus("suspended")).status).toBe(200);
      expect(await models(key)).toBe(401);
      expect((await setStatus("active")).status).toBe(200);
      expect(await models(key)).toBe(401);
      const login = await server.api<{ token: string }>("POST", "/api/user/login", undefined, {
        username,
        password,
      });
      const fresh = await issue((await signInBrowser(server.url, login.body.token)).cookie);
      expect([fresh.key === key, await models(fresh.key)]).toEqual([false, 200]);
    });

    test("nothing of Responses is stored for it", async () => {
      const { cookie } = await browser();
      const { key } = await issue(cookie);
      const send = (body: object) =>
        fetch(`${server.url}/v1/responses`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ model: "demo-chat", max_output_tokens: 20, ...body }),
        });
      const answer = await send({ input: "Hello", store: true });
      const body = (await answer.json()) as { id: string; store: boolean };
      expect([answer.status, body.store]).toEqual([200, false]);
      expect((await server.gateway(`/v1/responses/${body.id}`, key)).status).toBe(404);
      expect((await send({ input: "And?", previous_response_id: body.id })).status).toBe(400);
    });
  },
  { shortly: true },
);
