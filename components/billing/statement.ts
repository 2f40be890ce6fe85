import { compareCodes } from "@/lib/shared/collate";
import { centsToYuan, fromScaled, sumDecimals, toScaled } from "@/lib/shared/decimal";
import { dayInZone } from "@/lib/shared/zoned-time";
import { callApi } from "../api/client";
import type { LedgerEntry, LedgerMonth, Stats } from "../api/types";

/** The types of movements that are no usage. */
const creditTypes = ["signup", "grant", "invite", "adjustment"] as const;

/** Usage of one model or key, or of all. Units: exact decimal cents. */
export interface UsageLine {
  id: string;
  name: string;
  keyPrefix: string | null;
  requestCount: number;
  promptTokens: number;
  completionTokens: number;
  cost: string;
}

/** One account's month; `closing` is the opening balance with all that follows it. Units: exact decimal cents. */
export interface Statement {
  opening: string;
  movements: LedgerEntry[];
  /** Added by movements beyond those that are listed. */
  others: string;
  models: UsageLine[];
  keys: UsageLine[];
  usage: UsageLine;
  closing: string;
}

/** The first and the last day of a month. */
export function daysOf(month: string): { from: string; to: string } {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1, 0);
  return { from: `${month}-01`, to: next.toISOString().slice(0, 10) };
}

/** The months of a zone from the one of `createdAt` until the one of `now`, newest first. */
export function monthsSince(createdAt: string, now: number, timeZone: string): string[] {
  const first = dayInZone(new Date(createdAt), timeZone).slice(0, 7);
  const months: string[] = [];
  const at = new Date(`${dayInZone(new Date(now), timeZone).slice(0, 7)}-01T00:00:00Z`);
  for (let month = monthOf(at); month >= first; month = monthOf(at)) {
    months.push(month);
    at.setUTCMonth(at.getUTCMonth() - 1);
  }
  return months;
}

const monthOf = (date: Date) => date.toISOString().slice(0, 7);

/** Movements of one type that are listed: ten pages. */
const MAX_PAGES = 10;

/** Reads the statement of a month of a zone. */
export async function readStatement(month: string, tz: string, signal: AbortSignal): Promise<Statement> {
  const days = daysOf(month);
  // Statistics take no day of the future.
  const today = dayInZone(new Date(), tz);
  const to = days.to < today ? days.to : today;
  const asked = { from: days.from, to, tz, groupBy: "key" };
  const [{ data: months }, stats, ...movements] = await Promise.all([
    callApi("GET /api/user/ledger/months", { signal, query: { to: days.to, tz } }),
    callApi("GET /api/user/stats", { signal, query: asked }),
    ...creditTypes.map((type) => readMovements(type, { ...days, tz }, signal)),
  ]);
  return statementOf(month, { months, movements: movements.flat(), stats });
}

async function readMovements(
  type: LedgerEntry["type"],
  days: { from: string; to: string; tz: string },
  signal: AbortSignal,
): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: Record<string, string | number | null> = { ...days, type, cursor, pageSize: 100 };
    const answer = await callApi("GET /api/user/ledger", { signal, query });
    found.push(...answer.data);
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  return found;
}

/** Puts a statement together; `months` are those until this one, newest first. */
export function statementOf(
  month: string,
  read: { months: readonly LedgerMonth[]; movements: readonly LedgerEntry[]; stats: Stats },
): Statement {
  const [last] = read.months;
  const isThis = last?.month === month;
  const after = toScaled(last?.balanceAfter ?? "0");
  const added = isThis ? toScaled(last.added) : 0n;
  const opening = isThis ? after - added + toScaled(last.charged) : after;
  const usage = { ...line, ...read.stats.totals };
  const listed = toScaled(sumDecimals(read.movements.map(({ amount }) => amount)));
  return {
    opening: fromScaled(opening),
    movements: read.movements.toSorted((a, b) => compareCodes(a.createdAt, b.createdAt)),
    others: fromScaled(added - listed),
    models: read.stats.modelBreakdown.map((row) => ({ ...line, ...row, id: row.model, name: row.model })),
    keys: keysOf(read.stats),
    usage,
    closing: fromScaled(opening + added - toScaled(usage.cost)),
  };
}

const line = { id: "", name: "", keyPrefix: null };

/** The keys; those beyond the ones that statistics list are one line without a name. */
function keysOf({ groups }: Stats): UsageLine[] {
  const rows = groups?.rows.map((row) => ({ ...line, ...row })) ?? [];
  const others = groups?.others ?? null;
  return others === null ? rows : [...rows, { ...line, ...others, id: "others" }];
}

/** The sum of the movements of each type that occurs. */
export function creditsOf({ movements }: Statement): { type: LedgerEntry["type"]; amount: string }[] {
  return creditTypes.flatMap((type) => {
    const amounts = movements.filter((row) => row.type === type).map(({ amount }) => amount);
    return amounts.length === 0 ? [] : [{ type, amount: sumDecimals(amounts) }];
  });
}

/** The words of a statement's file. */
interface StatementWords {
  columns: Record<"part" | "date" | "name" | "prefix" | "requests" | "input" | "output" | "amount", string>;
  parts: Record<"opening" | "closing" | "others" | "models" | "keys", string>;
  typeOf: (type: LedgerEntry["type"]) => string;
  nameOf: { model: (line: UsageLine) => string; key: (line: UsageLine) => string };
}

/** The lines of a statement as a file, with exact amounts in yuan. */
export function statementFile(
  month: string,
  statement: Statement,
  { columns, parts, typeOf, nameOf }: StatementWords,
): Array<Array<string | number>> {
  const days = daysOf(month);
  const balance = (part: string, date: string, cents: string) => [
    part,
    date,
    "",
    "",
    "",
    "",
    "",
    centsToYuan(cents),
  ];
  const used = (part: string, name: (line: UsageLine) => string) => (row: UsageLine) => [
    part,
    month,
    name(row),
    row.keyPrefix ?? "",
    row.requestCount,
    row.promptTokens,
    row.completionTokens,
    centsToYuan(fromScaled(-toScaled(row.cost))),
  ];
  return [
    [
      columns.part,
      columns.date,
      columns.name,
      columns.prefix,
      columns.requests,
      columns.input,
      columns.output,
      `${columns.amount} CNY`,
    ],
    balance(parts.opening, days.from, statement.opening),
    ...statement.movements.map((row) => [
      typeOf(row.type),
      row.createdAt,
      row.reason,
      "",
      "",
      "",
      "",
      centsToYuan(row.amount),
    ]),
    ...(statement.others === "0" ? [] : [balance(parts.others, month, statement.others)]),
    ...statement.models.map(used(parts.models, nameOf.model)),
    ...statement.keys.map(used(parts.keys, nameOf.key)),
    balance(parts.closing, days.to, statement.closing),
  ];
}
