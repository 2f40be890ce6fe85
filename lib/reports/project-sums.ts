import type { Session, SqlValue } from "@/lib/db/database";
import { centsDecimal } from "@/lib/kernel/money";
import { coveringRollups } from "./covering-rollups";
import { statsRange } from "./stats-range";

/** A project and the account that pays it. */
interface PaidProject {
  id: string;
  payer: { id: string };
}

/**
 * The projects with what their keys were billed in the last 30 days of a zone, today included. Units: cents, exact.
 */
export async function withBilled<Project extends PaidProject>(
  db: Session,
  projects: readonly Project[],
  timeZone: string,
  now: Date,
): Promise<(Project & { billed30d: string })[]> {
  const { starts, to } = statsRange("30d", timeZone, now.getTime());
  const rollups = await coveringRollups(db, starts.slice(0, 1), to);
  const idsOf = (values: string[]) => [...new Set(values)].join(",");
  const params: SqlValue[] = [
    ...rollups.params,
    idsOf(projects.map(({ payer }) => payer.id)),
    idsOf(projects.map(({ id }) => id)),
  ];
  const ids = (parameter: string) => `ANY(string_to_array(${parameter}::text, ',')::uuid[])`;
  const rows = await db.query<{ id: string; billed: string }>(
    `SELECT k.project_id AS id, sum(cost_micro_cents)::text AS billed
     FROM ${rollups.table(` AND user_id = ${ids("$3")}`)} found JOIN api_keys k ON k.id = found.key_id
     WHERE k.project_id = ${ids("$4")} GROUP BY k.project_id`,
    params,
  );
  const billed = new Map(rows.map((row) => [row.id, BigInt(row.billed)]));
  return projects.map((project) => ({ ...project, billed30d: centsDecimal(billed.get(project.id) ?? 0n) }));
}
