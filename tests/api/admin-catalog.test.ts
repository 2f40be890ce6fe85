import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { adminLogEntry } from "@/lib/api/schemas/admin-logs";
import { adminStats } from "@/lib/api/schemas/admin-stats";
import { auditEntry } from "@/lib/api/schemas/audit";
import { listOf } from "@/lib/api/schemas/list-of";
import { adminModelRecord } from "@/lib/api/schemas/model-records";
import { nodeView } from "@/lib/api/schemas/nodes";
import { adminPlanView } from "@/lib/api/schemas/plans";
import { listedPrice } from "@/lib/api/schemas/prices";
import { reconcileResponse } from "@/lib/api/schemas/reconcile";
import { adminUserView } from "@/lib/api/schemas/user-records";
import type { ApiError, Body } from "../support/account-server";
import { catalogRig, fresh, UPSTREAM_KEY } from "../support/catalog-rig";

const { admin, makeNode, makeModel } = catalogRig();

describe("a node", () => {
  test("keeps its key to itself, in every answer and in the audit", async () => {
    const node = await makeNode();
    expect(node).toMatchObject({ hasApiKey: true, apiKeyHint: "cdef", enabled: true, managedByFile: false });
    const changed = await admin("PATCH", `nodes/${node.id}`, { apiKey: `${UPSTREAM_KEY}-2222` });
    expect(changed.body).toMatchObject({ apiKeyHint: "2222", name: node.name });
    for (const path of ["nodes", `nodes/${node.id}`, "audit?pageSize=100"]) {
      expect(JSON.stringify((await admin("GET", path)).body)).not.toContain("canary");
    }
    const audit = await admin("GET", `audit?targetId=${node.id}`);
    expect(audit.body).toMatchObject({
      data: [{ action: "node.update-credential", actorName: "admin" }, { action: "node.create" }],
    });
    const removed = await admin("PATCH", `nodes/${node.id}`, { apiKey: null });
    expect(removed.body).toMatchObject({ hasApiKey: false, apiKeyHint: null });
  });

  /** Source: docs/reliability.md#r-136. */
  test("refuses bad fields, taken names and credentials in headers", async () => {
    const { name } = await makeNode();
    const refused = async (fields: Body) => {
      const body = { name: fresh("node"), protocol: "chat", baseUrl: "https://x.example", ...fields };
      return (await admin("POST", "nodes", body)).status;
    };
    expect(await refused({ name })).toBe(409);
    expect(await refused({ protocol: "other" })).toBe(400);
    expect(await refused({ baseUrl: "file:///etc/passwd" })).toBe(400);
    expect(await refused({ baseUrl: "https://user:pass@x.example" })).toBe(400);
    expect(await refused({ headers: { Authorization: "Bearer x" } })).toBe(400);
    expect(await refused({ credential: "x" })).toBe(400);
    // What could not stand in the header that carries it.
    for (const apiKey of ["", "sk\r\nx-evil: 1", "ключ", " sk-padded", "sk-with space"])
      expect([apiKey, await refused({ apiKey })]).toEqual([apiKey, 400]);
    for (const name of ["expect", "Transfer-Encoding", "Content-Length", "TE"])
      expect([name, await refused({ headers: { [name]: "5" } })]).toEqual([name, 400]);
  });

  test("says who runs it, or is found by its host; the audit keeps the change", async () => {
    const node = await makeNode();
    expect(node).toMatchObject({ provider: null });
    const changed = await admin("PATCH", `nodes/${node.id}`, { provider: "vllm" });
    expect(changed.body).toMatchObject({ provider: "vllm", baseUrl: node.baseUrl });
    const audit = await admin("GET", `audit?targetId=${node.id}`);
    expect(audit.body).toMatchObject({
      data: [
        { action: "node.update", before: { provider: null }, after: { provider: "vllm" } },
        { action: "node.create" },
      ],
    });
    const again = await admin("PATCH", `nodes/${node.id}`, { provider: null });
    expect(again.body).toMatchObject({ provider: null });
  });

  test("that does not fit its provider is refused, naming the field", async () => {
    const node = await makeNode();
    const baseUrl = "https://mine.openai.azure.com/openai/deployments/gpt";
    const refused = async (fields: Body) => {
      const { status, body } = await admin<ApiError>("PATCH", `nodes/${node.id}`, fields);
      expect(status).toBe(400);
      return body.error.fields;
    };
    const withoutVersion = { baseUrl: [expect.stringMatching(/^must end with \?api-version=/)] };
    expect(await refused({ baseUrl })).toEqual(withoutVersion);
    expect(await refused({ baseUrl, provider: "azure" })).toEqual(withoutVersion);
    expect(await refused({ baseUrl: `${baseUrl}?sv=1` })).toHaveProperty("baseUrl");
    expect(await refused({ provider: "nobody" })).toHaveProperty("provider");
    expect(await refused({ provider: "groq", protocol: "messages" })).toEqual({
      protocol: ["must be chat or responses: Groq speaks no other"],
    });
    const good = await admin("PATCH", `nodes/${node.id}`, { baseUrl: `${baseUrl}?api-version=2024-10-21` });
    expect(good.body).toMatchObject({ baseUrl: `${baseUrl}?api-version=2024-10-21`, provider: null });
  });

  test("is tested without showing its key, and reset", async () => {
    const node = await makeNode();
    const good = await admin("POST", `nodes/${node.id}/test`, { model: "sim-ok" });
    expect(good.body).toMatchObject({ ok: true, status: 200, error: null });
    const bad = await admin("POST", `nodes/${node.id}/test`, { model: "sim-500" });
    expect(bad.body).toMatchObject({ ok: false, status: 500 });
    const dead = await makeNode({ baseUrl: "http://127.0.0.1:1/v1" });
    const none = await admin("POST", `nodes/${dead.id}/test`, { model: "x" });
    expect(none.body).toMatchObject({ ok: false, status: null });
    const reset = await admin("POST", `nodes/${node.id}/reset`);
    expect(reset.body).toMatchObject({ id: node.id, health: { state: "healthy" } });
  });

  test("of the demo shows the words of its answer as they are, with nothing struck out as its key", async () => {
    const { body } = await admin("GET", "nodes");
    const simulated = listOf(nodeView)
      .parse(body)
      .data.filter((node) => node.simulated);
    expect(simulated.map(({ protocol }) => protocol).sort()).toEqual(["chat", "messages", "responses"]);
    for (const { id } of simulated) {
      const { body: result } = await admin("POST", `nodes/${id}/test`, { model: "sim-chat" });
      expect(result).toMatchObject({
        ok: true,
        sample: expect.stringMatching(/^This is a simulated answer by the demo provider of Tollgate/),
      });
    }
  });

  test("in use is not removed; an unused one is", async () => {
    const node = await makeNode();
    const model = await makeModel(node.name);
    expect((await admin("DELETE", `nodes/${node.id}`)).status).toBe(409);
    expect((await admin("DELETE", `models/${model.id}`)).status).toBe(204);
    expect((await admin("DELETE", `nodes/${node.id}`)).status).toBe(204);
    expect((await admin("GET", `nodes/${node.id}`)).status).toBe(404);
  });
});

