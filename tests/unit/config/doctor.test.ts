import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { SpoolFile } from "@/lib/billing/spool-file";
import { encryptCredential } from "@/lib/config/credentials";
import { parseSettings } from "@/lib/config/env";
import { type CredentialColumns, credentialColumns } from "@/lib/config/node-credential";
import { loadSecrets } from "@/lib/config/secrets";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { migrate } from "@/lib/db/migrate";
import { nodes, settingsTable } from "@/lib/db/schema/catalog";
import { credential } from "@/lib/shared/credentials/credential";
import { databaseState } from "@/scripts/doctor/database";
import { dataDirectory } from "@/scripts/doctor/disk";
import { examine as doctor } from "@/scripts/doctor/examine";
import { runningServer } from "@/scripts/doctor/running";
import { makeAccount } from "@/tests/support/billing";
import {
  embeddedDirectory,
  openEmbeddedTestDatabase,
  openPostgresTestDatabase,
} from "@/tests/support/database";
import { postgresServer } from "@/tests/support/postgres";

let folder: string;
let server: Server | null = null;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "tollgate-doctor-"));
});
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  server = null;
  rmSync(folder, { recursive: true });
});

/** What the doctor says when the port answers like this. */
async function examine(answers: Record<string, { status?: number; text: string }>): Promise<string> {
  const listening = createServer((request, response) => {
    const { status = 200, text } = answers[request.url ?? ""] ?? { status: 404, text: "<html>" };
    response.writeHead(status).end(text);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const findings = await runningServer(parseSettings({ PORT: String(port), DATA_DIR: folder }));
  return findings.map(({ ok, subject, text }) => `${ok ? "ok" : "ill"} ${subject}: ${text}`).join("\n");
}

const state = (problems: string[], degraded: string[] = []) => ({
  status: problems.length === 0 ? 200 : 503,
  text: JSON.stringify({ status: "", problems, degraded }),
});
const ready = "/api/health/ready";

describe("the doctor says of a port", () => {
  test("that another program has it", async () => {
    expect(await examine({})).toMatch(/^ill server: port \d+ is taken by something that is not Tollgate/);
  });

  test("that it sheds calls, and that its ledger waits for the database", async () => {
    const text = "tollgate_overloaded 1\ntollgate_ledger_waiting 900\n";
    const said = await examine({ [ready]: state([]), "/metrics": { text } });
    expect(said).toContain("ill server: sheds calls with 503");
    expect(said).toContain("ill ledger: 900 holds and settlements wait");
  });

  test("what keeps its server from being ready, and what to do", async () => {
    const said = await examine({
      [ready]: state(["the database does not answer", "the spool cannot be written", "the spool is full"]),
    });
    expect(said).toMatch(
      /ill server: the database does not answer: start the database or correct DATABASE_URL/,
    );
    expect(said).toMatch(/ill server: the spool cannot be written: make room/);
    expect(said).toMatch(/ill server: the spool is full: bring the database back/);
  });

  test("that it works without Redis, with settlements on its disk and no node to call", async () => {
    const metrics = [
      "tollgate_spool_depth 7",
      'tollgate_node_available{node="main",state="ejected"} 0',
      'tollgate_node_available{node="spare",state="cooling"} 0',
      'tollgate_node_available{node="old",state="disabled"} 0',
    ].join("\n");
    const said = await examine({ [ready]: state([], ["redis"]), "/metrics": { text: metrics } });
    expect(said).toContain("ok server: running and ready");
    expect(said).toContain("ill server: works without Redis");
    expect(said).toContain("ill spool: 7 settlements wait on the local disk");
    expect(said).toContain("ill node main: is ejected");
    expect(said).toContain("ill node spare: is cooling");
    expect(said).not.toContain("node old");
    expect(said).toContain("ill nodes: none may be called now");
  });

  test("nothing alarming when all is well", async () => {
    const metrics = 'tollgate_node_available{node="main",state="healthy"} 1';
    expect(await examine({ [ready]: state([]), "/metrics": { text: metrics } })).not.toContain("ill ");
  });
});

describe("the doctor says of a database", () => {
  let db: Database;
  beforeAll(async () => {
    db = await openEmbeddedTestDatabase();
    return () => db.close();
  });

  test("that its books and its clock agree, and when a sum does not", async () => {
    const account = await makeAccount(db, { account: 100n, keys: [100n] });
    expect((await databaseState(db, parseSettings({}))).filter(({ ok }) => !ok)).toEqual([]);
    await db.query("UPDATE api_keys SET held_micro_cents = 7 WHERE user_id = $1", [account.userId]);
    expect(await databaseState(db, parseSettings({}))).toContainEqual({
      ok: false,
      subject: "books",
      text: expect.stringMatching(
        /^2 sums do not agree \(account_held, key_held\)|^1 sums do not agree \(key_held\)/,
      ),
    });
  });

  test("what its stored responses take of their bounds, of all and of the account with the most", async () => {
    const MIB = 1024 ** 2;
    await db.query(
      "INSERT INTO stored_response_usage VALUES ($1, '2026-01-01', $3, 1), ($2, '2026-01-01', $4, 1)",
      [crypto.randomUUID(), crypto.randomUUID(), 30 * MIB, 12 * MIB],
    );
    const said = (await databaseState(db, parseSettings({}))).map(
      ({ subject, text }) => `${subject}: ${text}`,
    );
    expect(said).toContainEqual(
      expect.stringMatching(/^responses: stored: 42 of 4096 MiB .*the most 30 of 256 MiB/),
    );
    const off = await databaseState(db, parseSettings({ RESPONSES_STORE_HOURS: "0" }));
    expect(off).toContainEqual(expect.objectContaining({ subject: "responses", ok: true }));
  });

  test("that it takes no writes, and that the clocks are apart", async () => {
    const broken = {
      ...db,
      query: async (sql: string) =>
        sql.includes("read_only") ? [{ read_only: "on" }] : [{ now: new Date(Date.now() - 3_600_000) }],
    } as unknown as Database; // answers the two questions that a test cannot bring about in the embedded database
    const said = (await databaseState(broken, parseSettings({})))
      .map(({ subject, text }) => `${subject}: ${text}`)
      .join("\n");
    expect(said).toContain("database: takes no writes");
    expect(said).toContain("clock: this machine's is 3600 s ahead of the database's");
  });
});

const postgres = await postgresServer();
test.skipIf("unavailable" in postgres)(
  "the doctor says when PostgreSQL gives fewer connections than all processes may need",
  async () => {
    const database = await openPostgresTestDatabase();
    try {
      const [row] = await database.query<{ most: string }>(
        "SELECT current_setting('max_connections') AS most",
      );
      const settings = { ...parseSettings({ DATABASE_POOL: "20" }), replicas: Number(row?.most) };
      const found = await databaseState(database, settings);
      expect(found).toContainEqual({
        ok: false,
        subject: "database",
        text: expect.stringContaining(
          `of up to 25 connections (DATABASE_POOL + 5) may need ${25 * settings.replicas}, and PostgreSQL gives`,
        ),
      });
      expect(await databaseState(database, parseSettings({}))).not.toContainEqual(
        expect.objectContaining({ subject: "database" }),
      );
    } finally {
      await database.close();
    }
  },
);

test("the doctor counts the settlements that a process has left, without touching them", async () => {
  const spool = path.join(folder, "spool");
  mkdirSync(spool);
  const file = await SpoolFile.open(path.join(spool, "spool-0.bin"), 1024 * 1024);
  await Promise.all([file.append(Buffer.from("{}")), file.append(Buffer.from("{}"))]);
  await file.close();
  for (let time = 0; time < 2; time++) {
    const findings = await dataDirectory(parseSettings({ DATA_DIR: folder }));
    expect(findings.find(({ subject }) => subject === "spool")).toMatchObject({
      ok: false,
      text: expect.stringContaining("2 settlements wait in spool-0.bin"),
    });
  }
});

/** What the doctor says of an installation with this data directory. */
async function examineAll(env: Record<string, string>): Promise<string> {
  const findings = await doctor({ DATA_DIR: folder, PORT: String(await freePort()), ...env });
  return findings.map(({ ok, subject, text }) => `${ok ? "ok" : "ill"} ${subject}: ${text}`).join("\n");
}

describe("the doctor says of an installation", () => {
  test("that its data directory is none", async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    expect(await examineAll({ DATA_DIR: file })).toContain(`ill disk: ${file} is no directory`);
  });

  test("where its configuration file is wrong", async () => {
    const file = path.join(folder, "tollgate.yaml");
    writeFileSync(file, "nodes:\n  - nam: x\n");
    expect(await examineAll({ CONFIG_FILE: file })).toMatch(/ill file: tollgate\.yaml:2:\d+ /);
    writeFileSync(file, "nodes: []\n");
    expect(await examineAll({ CONFIG_FILE: file })).toContain(`ok file: ${file} is understood`);
  });

  test("that its keys are damaged, and how its nodes are reached, by their proxies too", async () => {
    const db = await openDatabase({ url: null, dataDir: folder });
    await migrate(db);
    const proxy = await connectProxy();
    server = proxy.server;
    await db.orm.insert(nodes).values([
      { name: "behind", protocol: "chat", baseUrl: "http://node.invalid/v1", proxy: proxy.url },
      { name: "alone", protocol: "chat", baseUrl: "http://node.invalid/v1" },
    ]);
    await db.close();
    writeFileSync(path.join(folder, "secrets.json"), "{");
    expect(await examineAll({})).toMatch(/ill keys: .*secrets\.json is damaged; restore it/);
    rmSync(path.join(folder, "secrets.json"));
    const keys = {
      AUTH_SECRET: randomBytes(32).toString("hex"),
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    };
    const said = await examineAll(keys);
    expect(said).toContain("ok node behind: answers 200");
    expect(said).toMatch(/ill node alone: cannot be reached/);
  });
});

/** A node that lets in who signs with one access key. */
async function signedNode(accessKeyId: string): Promise<string> {
  const listening = createServer(({ headers }, response) => {
    const isLetIn = headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${accessKeyId}/`) === true;
    response.writeHead(isLetIn ? 200 : 403, { "x-amzn-errortype": "UnrecognizedClientException" });
    response.end(isLetIn ? '{"data":[]}' : '{"message":"The security token is invalid."}');
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const { port } = listening.address() as AddressInfo; // a TCP server's address is never a path
  return `http://127.0.0.1:${port}/v1`;
}

test("the doctor tells of nodes of clouds how far their credentials come", async () => {
  const db = await openDatabase({ url: null, dataDir: folder });
  await migrate(db);
  const keys = {
    AUTH_SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  };
  const settings = parseSettings({ DATA_DIR: folder, ...keys });
  const { credentials } = await loadSecrets(settings);
  const baseUrl = await signedNode("AKIAIOSFODNN7EXAMPLE");
  const secretAccessKey = "canary+secret+of+forty+characters+abcdef";
  const signing = (accessKeyId: string) =>
    credential.parse({ kind: "aws_static", accessKeyId, secretAccessKey, region: "us-east-1" });
  const given = {
    good: signing("AKIAIOSFODNN7EXAMPLE"),
    foreign: signing("AKIAIOSFODNN7FOREIGN"),
    lent: credential.parse({ kind: "aws_imds", region: "us-east-1" }),
  };
  const insert = (id: string, name: string, columns: Omit<CredentialColumns, "credentialFacts">) =>
    db.orm.insert(nodes).values({ id, name, protocol: "chat", baseUrl, ...columns });
  for (const [name, value] of Object.entries(given)) {
    const id = randomUUID();
    await insert(id, name, credentialColumns(credentials, id, value));
  }
  const id = randomUUID();
  const later = encryptCredential(credentials, id, '{"kind":"aws_next"}', "fields");
  await insert(id, "later", { ...later, credentialKind: "aws_next" });
  await db.close();
  const said = await examineAll({ ...keys, ALLOW_PRIVATE_UPSTREAMS: "1" });
  expect(said).toContain("ok node good: answers 200 to AKIAIOSFODNN7EXAMPLE");
  expect(said).toMatch(/ill node foreign: does not let AKIAIOSFODNN7FOREIGN in \(403: .*invalid/);
  expect(said).toMatch(/ill node lent: gets no access as .* \(ambient_disabled\)/);
  expect(said).toContain("ill node later: has a credential that cannot be read (kind_unknown)");
  expect(said).not.toContain("canary");
});

test("the doctor tells what strangers can spend, and who else may read the files", async () => {
  const dataDir = await embeddedDirectory();
  const db = await openDatabase({ url: null, dataDir });
  await db.orm
    .insert(nodes)
    .values({ name: "n", protocol: "chat", baseUrl: "http://n.invalid", enabled: false });
  await db.close();
  const keys = {
    AUTH_SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  };
  chmodSync(dataDir, 0o755);
  const open = { ...keys, DATA_DIR: dataDir, HOST: "0.0.0.0" };
  const said = await examineAll({ ...open, SIGNUP_QUOTA_CENTS: "300" });
  expect(said).toContain("ill registration: registration is open to strangers");
  expect(said).toContain("they can spend ¥5400.00 an hour (1800 accounts with a quota of ¥3.00 each");
  expect(said).toMatch(/ill disk: \d+ files and folders in .* are open to other users of this machine/);
  expect(await examineAll(open)).toContain("ok registration: registration is open to strangers");
  expect(await examineAll({ ...open, ALLOW_REGISTRATION: "0" })).not.toContain("registration:");
  const decide = async (name: string, value: string) => {
    const again = await openDatabase({ url: null, dataDir });
    await again.orm.insert(settingsTable).values({ name, value });
    await again.close();
  };
  await decide("new_account_quota_cents", "200");
  expect(await examineAll(open)).toContain("ill registration: registration is open to strangers");
  await decide("registration", "invited");
  expect(await examineAll(open)).not.toContain("registration:");
  rmSync(dataDir, { recursive: true });
});

/** A proxy that answers for every host it is asked to connect to. */
async function connectProxy(): Promise<{ server: Server; url: string }> {
  const inner = createServer((_request, response) => response.end("{}"));
  const outer = createServer((_request, response) => response.end("{}"));
  outer.on("connect", (_request, socket: Socket) => {
    socket.write("HTTP/1.1 200 Connected\r\n\r\n");
    inner.emit("connection", socket);
  });
  await new Promise<void>((resolve) => outer.listen(0, "127.0.0.1", resolve));
  const address = outer.address();
  return { server: outer, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
}
