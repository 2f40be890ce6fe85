import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, closedPort, eventually, keyMoney } from "@/tests/support/gateway-fixtures";
import { runDirectory } from "@/tests/support/run-directory";
import { openSocket } from "@/tests/support/socket-client";
import { openStreams, Rig } from "./support/rig";

const without = spawnSync("nginx", ["-v"]).status === 0 ? "" : " (no nginx on the PATH)";

/** The sample configuration, tried with the real program; only addresses and certificates are replaced. */
describe.skipIf(without !== "")(`behind nginx with the sample configuration${without}`, () => {
  let rig: Rig;
  let nginx: ChildProcess;
  let direct = "";
  beforeAll(async () => {
    const routes: [string, string][] = [["chat", "sim-chunks-20+every-100ms+usage-1000-500"]];
    const long: [string, string][] = [["chat", "sim-chunks-300+every-100ms"]];
    rig = await Rig.start({
      database: "embedded",
      models: [
        { alias: "steady", routes },
        { alias: "long", routes: long },
      ],
      env: { TRUST_PROXY: "1" },
    });
    direct = rig.server.url;
    const port = await closedPort();
    const folder = path.join(runDirectory(), "nginx");
    mkdirSync(folder);
    const text = readFileSync("deploy/nginx.conf", "utf8")
      .replace("127.0.0.1:3000", new URL(direct).host)
      .replace("listen 443 ssl", `listen 127.0.0.1:${port}`)
      .replace(/^ *ssl_certificate.*\n/gm, "")
      .replace("events {}", "daemon off; pid nginx.pid; error_log stderr; events {}")
      .replace("http {", "http { access_log off;");
    const file = path.join(folder, "nginx.conf");
    writeFileSync(file, text);
    nginx = spawn("nginx", ["-p", folder, "-c", file], { stdio: "inherit" });
    rig.server.url = `http://127.0.0.1:${port}`;
    await eventually(async () =>
      (await fetch(`${rig.server.url}/api/health/ready`).catch(() => null))?.ok ? true : null,
    );
  });
  afterAll(async () => {
    nginx.kill("SIGTERM");
    await rig.stop();
  });

  test("a stream arrives piece by piece as it is made, to its terminal event", async () => {
    const user = await rig.gateway.key();
    const gaps: number[] = [];
    const begun = performance.now();
    const { all } = await openStreams(rig.server, user, "steady", 1, (gapMs) => gaps.push(gapMs));
    expect(performance.now() - begun).toBeLessThan(1_500);
    expect((await all)[0]).toMatchObject({ terminal: true, broken: false });
    expect(gaps.length).toBeGreaterThan(15);
    expect(await keyMoney(rig.server, user)).toMatchObject({ usedQuota: 0.25, held: 0 });
  });

  test("a client that leaves is noticed through it, and its node let go", async () => {
    const user = await rig.gateway.key();
    const { aborted } = rig.gateway.upstream.counters();
    const leaving = new AbortController();
    const response = await fetch(`${rig.server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("long", { stream: true })),
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    await eventually(
      async () => (rig.gateway.upstream.counters().aborted === aborted + 1 ? true : null),
      2_000,
    );
    await eventually(async () => ((await keyMoney(rig.server, user)).held === 0 ? true : null), 3_000);
  });

  test("a WebSocket opens through it, its events arrive as they are made, and leaving is noticed", async () => {
    const user = await rig.gateway.key();
    const socket = await openSocket(rig.server.url, user.key);
    const begun = performance.now();
    socket.create({ model: "steady", input: "Hi", store: false });
    await socket.next(({ delta }) => delta !== undefined);
    expect(performance.now() - begun).toBeLessThan(1_500);
    expect((await socket.next(({ type }) => type === "response.completed")).response?.status).toBe(
      "completed",
    );
    expect(await keyMoney(rig.server, user)).toMatchObject({ usedQuota: 0.25, held: 0 });
    const { aborted } = rig.gateway.upstream.counters();
    socket.create({ model: "long", input: "Hi", store: false, stream_id: "long" });
    await socket.next(({ delta, stream_id }) => delta !== undefined && stream_id === "long");
    socket.socket.terminate();
    await eventually(
      async () => (rig.gateway.upstream.counters().aborted === aborted + 1 ? true : null),
      2_000,
    );
    await eventually(async () => ((await keyMoney(rig.server, user)).held === 0 ? true : null), 3_000);
    // Ordinary requests keep their connection to the gateway, and bad keys are told apart.
    await expect(openSocket(rig.server.url, "tgw-nonsense")).rejects.toMatchObject({ status: 401 });
  });

  test("metrics are not shown to the outside, and a body over the limit is 413", async () => {
    expect((await fetch(`${rig.server.url}/metrics`)).status).toBe(403);
    const user = await rig.gateway.key();
    const big = chatBody("steady", { messages: [{ role: "user", content: "x".repeat(11 * 1024 * 1024) }] });
    const answer = await rig.server.gateway("/v1/chat/completions", user.key, big).catch(() => null);
    expect(answer?.status ?? 413).toBe(413);
  });
});
