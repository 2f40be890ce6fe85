import type { Sql } from "postgres";
import { compactRollups } from "@/lib/billing/rollups";
import { errorCodeOrder } from "@/lib/kernel/errors";
import { LATENCY_BOUNDS_MS, LATENCY_BUCKETS } from "@/lib/kernel/latency-histogram";
import { AMPLE_QUOTA, fillAccounts } from "../arms/filled-keys";
import { PRICES } from "../oracle";

/** The account that owns half of the generated log. */
export interface Owner {
  userId: string;
  keyId: string;
}

const DAYS = 30;
const OTHER_ACCOUNTS = 19;
const KEYS_OF_OWNER = 4;
const KEYS_OF_OTHERS = 2;
const STEP = 1_000_000;
const ERROR = "UPSTREAM_ERROR";
const MODELS = ["s-same", "s-converted", "m-same", "m-converted"];

/**
 * Fills the product's tables with thirty days of requests as if they had been settled: accounts, keys, log, ledger,
 * roll-ups and counters agree. The database generates a million rows at a time.
 */
export async function fillLog(sql: Sql, owner: Owner, rows: number): Promise<void> {
  await makeKeys(sql, owner);
  await sql`SELECT request_log_make_partitions(now() - make_interval(days => ${DAYS + 1}), now() + interval '28 days')`;
  for (let first = 1; first <= rows; first += STEP)
    await sql.unsafe(logSql(first, Math.min(rows, first + STEP - 1), rows));
  await sql.unsafe(LEDGER);
  await sql.unsafe(usageRollupSql());
  await sql.unsafe(nodeRollupSql());
  await compactRollups({ query: (text) => sql.unsafe(text) });
  await sql.unsafe(COUNTERS);
  await sql.unsafe("VACUUM ANALYZE");
}

/** `bench_keys`: every key with its place; the first ones are the owner's. */
async function makeKeys(sql: Sql, { userId, keyId }: Owner): Promise<void> {
  await fillAccounts(sql, "filled", OTHER_ACCOUNTS);
  await sql`
    INSERT INTO api_keys (user_id, key_hash, key_prefix, name, plan_id, quota_micro_cents)
    SELECT u.id, sha256(convert_to(u.id::text || n, 'UTF8')), 'tgw-filled', 'Key ' || n, 1, ${AMPLE_QUOTA}::bigint
    FROM users u, generate_series(1, ${KEYS_OF_OTHERS}::int) n WHERE u.username_key LIKE 'filled%'
    UNION ALL
    SELECT ${userId}::uuid, sha256(convert_to('owner' || n, 'UTF8')), 'tgw-filled', 'Key ' || n, 1, ${AMPLE_QUOTA}::bigint
    FROM generate_series(2, ${KEYS_OF_OWNER}::int) n`;
  await sql`
    CREATE TABLE bench_keys AS
    SELECT row_number() OVER (ORDER BY (user_id = ${userId}::uuid) DESC, id) - 1 AS place, id AS key_id, user_id
    FROM api_keys WHERE user_id <> ${userId}::uuid OR id = ${keyId}::uuid OR key_prefix = 'tgw-filled'`;
}

