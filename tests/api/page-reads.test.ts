import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runDirectory } from "../support/run-directory";

const SELF = {
  username: "reader",
  name: "",
  role: "user",
  status: "active",
  quota: "1000",
  usedExact: "0",
  createdAt: "2026-11-01T00:00:00.000Z",
};
const BOOTSTRAP = {
  publicUrl: "http://reads.example",
  allowRegistration: true,
  registration: "open",
  signupQuotaCents: 1_000,
  statusPage: false,
  name: "Tollgate",
  contact: null,
  announcements: [],
  models: [],
};

/** What the pages process asked of the gateway process. */
const reads: IncomingMessage[] = [];
let selfStatus: number;
let directory: string;
let gateway: Server;
let pages: ChildProcess;

beforeAll(async () => {
  directory = mkdtempSync(path.join(runDirectory(), "reads-"));
  gateway = createServer((asked, response) => {
    reads.push(asked);
    const path = (asked.url ?? "").split("?")[0];
    const self = path === "/api/user/self";
    const known = self || path === "/api/bootstrap";
    response.writeHead(self ? selfStatus : known ? 200 : 503, { "content-type": "application/json" });
    response.end(JSON.stringify(self ? SELF : BOOTSTRAP));
  });
  await new Promise<void>((resolve) => gateway.listen(path.join(directory, "reads.sock"), resolve));
  const { PATH } = process.env;
  pages = fork("dist/pages.js", {
    execArgv: [],
    env: {
      PATH,
      NODE_ENV: "production",
      TOLLGATE_PAGES_SOCKET: path.join(directory, "pages.sock"),
      TOLLGATE_READS_SOCKET: path.join(directory, "reads.sock"),
      __NEXT_PROCESSED_ENV: "true",
    },
  });
  await new Promise((resolve) => pages.once("message", resolve));
});
afterAll(() => {
  pages.kill("SIGKILL");
  gateway.close();
  gateway.closeAllConnections();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  reads.length = 0;
  selfStatus = 200;
});

function render(pathname: string, headers: Record<string, string> = {}) {
  const socketPath = path.join(directory, "pages.sock");
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request({ socketPath, path: pathname, headers }, (answer) => {
      let text = "";
      answer.on("data", (piece) => {
        text += piece;
      });
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.once("error", reject);
    asked.end();
  });
}

const asked = () => reads.map(({ url }) => url).sort();

/** Source: docs/architecture.md#s1-1. */
test.each(["/console/limits", "/console/billing", "/console/keys?status=disabled", "/"])(
  "a render of %s asks for the account once, for the public facts once, and in the console for announcements",
  async (pathname) => {
    const { status, text } = await render(pathname, { cookie: "tollgate-session=x" });
    expect([status, text.includes(BOOTSTRAP.publicUrl)]).toEqual([200, true]);
    const inConsole = pathname === "/" ? [] : ["/api/user/announcements"];
    expect(asked()).toEqual(["/api/bootstrap", ...inConsole, "/api/user/self"]);
  },
);

test("a list is sent with its first page", async () => {
  const { status } = await render("/console/keys", { cookie: "tollgate-session=x" });
  expect(status).toBe(200);
  expect(asked()).toEqual([
    "/api/bootstrap",
    "/api/user/announcements",
    "/api/user/self",
    "/api/user/tokens?page=1&pageSize=50",
  ]);
});

test("the overview is sent with its numbers; a read that fails is left to the browser", async () => {
  const cookie = "tollgate-session=x; tz=Asia%2FShanghai";
  const { status } = await render("/console", { cookie });
  expect(status).toBe(200);
  expect(asked()).toEqual([
    "/api/bootstrap",
    "/api/user/announcements",
    "/api/user/budgets?pageSize=5",
    "/api/user/logs?pageSize=5",
    "/api/user/models",
    "/api/user/self",
    "/api/user/stats?period=7d&tz=Asia%2FShanghai&groupBy=key",
    "/api/user/tokens?page=1&pageSize=100",
  ]);
});

test("with the reader's cookie, language and address, and nothing else of the request", async () => {
  await render("/console", {
    cookie: "tollgate-session=x",
    "accept-language": "zh-CN",
    "x-tollgate-client-ip": "192.0.2.7",
    authorization: "Bearer secret",
    "user-agent": "browser",
  });
  for (const { headers } of reads) {
    const { host: _host, connection: _connection, ...sent } = headers;
    expect(sent).toEqual({
      cookie: "tollgate-session=x",
      "accept-language": "zh-CN",
      "x-tollgate-client-ip": "192.0.2.7",
    });
  }
});

test("each render asks anew: an account that is refused in between sees the login", async () => {
  expect((await render("/console")).status).toBe(200);
  selfStatus = 401;
  expect((await render("/console")).status).toBe(307);
});

test("an answer that says nothing about the account is no sign-out", async () => {
  selfStatus = 503;
  expect((await render("/console")).status).toBe(500);
});