describe("a rehearsal", () => {
  test("shows where requests would go, and sends nothing", async () => {
    const first = await makeNode();
    const second = await makeNode();
    const { alias } = await makeModel(first.name, {
      routes: [
        { node: first.name, model: "a", priority: 0 },
        { node: second.name, model: "b", priority: 1 },
      ],
    });
    const normal = await admin("POST", "rehearsal", { model: alias });
    expect(normal.body).toMatchObject({ order: [{ node: first.name }, { node: second.name }] });
    const failing = await admin("POST", "rehearsal", {
      model: alias,
      assume: { [first.name ?? ""]: "cooling" },
    });
    expect(failing.body).toMatchObject({
      answer: { status: 200, node: second.name },
      order: [{ n: 1, node: second.name, result: "answers" }],
      skipped: [{ node: first.name }],
      shares: [{ node: second.name, share: 1 }],
    });
    const all = await admin<{ data: { model: string }[] }>("POST", "rehearsal/models", {
      assume: { [first.name ?? ""]: "down" },
    });
    expect(all.body.data.find(({ model }) => model === alias)).toMatchObject({
      affected: true,
      now: [{ node: first.name, share: 1 }],
      first: { status: 200, node: second.name },
      later: { nodes: 1, shares: [{ node: second.name, share: 1 }] },
    });
    const unknown = await admin<ApiError>("POST", "rehearsal/models", { assume: { nobody: "down" } });
    expect([unknown.status, unknown.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
  });
});

test("counters and records agree", async () => {
  const { body } = await admin("GET", "reconcile");
  expect(body).toMatchObject({ ok: true, mismatches: [], heldMicroCents: "0", openHolds: 0 });
  expect(body.usedMicroCents).toBe(body.ledgerMicroCents);
});

test("ids that are unknown or malformed are not found", async () => {
  for (const path of ["nodes", "models", "users"]) {
    for (const id of ["7b0f8f9e-1111-4222-8333-444455556666", "1", "x'--"]) {
      const { status, body } = await admin<ApiError>("GET", `${path}/${encodeURIComponent(id)}`);
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
  }
});

test("every answer has its documented shape", async () => {
  const node = await makeNode();
  const model = await makeModel(node.name);
  const shapes: [path: string, schema: z.ZodType][] = [
    ["nodes", listOf(nodeView)],
    [`nodes/${node.id}`, nodeView],
    ["models", listOf(adminModelRecord)],
    [`models/${model.id}`, adminModelRecord],
    ["prices", listOf(listedPrice)],
    ["plans", listOf(adminPlanView)],
    ["users", listOf(adminUserView)],
    ["logs", listOf(adminLogEntry)],
    ["stats", adminStats],
    ["audit", listOf(auditEntry)],
    ["reconcile", reconcileResponse],
  ];
  for (const [path, schema] of shapes) {
    const { error } = schema.safeParse((await admin("GET", path)).body);
    expect([path, error?.issues ?? []]).toEqual([path, []]);
  }
});
