import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { migrate as applyAll } from "drizzle-orm/postgres-js/migrator";
import type { Database } from "@/lib/db/database";
import { runDirectory } from "./run-directory";

/** Gives an empty database the schema of an earlier version: that of the migrations up to this one. */
export async function migrateTo(database: Database, last: number): Promise<void> {
  const folder = mkdtempSync(path.join(runDirectory(), "migrations-"));
  cpSync(path.join(process.cwd(), "drizzle"), folder, { recursive: true });
  const file = path.join(folder, "meta", "_journal.json");
  const journal: { entries: { idx: number }[] } = JSON.parse(readFileSync(file, "utf8"));
  const entries = journal.entries.filter(({ idx }) => idx <= last);
  writeFileSync(file, JSON.stringify({ ...journal, entries }));
  try {
    await database.session(async ({ orm }) => {
      // The migrator only uses the dialect and the session of the handle.
      const handle = orm as unknown as Parameters<typeof applyAll>[0];
      await applyAll(handle, { migrationsFolder: folder });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
