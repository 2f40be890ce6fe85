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
] as const satisfies readonly (keyof LogEntry)[];

/** The header line of an export. */
export const csvHeader = line(COLUMNS);

/** The columns of a file by their names, with their values. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** Turns batches of log entries into the bytes of a CSV file; `further` columns follow those of an entry. */
export function csvStream<Entry extends LogEntry>(
  batches: AsyncGenerator<Entry[]>,
  further: Columns<Entry> = {},
): ReadableStream<Uint8Array> {
  const columns = COLUMNS.map((column) => [column, (entry: Entry) => textOf(entry[column])] as const);
  return csvOf(batches, { ...Object.fromEntries(columns), ...further });
}

/** Turns batches of rows into the bytes of a CSV file, one batch per pull. Shape: RFC 4180, UTF-8. */
export function csvOf<Row>(
  batches: AsyncGenerator<Row[]>,
  columns: Columns<Row>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const read = Object.values(columns);
  const lineOf = (row: Row) => line(read.map((value) => value(row)));
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(line(Object.keys(columns)))),
    async pull(controller) {
      const next = await batches.next();
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

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function textOf(value: LogEntry[keyof LogEntry]): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.join("; ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([tool, calls]) => `${tool}=${calls}`)
    .join("; ");
}
