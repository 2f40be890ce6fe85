import { readFileSync, statSync } from "node:fs";
import type { Sql } from "postgres";

/** One statement as the database ran it, with its plan. */
export interface Plan {
  text: string;
  /** Rows that a sequential scan of the log has looked at. */
  scannedLogRows: number;
  /** Rows of the log that were read in any way. */
  readLogRows: number;
}

const NODE =
  /(?<kind>[A-Z][A-Za-z ]*?Scan)(?: Backward)?(?: using \w+)? on (?<table>request_log\w*).*?\(actual time=\S+ rows=(?<rows>[\d.]+) loops=(?<loops>\d+)\)/;
const REMOVED = /Rows Removed by (?:Filter|Index Recheck): (\d+)/;

/**
 * Enables logging of the measured plan of every statement, with buffers. Ends all other sessions, so that they
 * reconnect with these settings.
 */
export async function explainEverything(sql: Sql): Promise<void> {
  const settings = {
    session_preload_libraries: "'auto_explain'",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
  };
  await sql.unsafe("LOAD 'auto_explain'");
  const [row] = await sql<{ name: string }[]>`SELECT current_database() AS name`;
  for (const [name, value] of Object.entries(settings))
    await sql.unsafe(`ALTER DATABASE ${row?.name} SET ${name} = ${value}`);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
}

/** The current end of the server's log. */
export function logEnd(logFile: string): number {
  return statSync(logFile).size;
}

/** The plans of statements on the log or the roll-ups after a position in the server's log. */
export function plansSince(logFile: string, start: number): Plan[] {
  const text = readFileSync(logFile).subarray(start).toString("utf8");
  return text
    .split(/^(?=\d{4}-\d{2}-\d{2} )/m)
    .filter((entry) => entry.includes("  plan:") && /request_log|_rollups/.test(entry))
    .map((entry) =>
      planOf(
        entry
          .replace(/^\S+ \S+ \S+ \[\d+\] /, "")
          .replaceAll("\n\t", "\n")
          .trimEnd(),
      ),
    );
}

/** Reads the numbers of a plan in the text form of EXPLAIN (ANALYZE, BUFFERS). */
export function planOf(text: string): Plan {
  let scannedLogRows = 0;
  let readLogRows = 0;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const node = NODE.exec(line)?.groups;
    if (!node) continue;
    const loops = Number(node.loops);
    const rows = (Number(node.rows) + removedBelow(lines, index)) * loops;
    readLogRows += rows;
    if (node.kind === "Seq Scan" || node.kind === "Parallel Seq Scan") scannedLogRows += rows;
  }
  return { text, scannedLogRows, readLogRows };
}

/** The filter's line stands among the few lines below its node. */
function removedBelow(lines: readonly string[], index: number): number {
  let removed = 0;
  for (const line of lines.slice(index + 1)) {
    if (line.includes("->")) break;
    removed += Number(REMOVED.exec(line)?.[1] ?? 0);
  }
  return removed;
}
