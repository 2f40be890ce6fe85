import { rmSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { issueFor } from "@/lib/accounts/logins";
import { closePasswordPool } from "@/lib/accounts/password";
import { findUser } from "@/lib/accounts/users";
import type { Notices } from "@/lib/admin/announcements";
import { authContext } from "@/lib/api/guard";
import { handleApi } from "@/lib/api/serve";
import { apiKeys, auditLog, users } from "@/lib/db/schema/accounts";
import { setRuntime } from "@/lib/gateway/runtime";
import { CachedRead } from "@/lib/kernel/cached-read";
import { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import { type BootedProcess, boot } from "@/lib/process/boot";
import { embeddedDirectory } from "@/tests/support/database";

// The operations over the runtime of a whole process, whose parts a test can replace.
let booted: BootedProcess;
let dataDir = "";
let token = "";
let adminId = "";

beforeAll(async () => {
  dataDir = await embeddedDirectory();
  booted = await boot(
    { DATA_DIR: dataDir, LOG_LEVEL: "silent", DEMO_PROVIDER: "0", ADMIN_PASSWORD: "secret-password" },
    null,
  );
  await booted.createFirstAdmin();
  const { db } = booted.runtime;
  const [row] = await db.orm.select().from(users).where(eq(users.username, "admin"));
  adminId = row?.id ?? "";
  const admin = await findUser(db, adminId);
  if (admin === null) throw new Error("no first admin");
  token = (await issueFor(authContext(), admin, { client: "", ip: "" })).token;
}, 60_000);

afterEach(() => setRuntime(booted.runtime));

afterAll(async () => {
  await booted.stop();
  setRuntime(undefined);
  await closePasswordPool();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = body === undefined ? { headers } : { headers, body: JSON.stringify(body) };
  const answer = await handleApi(new Request(`http://gate.example${path}`, { method, ...sent }), "192.0.2.1");
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

async function newUser(username: string): Promise<string> {
  const { status, body } = await call("POST", "/api/admin/users", { username, password: "secret-password" });
  expect(status).toBe(201);
  return body.id;
}

async function newKey(): Promise<string> {
  const { status, body } = await call("POST", "/api/user/tokens", { name: "key" });
  expect(status).toBe(201);
  return body.apiKey.id;
}

describe("an id in capitals", () => {
  test("of a path or a query is the same id, and the audit has it as it is stored", async () => {
    const id = await newUser("capitals");
    expect((await call("GET", `/api/admin/users/${id.toUpperCase()}`)).body.id).toBe(id);
    expect((await call("POST", `/api/admin/users/${id.toUpperCase()}/password`, {})).status).toBe(200);
    for (const name of ["targetId", "accountId"]) {
      const { body } = await call("GET", `/api/admin/audit?${name}=${id.toUpperCase()}`);
      expect(body.data.map((entry: { action: string }) => entry.action)).toEqual([
        "user.password",
        "user.create",
      ]);
    }
    const key = await newKey();
    expect((await call("DELETE", `/api/user/tokens/${key.toUpperCase()}`)).status).toBe(204);
    const { body } = await call("GET", `/api/admin/audit?targetId=${key}`);
    expect(body.data.map((entry: { action: string }) => entry.action)).toEqual(["key.delete", "key.create"]);
  });
});

describe("a change whose entry in the audit fails", () => {
  test("is not made", async () => {
    const { db } = booted.runtime;
    const id = await newUser("whole");
    const key = await newKey();
    const before = await db.orm.select().from(users);
    const keysBefore = await db.orm.select().from(apiKeys);
    await db.query("ALTER TABLE audit_log ADD CONSTRAINT full_disk CHECK (false) NOT VALID");
    try {
      const calls = [
        ["POST", "/api/admin/users", { username: "half", password: "secret-password" }],
        ["POST", `/api/admin/users/${id}/password`, {}],
        ["POST", "/api/user/tokens", { name: "half" }],
        ["PATCH", `/api/user/tokens/${key}`, { name: "half" }],
        ["PATCH", `/api/admin/users/${adminId}/tokens/${key}`, { status: "disabled" }],
        ["DELETE", `/api/user/tokens/${key}`, undefined],
      ] as const;
      for (const [method, path, body] of calls)
        expect([method, path, (await call(method, path, body)).status]).toEqual([method, path, 500]);
    } finally {
      await db.query("ALTER TABLE audit_log DROP CONSTRAINT full_disk");
    }
    expect(await db.orm.select().from(users)).toEqual(before);
    expect(await db.orm.select().from(apiKeys)).toEqual(keysBefore);
    expect(await db.orm.$count(auditLog, eq(auditLog.targetId, id))).toBe(1);
  });
});

describe("a node whose key was stored under another master key", () => {
  test("is not tested: the error is at its key", async () => {
    const { db, catalog } = booted.runtime;
    const node = { name: "sealed", protocol: "chat", baseUrl: "https://node.example/v1", apiKey: "sk-1" };
    const { body: made } = await call("POST", "/api/admin/nodes", node);
    await db.query("UPDATE nodes SET credential_key_id = 'former' WHERE id = $1", [made.id]);
    await catalog.reload();
    const answers = [
      await call("POST", `/api/admin/nodes/${made.id}/test`, { model: "m" }),
      await call("POST", "/api/admin/nodes/test", { nodeId: made.id, model: "m" }),
      await call("GET", `/api/admin/nodes/${made.id}/models`),
    ];
    for (const { status, body } of answers)
      expect([status, body.error.code, Object.keys(body.error.fields)]).toEqual([
        400,
        "INVALID_REQUEST",
        ["apiKey"],
      ]);
  });
});

describe("the public status page", () => {
  const withNotices = (read: () => Promise<Notices>) => {
    const { clock } = booted.runtime;
    const notices = new CachedRead({ read, freshMs: 0, nowMs: clock.nowMs });
    setRuntime({ ...booted.runtime, notices });
    return notices;
  };
  const on: Notices = {
    statusPage: true,
    registration: "invited",
    newAccountQuotaCents: 250,
    inviteRewardCents: 0,
    contact: null,
    name: null,
    announcements: [],
  };

  test.each([
    ["does not answer", () => new Promise<never>(() => {})],
    ["fails", () => Promise.reject(new Error("no answer"))],
  ])("is not told to be switched off while the database %s", async (_, read) => {
    withNotices(read);
    expect((await call("GET", "/api/status")).status).toBe(503);
    expect(await call("GET", "/api/bootstrap")).toMatchObject({
      status: 200,
      body: { announcements: [], registration: "open", signupQuotaCents: 0 },
    });
    const reads = [() => Promise.resolve(on), read];
    const notices = withNotices(() => (reads.length > 1 ? reads.shift() : reads[0])?.() ?? read());
    await notices.get();
    expect((await call("GET", "/api/status")).status).toBe(200);
    expect((await call("GET", "/api/bootstrap")).body).toMatchObject({
      statusPage: true,
      registration: "invited",
      signupQuotaCents: 250,
    });
  });
});

describe("an export", () => {
  const exports = [
    "/api/user/logs/export",
    "/api/admin/logs/export",
    "/api/admin/users/export",
    "/api/admin/users/OWN/grants/export",
    "/api/admin/audit/export",
  ];

  test.each(exports)(
    "takes its turn among the reports, and is refused before it begins: %s",
    async (path) => {
      const reports = new FairSemaphore({ concurrency: 1, perAccount: 1, waitMs: 20 });
      setRuntime({ ...booted.runtime, reports });
      let end = () => {};
      const other = reports.run("other", () => new Promise<void>((resolve) => (end = resolve)));
      const own = path.replace("OWN", adminId);
      expect((await call("GET", own)).status).toBe(503);
      end();
      await other;
      expect((await call("GET", own)).status).toBe(200);
    },
  );
});
