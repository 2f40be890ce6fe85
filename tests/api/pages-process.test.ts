import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SignedUp, signUp } from "../support/account-server";
import { signInBrowser } from "../support/browser";
import { eventually } from "../support/gateway-fixtures";
import { childrenOf, isAlive } from "../support/processes";
import { rawCall } from "../support/raw-http";
import { discardServer, startServer, type TestServer } from "../support/server";
import { forEachServerDatabase } from "../support/server-databases";

/** The one pages process of a server. */
function pagesOf(server: TestServer): Promise<number> {
  return eventually(async () => childrenOf(server.pid, "dist/pages.js")[0] ?? null);
}

await forEachServerDatabase(
  (database) => {
    let server: TestServer;
    // A server that starts elsewhere removes what this one has left behind, if it finds it.
    const ownDirectory = mkdtempSync(path.join(tmpdir(), "pages-"));
    beforeAll(async () => {
      server = await startServer({
        database,
        env: {
          TMPDIR: ownDirectory,
          DEMO_PROVIDER: "1",
          TRUST_PROXY: "1",
          LOGIN_PER_IP_PER_MINUTE: "3",
          AUTH_SECRET: "a-secret-of-the-gateway-process-alone",
        },
      });
    });
    afterAll(async () => {
      await discardServer(server);
      rmSync(ownDirectory, { recursive: true });
    });

    const page = (pathname: string, headers: Record<string, string> = {}) =>
      rawCall(server.url, { method: "GET", path: pathname, headers });

    /** An account with a session in a browser, on whose console page it stands. */
    async function inConsole(): Promise<SignedUp & { cookie: string }> {
      const account = await signUp(server);
      const { cookie } = await signInBrowser(server.url, account.token);
      const { status, body } = await page("/console", { cookie });
      expect([status, body.includes(account.username)]).toEqual([200, true]);
      return { ...account, cookie };
    }

    async function expectLogin(cookie: string): Promise<void> {
      const ways: Record<string, string>[] = [{ cookie }, { cookie, RSC: "1" }];
      for (const headers of ways) {
        const { status, headers: answered } = await page("/console/keys", headers);
        expect(status).toBe(307);
        expect(answered.location).toMatch(/^\/(login|console\/keys\?_rsc)/);
      }
    }

    /** Source: docs/reliability.md#s3-5. */
    describe("a page of an account", () => {
      test("is shown after the sign-in and not before", async () => {
        await expectLogin("tollgate-session=nonsense");
        await inConsole();
      });

      test("ends at its next render when all sessions are ended", async () => {
        const { token, cookie } = await inConsole();
        await server.api("POST", "/api/user/self/logout-everywhere", token);
        await expectLogin(cookie);
      });

      test("ends at its next render when the account is suspended", async () => {
        const { id, cookie } = await inConsole();
        const admin = await server.adminToken();
        const { status } = await server.api("PATCH", `/api/admin/users/${id}`, admin, {
          status: "suspended",
        });
        expect(status).toBe(200);
        await expectLogin(cookie);
      });

      test("is not shown for a bearer token", async () => {
        const { token } = await signUp(server);
        const { status } = await page("/console", { authorization: `Bearer ${token}` });
        expect(status).toBe(307);
      });
    });

    /** Source: docs/reliability.md#s3-4. */
    describe("sign-ins per address", () => {
      /** The status of a failed sign-in from an address, as the proxy in front tells it. */
      async function attempt(from: string, forged?: string): Promise<number> {
        const { status } = await rawCall(server.url, {
          path: "/api/user/login",
          headers: {
            "content-type": "application/json",
            "x-forwarded-for": from,
            ...(forged === undefined ? {} : { "x-tollgate-client-ip": forged }),
          },
          pieces: [
            JSON.stringify({ username: `nobody${Math.random()}`.replace(".", ""), password: "wrong-one" }),
          ],
        });
        return status;
      }

      test("are counted by the real address, whatever a client says it is", async () => {
        const statuses = [];
        for (let at = 0; at < 4; at += 1) statuses.push(await attempt("192.0.2.1", `198.51.100.${at}`));
        expect(statuses).toEqual([401, 401, 401, 429]);
        expect(await attempt("192.0.2.2", "192.0.2.1")).toBe(401);
      });

      test("are not used up by pages", async () => {
        const { cookie } = await inConsole();
        for (let at = 0; at < 10; at += 1) {
          const { status } = await page("/console", { cookie, "x-forwarded-for": "192.0.2.3" });
          expect(status).toBe(200);
        }
        expect(await attempt("192.0.2.3")).toBe(401);
      });
    });

    /** Source: docs/architecture.md#s1-1. */
    describe("the pages process", () => {
      test("has no secret, no setting of the database and no file of the data directory", async () => {
        const pages = await pagesOf(server);
        const environment = readFileSync(`/proc/${pages}/environ`, "utf8");
        const names = environment.split("\0").map((entry) => entry.split("=", 1)[0]);
        for (const name of ["AUTH_SECRET", "DATABASE_URL", "DATA_DIR", "INIT_ADMIN_PASSWORD"])
          expect(names).not.toContain(name);
        const open = readdirSync(`/proc/${pages}/fd`).map((fd) => linkOf(`/proc/${pages}/fd/${fd}`));
        expect(open.filter((file) => file.startsWith(path.resolve(server.env.DATA_DIR ?? "")))).toEqual([]);
      });

      test("is reached by sockets that nobody else can open", async () => {
        const directory = await socketsOf(server);
        expect(statSync(directory).mode & 0o777).toBe(0o700);
        expect(statSync(path.join(directory, "reads.sock")).mode & 0o777).toBe(0o600);
      });

      test("ends with a gateway process that is killed; the next start removes what is left", async () => {
        const pages = await pagesOf(server);
        const directory = await socketsOf(server);
        await server.stop("SIGKILL");
        await eventually(async () => (isAlive(pages) ? null : true));
        expect(existsSync(directory)).toBe(true);
        await server.start();
        expect((await page("/login")).status).toBe(200);
        expect(existsSync(directory)).toBe(false);
      });

      test("ends with an orderly stop, and leaves nothing", async () => {
        const pages = await pagesOf(server);
        const directory = await socketsOf(server);
        expect(await server.stop("SIGTERM")).toBe(0);
        expect([isAlive(pages), existsSync(directory)]).toEqual([false, false]);
        await server.start();
      });

      test("does not end by the signals that a terminal sends to both", async () => {
        const pages = await pagesOf(server);
        expect((await page("/login")).status).toBe(200);
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pages, signal);
        expect((await page("/login")).status).toBe(200);
        expect(await pagesOf(server)).toBe(pages);
      });
    });
  },
  { shortly: true },
);

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return ""; // closed in the meantime
  }
}

/** The directory of a server's sockets, which its pages process knows. */
async function socketsOf(server: TestServer): Promise<string> {
  const environment = readFileSync(`/proc/${await pagesOf(server)}/environ`, "utf8");
  return path.dirname(/TOLLGATE_READS_SOCKET=([^\0]+)/.exec(environment)?.[1] ?? "");
}
