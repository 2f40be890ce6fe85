import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { embeddedDirectory } from "../support/database";
import { initialise, pgCtl, postgresDirectory, postgresServer, runPostgres } from "../support/postgres";
import { runDirectory } from "../support/run-directory";

const CANARY = `canary-${randomBytes(6).toString("hex")}`;
const found = await postgresServer();
const without = "unavailable" in found ? ` (${found.unavailable})` : "";

interface Ended {
  status: number | null;
  said: string;
}

/** Runs a command of the product until it ends, with only these settings. */
function run(args: string[], env: Record<string, string>): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ["--liftoff-only", ...args], {
    env: { PATH, HOME, TMPDIR: runDirectory(), NODE_ENV: "production", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  // Also waits for child processes, which hold the output open.
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, said })));
}

const DOCTOR = path.join(runDirectory(), "doctor.mjs");
writeFileSync(
  DOCTOR,
  `const { examine } = await import(${JSON.stringify(pathToFileURL(path.resolve("dist/doctor.js")).href)});
  for (const { ok, text } of await examine(process.env)) if (!ok) console.log(text);`,
);

/** The start ends with this sentence and nothing else, and the doctor says the same. */
async function expectSentence(env: Record<string, string>, sentence: RegExp): Promise<void> {
  const DATA_DIR = env.DATA_DIR ?? mkdtempSync(path.join(runDirectory(), "failed-"));
  const started = await run(["dist/server.js"], { ...env, DATA_DIR });
  const examined = await run([DOCTOR], { ...env, DATA_DIR });
  expect(started.status).toBe(1);
  const said = started.said.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  expect(said).toHaveLength(2);
  expect(said[1]).toMatch(sentence);
  expect(examined.said).toContain(said[1]?.replace(/^ {2}- /, ""));
  expect(`${started.said}${examined.said}`).not.toMatch(new RegExp(`${CANARY}|^ +at |EPIPE|Zod`, "m"));
}

/** Source: docs/contract.md#start-problems. */
describe.skipIf(without !== "")(
  `a start whose PostgreSQL refuses it says in one sentence what to do${without}`,
  () => {
    let port: number;
    let dataDirectory: string;
    const url = (user: string, rest = "/postgres") => `postgres://${user}@127.0.0.1:${port}${rest}`;
    beforeAll(async () => {
      const home = postgresDirectory(`refusing-${randomBytes(4).toString("hex")}`);
      dataDirectory = path.join(home, "data");
      runPostgres("initdb", initialise(dataDirectory));
      const access = path.join(dataDirectory, "pg_hba.conf");
      const rules = "host all locked 127.0.0.1/32 scram-sha-256\nhost all barred 127.0.0.1/32 reject\n";
      writeFileSync(access, `${rules}${readFileSync(access, "utf8")}`);
      port = await freePort();
      const settings = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off`;
      pgCtl(["start", "-D", dataDirectory, "-l", path.join(home, "log"), "-o", settings]);
      const admin = postgres(url("tollgate"), { max: 1, onnotice: () => {} });
      await admin.unsafe("CREATE ROLE locked LOGIN PASSWORD 'right'");
      await admin.unsafe("CREATE ROLE poor LOGIN");
      await admin.unsafe("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
      await admin.end();
    });
    afterAll(() => pgCtl(["stop", "-m", "immediate", "-D", dataDirectory]));

    // Beside each other: most of their time is waiting.
    test.concurrent.each([
      [
        "the password is wrong",
        () => url(`locked:${CANARY}`),
        /refuses the user locked with this password; correct/,
      ],
      [
        "there is no such user",
        () => url(`nobody:${CANARY}`),
        /does not let the user nobody in \(role "nobody" does not exist\)/,
      ],
      [
        "the user is not let in",
        () => url(`barred:${CANARY}`),
        /does not let the user barred in .*pg_hba\.conf/,
      ],
      [
        "there is no such database",
        () => url(`tollgate:${CANARY}`, "/missing"),
        /has no database missing; create it/,
      ],
      [
        "the user may not create tables",
        () => url(`poor:${CANARY}`),
        /the user poor lacks a right .*\(permission denied for .*GRANT/,
      ],
      ["it has no TLS", () => url(`tollgate:${CANARY}`, "/postgres?sslmode=verify-full"), /sslmode=disable/],
    ])(
      "when %s",
      async (_what, address, sentence) => {
        await expectSentence({ DATABASE_URL: address() }, sentence);
      },
      180_000,
    ); // a connection that is closed is waited for

    test("when its certificate is not trusted", async () => {
      const options = [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
      ];
      const files = ["-keyout", "server.key", "-out", "server.crt"];
      execFileSync("openssl", [...options, ...files], { cwd: dataDirectory, stdio: "ignore" });
      execFileSync("chown", ["--reference", dataDirectory, "server.key", "server.crt"], {
        cwd: dataDirectory,
      });
      chmodSync(path.join(dataDirectory, "server.key"), 0o600);
      const admin = postgres(url("tollgate"), { max: 1, onnotice: () => {} });
      await admin.unsafe("ALTER SYSTEM SET ssl = on");
      await admin.unsafe("SELECT pg_reload_conf()");
      await expect.poll(async () => (await admin`SHOW ssl`)[0]?.ssl).toBe("on");
      await admin.end();
      await expectSentence(
        { DATABASE_URL: url(`tollgate:${CANARY}`, "/postgres?sslmode=verify-full") },
        /certificate of .* is not trusted .*NODE_EXTRA_CA_CERTS/,
      );
    });
  },
);

describe("a start whose data directory cannot be used says in one sentence what to do", () => {
  test("when it is a file", async () => {
    const file = path.join(mkdtempSync(path.join(runDirectory(), "file-")), "data");
    writeFileSync(file, "");
    await expectSentence(
      { DATA_DIR: file },
      /is no directory; move it away, or set DATA_DIR to another path/,
    );
  });

  test("when it was made by another version of the embedded database", async () => {
    const dataDir = await embeddedDirectory();
    writeFileSync(path.join(dataDir, "pg", "PG_VERSION"), "16\n");
    await expectSentence({ DATA_DIR: dataDir }, /was made by PostgreSQL 16 and this program has 18; move it/);
    expect(readdirSync(dataDir)).not.toContain("lock");
  });

  test("when its path leads through a link to nowhere", async () => {
    const folder = mkdtempSync(path.join(runDirectory(), "link-"));
    symlinkSync("/nowhere-at-all", path.join(folder, "data"));
    const { status, said } = await run(["dist/server.js"], { DATA_DIR: path.join(folder, "data") });
    expect([status, said]).toEqual([1, expect.stringMatching(/DATA_DIR/)]);
    expect(said).not.toMatch(/^ +at /m);
  });
});

// Each is a start of the embedded database and one of the doctor.
describe("a start that cannot listen says in one sentence what to do", { timeout: 180_000 }, () => {
  test.each([
    [{ HOST: "203.0.113.7" }, /HOST=203\.0\.113\.7 is no address of this machine; set HOST to/],
    [{ HOST: "no-such-host.invalid" }, /HOST=no-such-host\.invalid cannot be (found|looked up)/],
  ])("with %o", async (env, sentence) => {
    await expectSentence(
      { DATA_DIR: await embeddedDirectory(), PORT: String(await freePort()), ...env },
      sentence,
    );
  });
});
