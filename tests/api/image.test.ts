import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { freePort } from "@/bench/free-port";
import { settingNames } from "@/lib/config/env";
import { embeddedDirectory } from "../support/database";
import { runDirectory } from "../support/run-directory";
import { TestServer } from "../support/server";
import { sourceText } from "../support/source-files";

const asRoot = process.getuid?.() === 0;
/** Another one for each test, who owns no file of an earlier or concurrent run. */
let user = 0;
beforeEach(() => {
  user = randomInt(20_000, 60_000);
});
const started: { kill(signal: NodeJS.Signals): unknown }[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** A folder of the other user. */
function ownFolder(name: string): string {
  const folder = mkdtempSync(path.join(runDirectory(), `${name}-`));
  chmodSync(runDirectory(), 0o755);
  chownSync(folder, user, user);
  return folder;
}

/** Runs a program of the product as another user, who owns nothing of it. */
function asOther(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ["--liftoff-only", ...args], {
    env: { PATH: process.env.PATH, HOME: "/nonexistent", NODE_ENV: "production", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    uid: user,
    gid: user,
  });
  started.push(child);
  let said = "";
  let look = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
      look();
    });
  const seen = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      look = () => {
        const found = pattern.exec(said);
        if (found) resolve(found[1] ?? "");
      };
      child.once("close", () => reject(new Error(said)));
    });
  const ended = new Promise<{ status: number | null; said: string }>((resolve) =>
    child.once("close", (status) => resolve({ status, said })),
  );
  return { child, seen, ended };
}

/** Source: docs/contract.md#image. */
// A new embedded database takes most of a minute on a crowded machine.
describe.skipIf(!asRoot)(
  "another user, to whom everything but two folders is read-only",
  { timeout: 180_000 },
  () => {
    test("runs the server and its pages, which write below DATA_DIR and TMPDIR only", async () => {
      const [DATA_DIR, TMPDIR] = [ownFolder("data"), ownFolder("tmp")];
      const { child, seen, ended } = asOther(["dist/server.js"], { DATA_DIR, TMPDIR, HOST: "::" });
      const url = await seen(/ready at (http:\S+)/);
      expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
      if (existsSync(".next/BUILD_ID")) expect((await fetch(url)).status).toBe(200);
      const shared = ["/tmp", "/var/tmp", "/dev/shm"].filter((folder) => existsSync(folder));
      // Files of other programs go away while it searches, which it counts as a failure.
      const unpruned = ["-name", "node_modules", "-prune", "-o", "-user", String(user), "-print"];
      const { stdout: written } = spawnSync("find", [...shared, "-xdev", ...unpruned], { encoding: "utf8" });
      expect(written).toContain(DATA_DIR);
      const elsewhere = written
        .split("\n")
        .filter((file) => file && !file.startsWith(DATA_DIR) && !file.startsWith(TMPDIR));
      expect(elsewhere).toEqual([]);
      child.kill("SIGINT");
      expect((await ended).status).toBe(0);
    });

    test("is told in one sentence that DATA_DIR may not be written", async () => {
      const DATA_DIR = mkdtempSync(path.join(runDirectory(), "foreign-"));
      chmodSync(DATA_DIR, 0o755);
      const { ended } = asOther(["dist/server.js"], { DATA_DIR, TMPDIR: ownFolder("tmp") });
      const { status, said } = await ended;
      expect(status).toBe(1);
      expect(said).toMatch(
        new RegExp(` may not be read or written by the user ${user}; let that user own .* \\(chown\\)`),
      );
      expect(said).not.toMatch(/^ +at /m);
    });

    const privileged = Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
    test.skipIf(privileged < 1024)("is told in one sentence that a port below 1024 is not its", async () => {
      const DATA_DIR = await embeddedDirectory();
      execFileSync("chown", ["-R", `${user}:${user}`, DATA_DIR]);
      const folders = { DATA_DIR, TMPDIR: ownFolder("tmp") };
      const { status, said } = await asOther(["dist/server.js"], { ...folders, PORT: "81" }).ended;
      expect([status, said]).toEqual([1, expect.stringContaining("Port 81 may not be used by this user")]);
      expect(said).not.toMatch(/^ +at /m);
    });
  },
);

function health(env: Record<string, string>): Promise<{ status: number | null; said: string }> {
  const child = spawn(process.execPath, ["dist/health.js"], {
    env: { NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, said })));
}

describe("the health check of the image", () => {
  test.each(["::", "0.0.0.0", "127.0.0.1", " [::] "])(
    "asks the server that listens on HOST=%s",
    async (HOST) => {
      const env = { HOST, PORT: String(await freePort()) };
      expect((await health(env)).status).toBe(1);
      const server = new TestServer({ ...env, DATA_DIR: await embeddedDirectory() });
      started.push({ kill: (signal) => server.stop(signal) });
      await server.start();
      expect(await health(env)).toEqual({ status: 0, said: expect.stringContaining("ready") });
    },
  );
});

test("HOST=:: listens on 0.0.0.0 where the kernel has no IPv6", async () => {
  const folder = path.join(runDirectory(), "no-ipv6");
  mkdirSync(folder);
  const preload = path.join(folder, "no-ipv6.mjs");
  writeFileSync(preload, 'process.binding("tcp_wrap").TCP.prototype.bind6 = () => -97; // EAFNOSUPPORT\n');
  const port = await freePort();
  const env = { HOST: "::", PORT: String(port), NODE_OPTIONS: `--no-deprecation --import ${preload}` };
  const server = new TestServer({ ...env, DATA_DIR: await embeddedDirectory() });
  started.push({ kill: (signal) => server.stop(signal) });
  await server.start();
  expect((await fetch(`http://127.0.0.1:${port}/api/health/live`)).status).toBe(200);
});

describe("the container files", () => {
  const compose = parse(sourceText("compose.yaml"), { merge: true });
  const { app } = compose.services;

  test("hand on every setting of .env, and keep the container's own address, port and directory", () => {
    expect(app.env_file).toEqual([{ path: ".env", required: false }]);
    expect(app.environment).toMatchObject({ HOST: "::", PORT: "3000", DATA_DIR: "/app/data" });
    expect(Object.keys(app.environment).filter((name) => !settingNames.includes(name))).toEqual([]);
  });

  test("bound the log of every service", () => {
    for (const service of Object.values(compose.services))
      expect(service).toMatchObject({ logging: { driver: "local" } });
  });

  test("run a user with a number, and a health check without a shell", () => {
    const dockerfile = sourceText("Dockerfile");
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*CMD \["node", "dist\/health\.js"\]$/m);
  });
});
