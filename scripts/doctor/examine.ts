import { existsSync } from "node:fs";
import path from "node:path";
import { TransactionRollbackError } from "drizzle-orm";
import { openRegistration, readSettings, registrationWarning } from "@/lib/admin/settings";
import { openRedisLimiter } from "@/lib/admission/redis";
import { RedisTroubles } from "@/lib/admission/redis-trouble";
import { parseSettings, type Settings, secretSettingNames, settingNames } from "@/lib/config/env";
import { readConfigFile } from "@/lib/config/file";
import { foreignKeys } from "@/lib/config/key-fingerprints";
import { loadSecrets, type Secrets } from "@/lib/config/secrets";
import { isStartupError } from "@/lib/config/startup-error";
import { openDatabase } from "@/lib/db/client";
import { DataDirectoryBusyError } from "@/lib/db/data-lock";
import type { Database } from "@/lib/db/database";
import { refusalOfSchema, schemaVersion } from "@/lib/db/migrate";
import { keepFilesPrivate } from "@/lib/db/private-directory";
import { startError } from "@/lib/process/start-problems";
import { loadCatalog } from "@/lib/router/load-catalog";
import { databaseState } from "./database";
import { dataDirectory } from "./disk";
import { type Finding, ill, well } from "./finding";
import { everyNode } from "./nodes";
import { runningServer } from "./running";

/**
 * Checks everything that the gateway needs; masks secrets. Changes nothing. Source: docs/contract.md#s1 (`npm run
 * doctor`).
 */
export async function examine(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  keepFilesPrivate();
  const findings = [well("node", `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`)];
  let settings: Settings;
  try {
    settings = parseSettings(env);
  } catch (error) {
    if (!isStartupError(error)) throw error;
    return [...findings, ...error.problems.map((problem) => ill("settings", problem))];
  }
  const warnings = [...settings.warnings, ...settings.unusedProxies];
  findings.push(...warnings.map((warning) => ill("settings", warning)), ...givenSettings(env));
  return [
    ...findings,
    ...(await runningServer(settings)),
    ...(await dataDirectory(settings).catch((error: unknown) =>
      problemsOf(error, settings).map((problem) => ill("disk", problem)),
    )),
    ...(await configuration(settings)),
    await redis(settings),
    ...(await storage(settings)),
  ];
}

function givenSettings(env: Readonly<Record<string, string | undefined>>): Finding[] {
  const given = settingNames.filter((name) => env[name]);
  if (given.length === 0) return [well("settings", "none given; defaults everywhere")];
  return given.map((name) =>
    well("settings", `${name}=${secretSettingNames.includes(name) ? "(set)" : env[name]}`),
  );
}

async function configuration(settings: Settings): Promise<Finding[]> {
  const { configFile } = settings;
  if (configFile === null) return [];
  try {
    await readConfigFile(configFile);
    return [well("file", `${configFile} is understood`)];
  } catch (error) {
    return problemsOf(error, settings).map((problem) => ill("file", problem));
  }
}

/** What an error says that prevents a start, in the start's own words. */
function problemsOf(error: unknown, settings: Settings): readonly string[] {
  return startError(error, settings).problems;
}

async function redis(settings: Settings): Promise<Finding> {
  if (settings.redisUrl === null) return well("redis", "not used; limits are kept in memory");
  let found: string | null = null;
  const troubles = new RedisTroubles((trouble) => {
    found ??= trouble;
  });
  const limiter = await openRedisLimiter(settings.redisUrl, {
    liveReplicas: () => 1,
    onError: (error) => troubles.see(error),
  });
  const { degraded } = limiter.status();
  await limiter.close();
  return degraded
    ? ill("redis", found ?? "cannot be reached; start it or correct REDIS_URL")
    : well("redis", "does what the limits need");
}

async function storage(settings: Settings): Promise<Finding[]> {
  if (settings.databaseUrl === null && !existsSync(path.join(settings.dataDir, "pg")))
    return [
      well(
        "database",
        `embedded (evaluation, one node), not made yet; npm start makes it in ${settings.dataDir}`,
      ),
    ];
  let db: Database;
  try {
    db = await openDatabase({ url: settings.databaseUrl, dataDir: settings.dataDir });
  } catch (error) {
    if (error instanceof DataDirectoryBusyError)
      return [
        well("database", `embedded, in use by process ${error.pid}; stop it to have the contents examined`),
      ];
    return problemsOf(error, settings).map((problem) => ill("database", problem));
  }
  try {
    return await contents(db, settings);
  } catch (error) {
    return problemsOf(error, settings).map((problem) => ill("database", problem));
  } finally {
    await db.close();
  }
}

/** The embedded database is named with what it is for. */
function databaseName(db: Database): string {
  return db.kind === "embedded" ? "embedded (evaluation, one node; DATABASE_URL for PostgreSQL)" : db.kind;
}

async function contents(db: Database, settings: Settings): Promise<Finding[]> {
  const { applied, known } = await schemaVersion(db).catch(() => ({ applied: 0, known: 1 }));
  const refusal = applied > known ? await refusalOfSchema(db) : null;
  if (refusal !== null) return [ill("database", refusal)];
  if (applied < known) await tryToCreate(db, applied === 0);
  if (applied < known)
    return [well("database", `${db.kind}; ${known - applied} migrations to come with the next start`)];
  const generated = settings.authSecret === null || settings.encryptionKey === null;
  if (generated && !existsSync(path.join(settings.dataDir, "secrets.json")))
    return [ill("keys", `secrets.json is missing in ${settings.dataDir}; restore it before the next start`)];
  const found = [
    well("database", `${databaseName(db)}, schema is current`),
    ...(await databaseState(db, settings)),
  ];
  let secrets: Secrets;
  try {
    secrets = await loadSecrets(settings);
  } catch (error) {
    return [...found, ...problemsOf(error, settings).map((problem) => ill("keys", problem))];
  }
  return [
    ...found,
    await keys(db, secrets),
    ...(await registrationFindings(db, settings)),
    ...(await everyNode(db, secrets, settings)),
  ];
}

/** Creates what a migration creates, and takes it back. Throws: the database's error when a right is missing. */
async function tryToCreate(db: Database, withSchema: boolean): Promise<void> {
  if (db.kind === "embedded") return;
  const created = db.orm.transaction(async (tx) => {
    if (withSchema) await tx.execute("CREATE SCHEMA tollgate_examined");
    await tx.execute("CREATE TABLE public.tollgate_examined ()");
    tx.rollback();
  });
  await created.catch((error: unknown) => {
    if (!(error instanceof TransactionRollbackError)) throw error;
  });
}

async function keys(db: Database, secrets: Secrets): Promise<Finding> {
  const foreign = await foreignKeys(db, secrets);
  return foreign.length === 0
    ? well("keys", "are those of the database")
    : ill(
        "keys",
        `this database was written with another ${foreign.join(" and ")} key; npm start says what to do`,
      );
}

/** How much open registration lets anybody spend, with the nodes of the last start in the database. */
async function registrationFindings(db: Database, settings: Settings): Promise<Finding[]> {
  const open = openRegistration(settings, await loadCatalog(db), await readSettings(db));
  if (open === null) return [];
  const text = registrationWarning(open);
  return [open.centsPerHour === "0" ? well("registration", text) : ill("registration", text)];
}
