import { getTableConfig, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type { Session } from "./client";
import { makePartitions } from "./partitions";
import * as tables from "./schema/tables";

const PAGE_ROWS = 1_000;
const MARK = "moving_from_another_database";

/** How many rows of a table have been copied; `rows` grows until it is `total`. */
export interface MoveProgress {
  table: string;
  rows: number;
  total: number;
}

/** The target holds data that did not come from a move. */
export class TargetNotEmptyError extends Error {
  constructor() {
    super("the target database already holds accounts; move into an empty one");
    this.name = "TargetNotEmptyError";
  }
}

/** A table is not the same on both sides after copying. */
export class MoveMismatchError extends Error {
  constructor(table: string, source: string, target: string) {
    super(`${table} differs after copying: source ${source}, target ${target}`);
    this.name = "MoveMismatchError";
  }
}

/** Parents before children; live processes are not copied. */
const order: readonly PgTable[] = [
  tables.plans,
  tables.users,
  tables.apiKeys,
  tables.quotaGrants,
  tables.loginThrottle,
  tables.auditLog,
  tables.nodes,
  tables.models,
  tables.routes,
  tables.modelPrices,
  tables.settingsTable,
  tables.usageHolds,
  tables.usageLedger,
  tables.requestLog,
  tables.usageRollups,
  tables.nodeRollups,
];

/**
 * Copies everything into a migrated, empty database and compares row counts and the sums of all numbers. The source
 * is only read and must have no writer. A move that was interrupted goes on where rows are missing.
 * Throws: TargetNotEmptyError, MoveMismatchError, the databases' errors. Source: contract 1 (`db:move`).
 */
export async function moveDatabase(
  source: Session,
  target: Session,
  onProgress: (progress: MoveProgress) => void,
): Promise<void> {
  await claimTarget(target);
  await makeLogPartitions(source, target);
  for (const table of order) await copyTable(source, target, table, onProgress);
  await target.query("DELETE FROM settings WHERE name = $1", [MARK]);
  for (const table of order) await compareTable(source, target, table);
}

/** The mark tells a target with half a move in it from one that somebody uses. */
async function claimTarget(target: Session): Promise<void> {
  const [found] = await target.query<{ marked: boolean; used: boolean }>(
    "SELECT EXISTS (SELECT 1 FROM settings WHERE name = $1) AS marked, EXISTS (SELECT 1 FROM users) AS used",
    [MARK],
  );
  if (found?.used && !found.marked) throw new TargetNotEmptyError();
  await target.query("INSERT INTO settings (name, value) VALUES ($1, '') ON CONFLICT DO NOTHING", [MARK]);
}

async function makeLogPartitions(source: Session, target: Session): Promise<void> {
  const now = new Date();
  const [row] = await source.query<{ oldest: Date | null }>(
    "SELECT min(created_at) AS oldest FROM request_log",
  );
  await makePartitions(target, row?.oldest ?? now, now);
}

async function copyTable(
  source: Session,
  target: Session,
  table: PgTable,
  onProgress: (progress: MoveProgress) => void,
): Promise<void> {
  const { name } = getTableConfig(table);
  const key = primaryKeyOf(table);
  const total = await countRows(source, name);
  let rows = 0;
  let last: string[] | null = null;
  do {
    const page: { row: string; key: string[] }[] = await readPage(source, name, key, last);
    if (page.length > 0) await writePage(target, name, page);
    last = page.at(-1)?.key ?? null;
    rows += page.length;
    onProgress({ table: name, rows, total });
  } while (last !== null);
}

/** Rows in the order of the primary key, behind the last one; each as JSON text, in which no value loses anything. */
function readPage(
  source: Session,
  name: string,
  key: readonly PgColumn[],
  last: string[] | null,
): Promise<{ row: string; key: string[] }[]> {
  const columns = key.map((column) => `t."${column.name}"`).join(", ");
  const texts = key.map((column) => `t."${column.name}"::text`).join(", ");
  const bound = key.map((column, index) => `$${index + 1}::text::${column.getSQLType()}`).join(", ");
  const behind = last === null ? "" : `WHERE (${columns}) > (${bound})`;
  return source.query(
    `SELECT to_jsonb(t)::text AS row, ARRAY[${texts}] AS key FROM "${name}" t ${behind}
     ORDER BY ${columns} LIMIT ${PAGE_ROWS}`,
    last ?? [],
  );
}

async function writePage(target: Session, name: string, page: readonly { row: string }[]): Promise<void> {
  await target.query(
    `INSERT INTO "${name}" SELECT * FROM jsonb_populate_recordset(NULL::"${name}", $1::text::jsonb) ON CONFLICT DO NOTHING`,
    [`[${page.map(({ row }) => row).join(",")}]`],
  );
}

async function compareTable(source: Session, target: Session, table: PgTable): Promise<void> {
  const { name, columns } = getTableConfig(table);
  const numbers = columns.filter((column) => ["bigint", "integer"].includes(column.getSQLType()));
  const sums = numbers.map((column) => `, '${column.name}', sum("${column.name}")::text`).join("");
  const sql = `SELECT jsonb_build_object('rows', count(*)${sums})::text AS summary FROM "${name}"`;
  const [before] = await source.query<{ summary: string }>(sql);
  const [after] = await target.query<{ summary: string }>(sql);
  if (!before || before.summary !== after?.summary) {
    throw new MoveMismatchError(name, before?.summary ?? "nothing", after?.summary ?? "nothing");
  }
}

async function countRows(session: Session, name: string): Promise<number> {
  const [row] = await session.query<{ rows: bigint }>(`SELECT count(*) AS rows FROM "${name}"`);
  return Number(row?.rows ?? 0n);
}

function primaryKeyOf(table: PgTable): PgColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const composite = primaryKeys[0]?.columns;
  if (!composite) return columns.filter((column) => column.primary);
  // The columns of a composite key are stand-ins that do not know their type.
  return composite.flatMap(({ name }) => columns.filter((column) => column.name === name));
}
