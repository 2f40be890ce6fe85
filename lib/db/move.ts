import { getTableConfig, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type { Session } from "./database";
import { makePartitions } from "./partitions";
import { onlyRow } from "./rows";
import * as tables from "./schema/tables";

const PAGE_ROWS = 1_000;
const MOVE_MARKER = "moving_from_another_database";

/** A checksum over every value of every row, independent of their order. */
const DIGEST = "sum(('x' || left(md5(to_jsonb(t)::text), 15))::bit(60)::bigint)::text";

/** How many rows of a table have been copied, of how many. */
export interface MoveProgress {
  table: string;
  rows: number;
  total: number;
}

/** The target contains data that no move copied. */
export class TargetNotEmptyError extends Error {
  constructor() {
    super("the target database already holds accounts; move into an empty one");
    this.name = "TargetNotEmptyError";
  }
}

/** A table differs between source and target after copying. */
export class MoveMismatchError extends Error {
  constructor(table: string, source: string, target: string) {
    super(
      `${table} differs after copying: source ${source}, target ${target}; move into a new, empty database`,
    );
    this.name = "MoveMismatchError";
  }
}

/** Parents before children; the list of live processes is not copied. */
const copyOrder: readonly PgTable[] = [
  tables.plans,
  tables.users,
  tables.logViews,
  tables.projects,
  tables.projectMembers,
  tables.apiKeys,
  tables.budgets,
  tables.budgetExceptions,
  tables.budgetWindows,
  tables.quotaGrants,
  tables.invitations,
  tables.logins,
  tables.loginThrottle,
  tables.auditLog,
  tables.nodes,
  tables.models,
  tables.routes,
  tables.modelPrices,
  tables.settingsTable,
  tables.announcements,
  tables.usageHolds,
  tables.usageLedger,
  tables.requestLog,
  tables.usageRollups,
  tables.nodeRollups,
  tables.statements,
  tables.statementLines,
];

/** Tables whose rows never change; the database enforces it. */
const appendOnly: ReadonlySet<PgTable> = new Set<PgTable>([
  tables.quotaGrants,
  tables.auditLog,
  tables.usageLedger,
  tables.statements,
  tables.statementLines,
]);

/**
 * Copies everything into a migrated, empty database and compares row counts, the sums of all numbers and a digest of
 * every row. The source is only read and must have no writer meanwhile. An interrupted move continues; rows that have
 * changed in the source since then are copied again.
 * Throws: TargetNotEmptyError, MoveMismatchError, the databases' errors. Source: docs/contract.md#s1 (`db:move`).
 */
export async function moveDatabase(
  source: Session,
  target: Session,
  onProgress: (progress: MoveProgress) => void,
): Promise<void> {
  await claimTarget(target);
  await makeLogPartitions(source, target);
  for (const table of copyOrder) await copyTable(source, target, table, onProgress);
  for (const table of copyOrder.toReversed()) await deleteRemovedRows(source, target, table);
  for (const table of copyOrder) await compareTable(source, target, table);
  await continueWindowIds(target);
  await target.query("DELETE FROM settings WHERE name = $1", [MOVE_MARKER]);
}

/** The next window of a rule gets an id after those that were copied. */
async function continueWindowIds(target: Session): Promise<void> {
  await target.query(
    "SELECT setval(pg_get_serial_sequence('budget_windows', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM budget_windows), false)",
  );
}

/** The marker distinguishes a target with an incomplete move from a database in use. */
async function claimTarget(target: Session): Promise<void> {
  const rows = await target.query<{ marked: boolean; used: boolean }>(
    "SELECT EXISTS (SELECT 1 FROM settings WHERE name = $1) AS marked, EXISTS (SELECT 1 FROM users) AS used",
    [MOVE_MARKER],
  );
  const { marked, used } = onlyRow(rows);
  if (used && !marked) throw new TargetNotEmptyError();
  await target.query("INSERT INTO settings (name, value) VALUES ($1, '') ON CONFLICT DO NOTHING", [
    MOVE_MARKER,
  ]);
}

async function makeLogPartitions(source: Session, target: Session): Promise<void> {
  const now = new Date();
  const rows = await source.query<{ oldest: Date | null }>(
    "SELECT min(created_at) AS oldest FROM request_log",
  );
  await makePartitions(target, onlyRow(rows).oldest ?? now, now);
}

async function copyTable(
  source: Session,
  target: Session,
  table: PgTable,
  onProgress: (progress: MoveProgress) => void,
): Promise<void> {
  const { name } = getTableConfig(table);
  const total = await countRows(source, name);
  let rows = 0;
  for await (const page of pagesOf(source, table)) {
    // The last page is empty; only an empty table reports it.
    if (page.length === 0 && rows > 0) break;
    if (page.length > 0) await writePage(target, table, page);
    rows += page.length;
    onProgress({ table: name, rows, total });
  }
}

/** All rows in the order of the primary key; the last page is empty. */
async function* pagesOf(session: Session, table: PgTable): AsyncGenerator<MovedRow[]> {
  let last: string[] | null = null;
  do {
    const page: MovedRow[] = await readPage(session, table, last);
    last = page.at(-1)?.key ?? null;
    yield page;
  } while (last !== null);
}

/** A row as JSON text, which preserves every value exactly, and its primary key. */
interface MovedRow {
  row: string;
  key: string[];
}

/** The page of rows after the key `last`, in the order of the primary key. */
function readPage(session: Session, table: PgTable, last: string[] | null): Promise<MovedRow[]> {
  const { name } = getTableConfig(table);
  const key = primaryKeyOf(table);
  const columns = key.map((column) => `t."${column.name}"`).join(", ");
  const texts = key.map((column) => `t."${column.name}"::text`).join(", ");
  const bound = key.map((column, index) => `$${index + 1}::text::${column.getSQLType()}`).join(", ");
  const condition = last === null ? "" : `WHERE (${columns}) > (${bound})`;
  return session.query(
    `SELECT to_jsonb(t)::text AS row, ARRAY[${texts}] AS key FROM "${name}" t ${condition}
     ORDER BY ${columns} LIMIT ${PAGE_ROWS}`,
    last ?? [],
  );
}

async function writePage(target: Session, table: PgTable, page: readonly MovedRow[]): Promise<void> {
  const { name, columns } = getTableConfig(table);
  const key = primaryKeyOf(table);
  const changes = columns
    .filter(({ name: column }) => !key.some((part) => part.name === column))
    .map(({ name: column }) => `"${column}" = excluded."${column}"`);
  const onConflict =
    appendOnly.has(table) || changes.length === 0
      ? "ON CONFLICT DO NOTHING"
      : `ON CONFLICT (${key.map((part) => `"${part.name}"`).join(", ")}) DO UPDATE SET ${changes.join(", ")}`;
  await target.query(`INSERT INTO "${name}" SELECT * FROM ${rowsOf(name)} ${onConflict}`, [jsonOf(page)]);
}

/** Deletes rows that an earlier, interrupted move copied and that the source no longer has. */
async function deleteRemovedRows(source: Session, target: Session, table: PgTable): Promise<void> {
  const { name } = getTableConfig(table);
  if (appendOnly.has(table) || (await countRows(source, name)) === (await countRows(target, name))) return;
  const same = primaryKeyOf(table)
    .map((part) => `t."${part.name}" = gone."${part.name}"`)
    .join(" AND ");
  for await (const page of pagesOf(target, table)) {
    const removed = await source.query<MovedRow>(
      `SELECT to_jsonb(gone)::text AS row FROM ${rowsOf(name)} gone
       WHERE NOT EXISTS (SELECT 1 FROM "${name}" t WHERE ${same})${holdsMarker(table) ? ` AND gone.name <> '${MOVE_MARKER}'` : ""}`,
      [jsonOf(page)],
    );
    if (removed.length > 0)
      await target.query(`DELETE FROM "${name}" t USING ${rowsOf(name)} gone WHERE ${same}`, [
        jsonOf(removed),
      ]);
  }
}

/** The rows of the first parameter as a table. */
function rowsOf(name: string): string {
  return `jsonb_populate_recordset(NULL::"${name}", $1::text::jsonb)`;
}

function jsonOf(rows: readonly Pick<MovedRow, "row">[]): string {
  return `[${rows.map(({ row }) => row).join(",")}]`;
}

/** True for the settings table, which holds the marker of a running move in the target. */
function holdsMarker(table: PgTable): boolean {
  return table === tables.settingsTable;
}

async function compareTable(source: Session, target: Session, table: PgTable): Promise<void> {
  const { name, columns } = getTableConfig(table);
  const numbers = columns.filter((column) => ["bigint", "integer"].includes(column.getSQLType()));
  const sums = numbers.map((column) => `, '${column.name}', sum("${column.name}")::text`).join("");
  const sql = `SELECT jsonb_build_object('rows', count(*)${sums}, 'digest', ${DIGEST})::text AS summary
    FROM "${name}" t${holdsMarker(table) ? ` WHERE name <> '${MOVE_MARKER}'` : ""}`;
  const before = onlyRow(await source.query<{ summary: string }>(sql)).summary;
  const after = onlyRow(await target.query<{ summary: string }>(sql)).summary;
  if (before !== after) throw new MoveMismatchError(name, before, after);
}

async function countRows(session: Session, name: string): Promise<number> {
  return Number(
    onlyRow(await session.query<{ rows: bigint }>(`SELECT count(*) AS rows FROM "${name}"`)).rows,
  );
}

function primaryKeyOf(table: PgTable): PgColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const composite = primaryKeys[0]?.columns;
  if (!composite) return columns.filter((column) => column.primary);
  // The columns of a composite key are placeholders without a type.
  return composite.flatMap(({ name }) => columns.filter((column) => column.name === name));
}