/** Rows in order of time; the owner's keys get every second one. */
function logSql(first: number, last: number, rows: number): string {
  const others = OTHER_ACCOUNTS * KEYS_OF_OTHERS;
  const models = MODELS.map((model) => `'${model}'`).join(", ");
  return `
    INSERT INTO request_log
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(noise, 1, 3) || '8'
        || substr(noise, 4, 15))::uuid,
      at, k.user_id, k.key_id, (ARRAY[${models}])[1 + (i / 2) % ${MODELS.length}], 'chat', i % 3 = 0,
      CASE WHEN failed THEN 'error' ELSE 'success' END, CASE WHEN failed THEN 502 ELSE 200 END,
      CASE WHEN failed THEN '${ERROR}' END, CASE WHEN failed THEN 'The upstream failed.' END,
      CASE WHEN failed THEN 0 ELSE prompt END, CASE WHEN failed THEN 0 ELSE completion END, 0, 0, 0,
      CASE WHEN failed THEN 'none' ELSE 'upstream' END,
      CASE WHEN failed THEN 0 ELSE prompt * ${PRICES.input}::bigint + completion * ${PRICES.output}::bigint END,
      NULL, 1, 300000, latency, CASE WHEN failed THEN NULL ELSE latency / 3 END, 1, n.id, '{}',
      jsonb_build_array(jsonb_build_object('n', 1, 'nodeId', n.id, 'nodeName', n.name, 'protocol', 'chat',
        'upstreamModel', 'mock', 'result', CASE WHEN failed THEN 'server_error' ELSE 'ok' END, 'upstreamStatus', 200,
        'startedMs', 1, 'headersMs', latency / 4, 'firstEventMs', latency / 3, 'totalMs', latency, 'reason', 'priority 0')),
      jsonb_build_object('auth', 0.1, 'plan', 0.3, 'limits', 0.4, 'hold', 1.2, 'answer', latency, 'settle', latency + 1),
      NULL, 'bench/1.0'
    FROM (
      SELECT i, md5(i::text) AS noise, (i / 2) % 50 = 7 AS failed, 50 + i % 1900 AS prompt, 20 + i % 700 AS completion,
        (20 + (i * 7919) % 4000)::int AS latency,
        date_trunc('milliseconds', now() - interval '${DAYS} days' * (1 - i::float8 / ${rows})) AS at,
        CASE WHEN i % 2 = 0 THEN (i / 2) % ${KEYS_OF_OWNER} ELSE ${KEYS_OF_OWNER} + (i / 2) % ${others} END AS place
      FROM generate_series(${first}::bigint, ${last}::bigint) i
    ) made
    JOIN bench_keys k USING (place)
    CROSS JOIN (SELECT id, name FROM nodes ORDER BY name LIMIT 1) n
    ORDER BY i`;
}

const LEDGER = `
  INSERT INTO usage_ledger (request_id, key_id, user_id, model, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, cost_micro_cents, price_version, billing_source, created_at)
  SELECT request_id, key_id, user_id, model, prompt_tokens, 0, 0, completion_tokens, cost_micro_cents, price_version,
    CASE WHEN cost_micro_cents = 0 THEN 'none' ELSE 'upstream' END, created_at
  FROM request_log`;

const COUNTERS = `
  UPDATE api_keys k SET used_micro_cents = used_micro_cents + sums.cost
  FROM (SELECT key_id, sum(cost_micro_cents) AS cost FROM usage_ledger GROUP BY 1) sums WHERE sums.key_id = k.id;
  UPDATE users u SET used_micro_cents = used_micro_cents + sums.cost, request_count = request_count + sums.requests
  FROM (SELECT user_id, sum(cost_micro_cents) AS cost, count(*) AS requests FROM usage_ledger GROUP BY 1) sums
  WHERE sums.user_id = u.id`;

const BUCKET = "date_bin('15 minutes', created_at, '2000-01-01T00:00:00Z')";

function usageRollupSql(): string {
  return `
    INSERT INTO usage_rollups
    SELECT ${BUCKET}, user_id, key_id, model, count(*), count(error_code), sum(prompt_tokens), sum(completion_tokens),
      0, 0, sum(cost_micro_cents), sum(latency_ms), ${histogramSql()}, ${errorCountsSql()}
    FROM request_log GROUP BY 1, 2, 3, 4`;
}

function nodeRollupSql(): string {
  return `
    INSERT INTO node_rollups
    SELECT ${BUCKET}, node_id, model, count(*), count(error_code), sum(prompt_tokens), sum(completion_tokens),
      sum(cost_micro_cents), sum(latency_ms), ${histogramSql()} || ${histogramSql("ttft_ms")}
    FROM request_log GROUP BY 1, 2, 3`;
}

/** Requests in each latency bucket of a column: above the bound before it, up to its own. */
function histogramSql(column = "latency_ms"): string {
  const counts = Array.from({ length: LATENCY_BUCKETS }, (_, index) => {
    const above = LATENCY_BOUNDS_MS[index - 1];
    const upTo = LATENCY_BOUNDS_MS[index];
    const inside = [
      ...(above === undefined ? [] : [`${column} > ${above}`]),
      ...(upTo === undefined ? [] : [`${column} <= ${upTo}`]),
    ];
    return `count(*) FILTER (WHERE ${inside.join(" AND ")})::int`;
  });
  return `ARRAY[${counts.join(", ")}]`;
}

function errorCountsSql(): string {
  const counts = errorCodeOrder.map((code) => `count(*) FILTER (WHERE error_code = '${code}')::int`);
  return `ARRAY[${counts.join(", ")}]`;
}
