import { mkdtempSync, rmSync, statSync } from "node:fs";
import { request, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenForReads } from "@/lib/process/pages";

let directory: string;
let socketPath: string;
let server: Server;
const failures: unknown[] = [];
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), "reads-"));
  socketPath = path.join(directory, "reads.sock");
  failures.length = 0;
  server = await listenForReads(
    socketPath,
    async (asked, clientIp) => {
      if (asked.headers.has("x-broken")) throw new Error("broken");
      return Response.json([new URL(asked.url).pathname, asked.headers.get("cookie"), clientIp]);
    },
    (error) => failures.push(error),
  );
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(directory, { recursive: true });
});

function ask(method: string, pathname: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request({ socketPath, method, path: pathname, headers }, (answer) => {
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

test("a render reads as the account of the cookie and with the client's address", async () => {
  const headers = { cookie: "a=b", "x-tollgate-client-ip": "192.0.2.7" };
  const { status, text } = await ask("GET", "/api/user/self", headers);
  expect([status, JSON.parse(text)]).toEqual([200, ["/api/user/self", "a=b", "192.0.2.7"]]);
});

test("nothing but the reads of pages is answered, and nothing is changed", async () => {
  const asked = [
    ["POST", "/api/user/self"],
    ["DELETE", "/api/user/self"],
    ["HEAD", "/api/bootstrap"],
    ["GET", "/api/admin/audit/export"],
    ["GET", "/api/admin/users/1"],
    ["GET", "/api/user/logs/export?x"],
    ["POST", "/api/user/tokens?page=1"],
    ["GET", "/v1/models"],
  ] as const;
  for (const [method, pathname] of asked) expect((await ask(method, pathname)).status).toBe(404);
});

test("lists are narrowed by their query", async () => {
  for (const pathname of [
    "/api/user/tokens?page=1",
    "/api/user/logs?pageSize=5",
    "/api/user/stats?period=7d",
    "/api/admin/audit?page=2",
  ])
    expect((await ask("GET", pathname)).status).toBe(200);
});

test("a read that fails breaks off and is reported", async () => {
  await expect(ask("GET", "/api/bootstrap", { "x-broken": "1" })).rejects.toThrow();
  expect(failures).toHaveLength(1);
});

test("nobody else can open the socket", () => {
  expect(statSync(socketPath).mode & 0o777).toBe(0o600);
});
