import type { Session } from "@/lib/db/database";
import { badField } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/money";
import { periodOf } from "./period-of";
import { statsRange } from "./stats-range";

/** The most rows of an answer. */
const MAX_ROWS = 20_000;

interface NodeDayRow {
  day: string;
  node_id: string;
  node: string | null;
  model: string;
  attempts: string;
  failures: string;
  costed: string;
  prompt: string;
  completion: string;
  cost: string;
}

interface RouteRow {
  alias: string;
  node_id: string;
  upstream_model: string;
}

/**
 * What was asked of nodes by UTC day and alias, with the cost there, to be compared with a provider's bill; without days
 * of the last 30. Throws: INVALID_REQUEST as `statsRange`, and for more rows than an answer has. Source: docs/contract.md#provider-bill.
 */
export async function readProviderBill(
  db: Session,
  request: { from?: string | undefined; to?: string | undefined; nodes?: readonly string[] | undefined },
  now: Date,
) {
  const range = statsRange(periodOf({ period: "30d", ...request }), "UTC", now.getTime());
  const rows = await db.query<NodeDayRow>(
    `SELECT to_char(r.bucket AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, r.node_id, n.name AS node, r.model,
       sum(r.attempt_count)::text AS attempts, sum(r.failure_count)::text AS failures,
       sum(r.costed_count)::text AS costed, sum(r.prompt_tokens)::text AS prompt,
       sum(r.completion_tokens)::text AS completion, sum(r.node_cost_micro_cents)::text AS cost
     FROM node_rollups r LEFT JOIN nodes n ON n.id = r.node_id
     WHERE r.bucket >= $1::timestamptz AND r.bucket < $2::timestamptz
       AND ($3::text IS NULL OR r.node_id = ANY(string_to_array($3::text, ',')::uuid[]))
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 3, 2, 4 LIMIT ${MAX_ROWS + 1}`,
    [new Date(range.starts[0] ?? range.to), new Date(range.to), request.nodes?.join(",") ?? null],
  );
  if (rows.length > MAX_ROWS)
    throw badField("from", `must be nearer: there are more than ${MAX_ROWS} rows`, "time_too_long");
  const upstreamModels = await readUpstreamModels(db);
  return {
    from: range.dates[0] ?? "",
    to: range.dates.at(-1) ?? "",
    rows: rows.map((row) => ({
      day: row.day,
      nodeId: row.node_id,
      node: row.node ?? "",
      model: row.model,
      upstreamModels: upstreamModels.get(`${row.node_id} ${row.model}`) ?? [],
      attemptCount: Number(row.attempts),
      failureCount: Number(row.failures),
      costedCount: Number(row.costed),
      promptTokens: Number(row.prompt),
      completionTokens: Number(row.completion),
      cost: row.costed === "0" ? null : centsDecimal(BigInt(row.cost)),
    })),
  };
}

/** The upstream models of an alias at a node, by both, as routes are now. */
async function readUpstreamModels(db: Session): Promise<Map<string, string[]>> {
  const routes = await db.query<RouteRow>(
    `SELECT DISTINCT m.alias, r.node_id, r.upstream_model
     FROM routes r JOIN models m ON m.id = r.model_id ORDER BY 3`,
  );
  const found = new Map<string, string[]>();
  for (const { alias, node_id, upstream_model } of routes) {
    const id = `${node_id} ${alias}`;
    found.set(id, [...(found.get(id) ?? []), upstream_model]);
  }
  return found;
}
