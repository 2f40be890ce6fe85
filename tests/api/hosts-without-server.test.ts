import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { signInBrowser } from "../support/browser";
import { eventually } from "../support/gateway-fixtures";
import { createTestDatabase, dropTestDatabase, postgresServer } from "../support/postgres";
import { runDirectory } from "../support/run-directory";

const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";
const NEXT = path.resolve("node_modules/next/dist/bin/next");
const PASSWORD = "correct-horse-battery";

/** The framework's own server, with what it prints. */
function startFramework(port: number, env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [NEXT, "start", "--port", String(port), "--hostname", "127.0.0.1"], {
    env: { PATH, HOME, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const started = { child, output: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      started.output += text;
    });
  }
  return started;
}

/** Source: docs/architecture.md#s1-1. */
describe.skipIf(without !== "")(`a host without our server${without}`, () => {
  let dataDir: string;
  let database: string;
  let child: ChildProcess;
  let url: string;
  beforeAll(async () => {
    dataDir = mkdtempSync(path.join(runDirectory(), "host-"));
    database = await createTestDatabase();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    ({ child } = startFramework(port, {
      DATABASE_URL: database,
      DATA_DIR: dataDir,
      PUBLIC_URL: url,
      DEMO_PROVIDER: "1",
      INIT_ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: "warn",
      LOGIN_PER_IP_PER_MINUTE: "2",
      PASSWORD_HASH_COST: "4",
    }));
    const ready = () => fetch(`${url}/api/health/ready`).then(({ ok }) => (ok ? true : null));
    await eventually(() => ready().catch(() => null), 60_000);
  });
  afterAll(async () => {
    child.kill("SIGKILL");
    await dropTestDatabase(database);
    rmSync(dataDir, { recursive: true });
  });

  async function login(headers: Record<string, string> = {}): Promise<{ status: number; token: string }> {
    const response = await fetch(`${url}/api/user/login`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ username: "admin", password: PASSWORD }),
    });
    const { token = "" } = (await response.json()) as { token?: string };
    return { status: response.status, token };
  }

  test("serves pages, the account API, the sign-in of browsers and the model API", async () => {
    const { token } = await login();
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    expect(await (await fetch(`${url}/models`)).text()).toContain("demo-chat");
    const { cookie } = await signInBrowser(url, token);
    const page = await fetch(`${url}/admin`, { headers: { cookie }, redirect: "manual" });
    expect([page.status, (await page.text()).includes("admin")]).toEqual([200, true]);
    const visitor = await fetch(`${url}/admin`, { redirect: "manual" });
    expect([visitor.status, visitor.headers.get("location")]).toEqual([307, "/login?next=%2Fadmin"]);
  });

  test("believes no header about a client's address", async () => {
    const statuses = [];
    for (const forged of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      const headers = { "x-tollgate-client-ip": forged, "x-forwarded-for": forged };
      statuses.push((await login(headers)).status);
    }
    expect(statuses).toContain(429);
  });

  test("does not start on the embedded database", { timeout: 120_000 }, async () => {
    const started = startFramework(await freePort(), { DATA_DIR: dataDir });
    onTestFinished(() => void started.child.kill("SIGKILL"));
    const words = "Without its own server Tollgate needs PostgreSQL";
    await eventually(async () => (started.output.includes(words) ? true : null), 100_000);
  });
});
