import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import {
  makeAccount,
  openTestLedger,
  requestId,
  settlementOf,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

await forEachDatabase((_kind, open) => {
  let database: Database;
  let ledger: TestLedger;
  beforeAll(async () => {
    database = await open();
    ledger = await openTestLedger(database);
  });
  afterAll(() => ledger.drain());

  test("a log row keeps every field, and texts that PostgreSQL would refuse are made storable", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [10_000n] });
    const id = requestId();
    const createdAt = new Date("2026-11-20T10:07:03.456Z");
    const awkward = 'a"b\\c,(d)\u0000\u001f{e}\ud800 é漢😀\n';
    await ledger.settle(
      settlementOf(account, {
        requestId: id,
        createdAt,
        userAgent: awkward,
        clientRequestId: "",
        errorMessage: null,
        warnings: ["dropped:seed", 'odd "one", {two}'],
        timeline: { authenticated: 1.5 },
        attempts: [attempt({ nodeName: awkward, nodeId: null })],
        ttftMs: 12.4,
        latencyMs: Number.POSITIVE_INFINITY,
      }),
    );
    const [row] = await database.query<Record<string, unknown>>(
      "SELECT * FROM request_log WHERE request_id = $1",
      [id],
    );
    const storable = 'a"b\\c,(d){e}\ufffd é漢😀\n';
    expect(row).toMatchObject({
      created_at: createdAt,
      user_agent: storable,
      client_request_id: "",
      error_message: null,
      warnings: ["dropped:seed", 'odd "one", {two}'],
      timeline: { authenticated: 1.5 },
      ttft_ms: 12,
      latency_ms: 0,
      attempt_count: 1,
    });
    expect(row?.attempts).toMatchObject([{ nodeName: 'a"b\\c,(d)\u001f{e}\ufffd é漢😀\n' }]);
  });

  test("roll-ups add up to the log, by bucket, model, latency of answers and error", async () => {
    const account = await makeAccount(database, { account: 1_000_000n, keys: [500_000n, 500_000n] });
    const start = Date.UTC(2026, 10, 20, 9, 0, 0);
    const settlements = Array.from({ length: 300 }, (_, index) =>
      settlementOf(account, {
        requestId: requestId(),
        keyId: account.keyIds[index % 2] ?? "",
        model: index % 3 === 0 ? "gpt-main" : "claude-main",
        createdAt: new Date(start + index * 11_000),
        costMicroCents: BigInt(index),
        latencyMs: index * 37,
        errorCode: index % 10 === 0 ? "UPSTREAM_ERROR" : null,
        nodeId: node,
        attempts: [
          attempt({ result: "http_500", firstEventMs: null, totalMs: 5 }),
          attempt({ n: 2, totalMs: index }),
        ],
      }),
    );
    await Promise.all(settlements.map((settlement) => ledger.settle(settlement)));
    const [log] = await database.query<Record<string, string>>(
      `SELECT count(*)::text AS requests, sum(cost_micro_cents)::text AS cost, sum(prompt_tokens)::text AS prompt,
         sum(completion_tokens)::text AS completion, sum(latency_ms) FILTER (WHERE error_code IS NULL)::text AS latency, count(error_code)::text AS errors
       FROM request_log WHERE user_id = $1`,
      [account.userId],
    );
    const [rollups] = await database.query<Record<string, unknown>>(
      `SELECT sum(request_count)::text AS requests, sum(cost_micro_cents)::text AS cost, sum(prompt_tokens)::text AS prompt,
         sum(completion_tokens)::text AS completion, sum(latency_sum_ms)::text AS latency, sum(error_count)::text AS errors,
         (SELECT sum(x) FROM unnest(int_array_sum(latency_histogram)) x)::text AS histogram,
         cardinality(int_array_sum(latency_histogram)) AS buckets, int_array_sum(error_counts) AS error_counts
       FROM usage_rollups WHERE user_id = $1`,
      [account.userId],
    );
    expect(rollups).toMatchObject({ ...log, histogram: "270", buckets: 40 });
    expect(rollups?.error_counts).toEqual([0, 0, 0, 0, 0, 0, 0, 30, 0, 0, 0]);
    const [nodes] = await database.query(
      `SELECT sum(attempt_count)::text AS attempts, sum(failure_count)::text AS failures, sum(cost_micro_cents)::text AS cost,
         (SELECT sum(x) FROM unnest((int_array_sum(latency_histogram))[1:40]) x)::text AS whole,
         (SELECT sum(x) FROM unnest((int_array_sum(latency_histogram))[41:80]) x)::text AS first_event
       FROM node_rollups WHERE node_id = $1`,
      [node],
    );
    // Half of the attempts had no event.
    const counts = { attempts: "600", failures: "300", whole: "600", first_event: "300" };
    expect(nodes).toEqual({ ...counts, cost: log?.cost });
  });
});

const node = "0192f0c0-0000-7000-8000-0000000000aa";

function attempt(fields: object) {
  return {
    n: 1,
    nodeId: node,
    nodeName: "main",
    protocol: "chat" as const,
    upstreamModel: "gpt-5.2",
    result: "ok",
    upstreamStatus: 200,
    startedMs: 1,
    headersMs: 2,
    firstEventMs: 3,
    totalMs: 4,
    reason: "priority",
    ...fields,
  };
}
