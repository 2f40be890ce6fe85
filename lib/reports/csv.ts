import type { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import type { LogEntry } from "./logs";

const COLUMNS = [
  "requestId",
  "createdAt",
  "tokenId",
  "tokenName",
  "keyPrefix",
  "model",
  "protocol",
  "stream",
  "status",
  "httpStatus",
  "errorCode",
  "promptTokens",
  "completionTokens",
  "totalTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "usageSource",
  "cost",
  "latencyMs",
  "ttftMs",
  "attemptCount",
  "warnings",
  "operation",
  "hostedCalls",
  "pricedAs",
] as const satisfies readonly (keyof LogEntry)[];

/** A text, or a decimal number, whose minus sign does not begin a formula. */
type Value = string | { readonly number: string };

/** The columns of a file by their names, with their values. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Value>>;

/** The account of an export, the beginning of its file, and the semaphore of reports. */
export interface ExportBounds {
  reports: FairSemaphore;
  accountId: string;
  /** Whether the file begins with a byte order mark, which programs would read as part of the first name. */
  bom?: boolean | undefined;
}

/**
 * How long a batch after the first waits for other reports; long, so that an export that has begun is rarely cut off.
 */
const LATER_WAIT_MS = 60_000;

/** As `csvOf` for log entries; `further` columns follow those of an entry. */
export function csvStream<Entry extends LogEntry>(
  batches: AsyncGenerator<Entry[]>,
  bounds: ExportBounds,
  further: Columns<Entry> = {},
): Promise<ReadableStream<Uint8Array>> {
  const columns = COLUMNS.map(
    (column) => [column === "cost" ? "costCents" : column, (entry: Entry) => textOf(entry[column])] as const,
  );
  return csvOf(batches, bounds, { ...Object.fromEntries(columns), ...further });
}

/**
 * Turns batches of rows into the bytes of a CSV file, one batch per pull, each read within the bounds of reports. The
 * first batch is read at once, so that its error becomes an error reply instead of a broken file. Shape: RFC 4180,
 * UTF-8.
 * Throws: NO_AVAILABLE_NODE while too many reports run; what the first batch throws.
 */
export async function csvOf<Row>(
  batches: AsyncGenerator<Row[]>,
  { reports, accountId, bom }: ExportBounds,
  columns: Columns<Row>,
): Promise<ReadableStream<Uint8Array>> {
  let first: IteratorResult<Row[]> | null = await reports.run(accountId, () => batches.next());
  const encoder = new TextEncoder();
  const read = Object.values(columns);
  const lineOf = (row: Row) => line(read.map((value) => value(row)));
  return new ReadableStream({
    start: (controller) =>
      controller.enqueue(encoder.encode((bom === true ? "\uFEFF" : "") + line(Object.keys(columns)))),
    async pull(controller) {
      const next = first ?? (await reports.run(accountId, () => batches.next(), LATER_WAIT_MS));
      first = null;
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value.map(lineOf).join("")));
    },
    async cancel() {
      await batches.return(undefined);
    },
  });
}

/** A cell that spreadsheets do not interpret as a formula. See RFC 4180. Source: docs/reliability.md#s3-11. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\n\0＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function line(values: readonly Value[]): string {
  const cells = values.map((value) => (typeof value === "string" ? csvCell(value) : value.number));
  return `${cells.join(",")}\r\n`;
}

function textOf(value: LogEntry[keyof LogEntry]): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.join("; ");
  if (typeof value !== "object") return String(value);
  return membersOf(value).join("; ");
}

/** The members of an object, and of objects in it, as `name=value`. */
function membersOf(value: object): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === "object" && member !== null ? membersOf(member) : [`${name}=${member}`],
  );
}
