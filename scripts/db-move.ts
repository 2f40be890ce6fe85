import { existsSync } from "node:fs";
import path from "node:path";
import { parseSettings, type Settings } from "@/lib/config/env";
import { openDatabase } from "@/lib/db/client";
import { DataDirectoryBusyError } from "@/lib/db/data-lock";
import type { Database } from "@/lib/db/database";
import { migrate, schemaVersion } from "@/lib/db/migrate";
import { moveDatabase } from "@/lib/db/move";
import { keepFilesPrivate } from "@/lib/db/private-directory";
import { startError } from "@/lib/process/start-problems";

/**
 * Copies the embedded database of `DATA_DIR` into an empty PostgreSQL and compares rows and sums. The source is only
 * read; an interrupted move continues where it stopped. Returns the lines to print at the end.
 * Throws: Error with a readable message. Source: docs/contract.md#s1 (`db:move`).
 */
export async function moveTo(url: string, say: (line: string) => void): Promise<string> {
  keepFilesPrivate();
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Error("--to wants an address like postgres://user@host/name");
  // The address is held to the rules of DATABASE_URL.
  const settings = parseSettings({ ...process.env, DATABASE_URL: url, REPLICAS: undefined });
  const source = await openSource(settings);
  try {
    const target = await openTarget(url, settings);
    try {
      await target.session((session) =>
        moveDatabase(source, session, ({ table, rows, total }) => {
          if (rows === total || rows % 100_000 === 0) say(`${table.padEnd(16)} ${rows} of ${total}`);
        }),
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  return `Moved; every row and sum agrees. The embedded database in ${settings.dataDir} is as it was.
Set DATABASE_URL to the new one and keep DATA_DIR: its secrets.json opens the credentials.`;
}

async function openSource({ dataDir }: Settings): Promise<Database> {
  if (!existsSync(path.join(dataDir, "pg")))
    throw new Error(`There is no embedded database in ${dataDir}; DATA_DIR names its directory.`);
  let source: Database;
  try {
    source = await openDatabase({ url: null, dataDir });
  } catch (error) {
    if (!(error instanceof DataDirectoryBusyError)) throw startError(error, { databaseUrl: null, dataDir });
    throw new Error(`The embedded database is in use by process ${error.pid}; stop it before the move.`);
  }
  const { applied, known } = await schemaVersion(source);
  if (applied === known) return source;
  await source.close();
  throw new Error(
    applied < known
      ? "The embedded database is of an older version; start the server once, stop it, and move then."
      : "The embedded database is of a newer version than this program.",
  );
}

async function openTarget(url: string, { dataDir }: Settings): Promise<Database> {
  let target: Database | null = null;
  try {
    target = await openDatabase({ url, dataDir });
    await migrate(target);
    return target;
  } catch (cause) {
    await target?.close();
    const { problems } = startError(cause, { databaseUrl: url, dataDir });
    throw new Error(`PostgreSQL cannot be opened: ${problems.join("; ")}`, { cause });
  }
}
