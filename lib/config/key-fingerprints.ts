import { inArray, sql } from "drizzle-orm";
import type { Database, Session } from "@/lib/db/database";
import { settingsTable } from "@/lib/db/schema/catalog";
import { runExclusively } from "./exclusively";
import type { MasterKey, Secrets } from "./secrets";
import { StartupError } from "./startup-error";

const VARIABLES: Readonly<Record<MasterKey, string>> = { auth: "AUTH_SECRET", encryption: "ENCRYPTION_KEY" };

const MASTER_KEYS: readonly MasterKey[] = ["auth", "encryption"];

/**
 * Refuses to start on a database that was written with other keys, and stores fingerprints of the current keys. A key
 * with a configured predecessor is a rotation. `acceptNew` accepts that the former keys are lost; `replicas`: how many
 * processes serve together. When several start at once, each sees what the one before it has stored. `say` is called
 * with a line about every wait for another process.
 * Throws: StartupError that says what to do. Source: docs/contract.md#s3-keys.
 */
export async function checkFingerprints(
  db: Database,
  secrets: Secrets,
  { acceptNew, replicas, say }: { acceptNew: boolean; replicas: number; say?: (line: string) => void },
): Promise<void> {
  const stored = await storedFingerprints(db);
  if (MASTER_KEYS.every((key) => stored.get(settingOf(key)) === secrets.fingerprints[key].current)) return;
  const store = async (session: Session) => {
    const foreign = await foreignKeys(session, secrets);
    if (foreign.length > 0 && !acceptNew) throw refusal(foreign, replicas);
    const values = MASTER_KEYS.map((key) => ({
      name: settingOf(key),
      value: secrets.fingerprints[key].current,
    }));
    await session.orm
      .insert(settingsTable)
      .values(values)
      .onConflictDoUpdate({ target: settingsTable.name, set: { value: sql`excluded.value` } });
  };
  await runExclusively(db, store, say && { say });
}

/** The master keys that differ from those this database was written with. Changes nothing. */
export async function foreignKeys(db: Session, secrets: Secrets): Promise<MasterKey[]> {
  const stored = await storedFingerprints(db);
  return MASTER_KEYS.filter((key) => {
    const known = stored.get(settingOf(key));
    return known !== undefined && !isKnown(known, secrets.fingerprints[key]);
  });
}

async function storedFingerprints(db: Session): Promise<Map<string, string>> {
  const rows = await db.orm
    .select()
    .from(settingsTable)
    .where(inArray(settingsTable.name, MASTER_KEYS.map(settingOf)));
  return new Map(rows.map((row) => [row.name, row.value]));
}

function isKnown(stored: string, own: { current: string; previous: string | null }): boolean {
  return stored === own.current || stored === own.previous;
}

function settingOf(key: MasterKey): string {
  return `${key}_key_fingerprint`;
}

function refusal(foreign: MasterKey[], replicas: number): StartupError {
  const names = foreign.map((key) => VARIABLES[key]);
  const found =
    replicas > 1
      ? `all replicas need the same ${names.join(" and the same ")}: set here what the other replicas have`
      : "if the data directory was lost or another one is used, bring its secrets.json back (DATA_DIR), or set the former values in the environment";
  return new StartupError(`This database was written with another ${names.join(" and another ")}:`, [
    found,
    ...names.map(
      (name) => `to change ${name} on purpose, set ${name}_PREVIOUS to the former value for a while`,
    ),
    "if the former keys are lost for good, start once with ACCEPT_NEW_KEYS=1: everybody signs in again, and upstream credentials have to be entered anew",
  ]);
}
