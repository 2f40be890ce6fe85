import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, type ErrorBody, keyMoney, logEntry, requestIdOf } from "@/tests/support/gateway-fixtures";
import type { TestUser } from "@/tests/support/server";
import { Rig } from "./support/rig";

const folder = mkdtempSync(path.join(tmpdir(), "tollgate-tls-"));
const without = makeCertificate();
/** So many of the server's seconds are one of the test's. */
const CLOCK_SPEED = 5;

/** A certificate that nobody vouches for; why there is none, or null. */
function makeCertificate(): string | null {
  const options = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "1",
    "-subj",
    "/CN=elsewhere.example",
  ];
  try {
    execFileSync("openssl", [...options, "-keyout", "key.pem", "-out", "cert.pem"], {
      cwd: folder,
      stdio: "ignore",
    });
    return null;
  } catch {
    return "no openssl on the PATH";
  }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(`https://127.0.0.1:${address.port}`);
      else reject(new Error("no port"));
    });
  });
}

/** Source: docs/reliability.md#r-54. */
describe.skipIf(without !== null)(`a node whose TLS${without === null ? "" : ` (${without})`}`, () => {
  const sockets = new Set<Socket>();
  let received = "";
  let servers: Server[];
  let rig: Rig;
  let user: TestUser;
  beforeAll(async () => {
    const certificate = {
      key: readFileSync(path.join(folder, "key.pem")),
      cert: readFileSync(path.join(folder, "cert.pem")),
    };
    const forged = createTlsServer(certificate, (socket) => {
      socket.on("error", () => socket.destroy());
      socket.on("data", (bytes) => {
        received += bytes;
      });
    });
    const silent = createTcpServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    });
    servers = [forged, silent];
    const nodes = [
      { name: "forged", url: await listen(forged), apiKey: "sk-not-for-strangers" },
      { name: "silent", url: await listen(silent) },
    ];
    rig = await Rig.start({
      database: "embedded",
      clockSpeed: CLOCK_SPEED,
      nodes,
      models: [
        { alias: "forged", routes: [["forged", "m"]] },
        { alias: "silent", routes: [["silent", "m"]] },
        {
          alias: "rescued",
          routes: [
            ["forged", "m", 0],
            ["chat", "sim-usage-1000-500", 1],
          ],
        },
        {
          alias: "rescued-late",
          routes: [
            ["silent", "m", 0],
            ["chat", "sim-usage-1000-500", 1],
          ],
        },
      ],
    });
    user = await rig.gateway.key();
  });
  afterAll(async () => {
    await rig.stop();
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  async function call(model: string) {
    const begun = performance.now();
    const answer = await rig.server.gateway("/v1/chat/completions", user.key, chatBody(model));
    const body = (await answer.json()) as ErrorBody; // of refusals; the others are asserted by status
    return { answer, body, tookMs: (performance.now() - begun) * CLOCK_SPEED };
  }

  test("has a certificate nobody vouches for gets no request, no credential, and no forgiveness", async () => {
    const { answer, body } = await call("forged");
    expect([answer.status, body.error.code]).toEqual([503, "NO_AVAILABLE_NODE"]);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|certificate|self/i);
    expect((await call("rescued")).answer.status).toBe(200);
    expect(received).toBe("");
    expect((await logEntry(rig.server, user, requestIdOf(answer))).cost).toBe("0");
  });

  test("handshake hangs is given up after 5 s, and another node answers", async () => {
    const alone = await call("silent");
    expect(alone.answer.status).toBe(503);
    expect(alone.tookMs).toBeGreaterThan(4_000);
    expect(alone.tookMs).toBeLessThan(9_000);
    const rescued = await call("rescued-late");
    expect(rescued.answer.status).toBe(200);
    expect(rescued.tookMs).toBeLessThan(9_000);
    expect((await keyMoney(rig.server, user)).held).toBe(0);
  });
});
