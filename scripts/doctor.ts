import { existsSync } from "node:fs";
import path from "node:path";
import { decryptCredential } from "@/lib/config/credentials";
import { parseSettings, type Settings, secretSettingNames, settingNames } from "@/lib/config/env";
import { foreignKeys } from "@/lib/config/fingerprints";
import { type KeyRing, loadSecrets, type Secrets } from "@/lib/config/secrets";
import { isStartupError } from "@/lib/config/startup-error";
import { type Database, openDatabase } from "@/lib/db/client";
import { DataDirectoryBusyError } from "@/lib/db/data-lock";
import { schemaVersion } from "@/lib/db/migrate";
import { nodes } from "@/lib/db/schema/catalog";
import { databaseState } from "./doctor/database";
import { dataDirectory } from "./doctor/disk";
import { type Finding, ill, messageOf, well } from "./doctor/finding";
import { runningServer } from "./doctor/running";

const WAIT_MS = 5_000;

/** Looks at everything the gateway needs; secrets are masked. Changes nothing. Source: contract 1 (`npm run doctor`). */
export async function examine(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const findings = [well("node", `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`)];
  let settings: Settings;
  try {
    settings = parseSettings(env);
  } catch (error) {
    if (!isStartupError(error)) throw error;
    return [...findings, ...error.problems.map((problem) => ill("settings", problem))];
  }
  findings.push(...settings.warnings.map((warning) => ill("settings", warning)), ...givenSettings(env));
  return [
    ...findings,
    ...(await runningServer(settings)),
    ...(await dataDirectory(settings)),
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

async function redis(settings: Settings): Promise<Finding> {
  if (settings.redisUrl === null) return well("redis", "not used; limits are kept in memory");
  const { Redis } = await import("ioredis");
  const client = new Redis(settings.redisUrl, {
    lazyConnect: true,
    connectTimeout: WAIT_MS,
    retryStrategy: () => null,
  });
  client.on("error", () => {}); // the failed command below says the same
  try {
    await client.connect();
    return well("redis", `answers ${await client.ping()}`);
  } catch (error) {
    return ill("redis", `cannot be reached (${messageOf(error)}); start it or correct REDIS_URL`);
  } finally {
    client.disconnect();
  }
}

async function storage(settings: Settings): Promise<Finding[]> {
  if (settings.databaseUrl === null && !existsSync(path.join(settings.dataDir, "pg")))
    return [well("database", `embedded, not made yet; npm start makes it in ${settings.dataDir}`)];
  let db: Database;
  try {
    db = await openDatabase({ url: settings.databaseUrl, dataDir: settings.dataDir });
  } catch (error) {
    if (error instanceof DataDirectoryBusyError)
      return [
        well("database", `embedded, in use by process ${error.pid}; stop it to have the contents examined`),
      ];
    return [ill("database", `cannot be opened (${messageOf(error)}); check DATABASE_URL and DATA_DIR`)];
  }
  try {
    return await contents(db, settings);
  } finally {
    await db.close();
  }
}

async function contents(db: Database, settings: Settings): Promise<Finding[]> {
  const { applied, known } = await schemaVersion(db).catch(() => ({ applied: 0, known: 1 }));
  if (applied < known)
    return [well("database", `${db.kind}; ${known - applied} migrations to come with the next start`)];
  const generated = settings.authSecret === null || settings.encryptionKey === null;
  if (generated && !existsSync(path.join(settings.dataDir, "secrets.json")))
    return [ill("keys", `secrets.json is missing in ${settings.dataDir}; restore it before the next start`)];
  const secrets = await loadSecrets(settings);
  const rows = await db.orm.select().from(nodes);
  const reached = await Promise.all(
    rows.filter((row) => row.enabled).map((row) => node(row, secrets.credentials)),
  );
  const state = await databaseState(db);
  return [well("database", `${db.kind}, schema is current`), ...state, await keys(db, secrets), ...reached];
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

async function node(row: typeof nodes.$inferSelect, ring: KeyRing): Promise<Finding> {
  const subject = `node ${row.name}`;
  if (row.simulated) return well(subject, "simulated; runs inside the server");
  try {
    const url = row.protocol === "chat" ? `${row.baseUrl}/models` : `${row.baseUrl}/v1/models`;
    const headers = { ...row.headers, ...credentialHeaders(row, ring) };
    const response = await fetch(url, { headers, redirect: "error", signal: AbortSignal.timeout(WAIT_MS) });
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403)
      return ill(subject, `refuses its credential (${response.status}); set a valid apiKey`);
    return response.status < 500
      ? well(subject, `answers ${response.status}`)
      : ill(subject, `answers ${response.status}`);
  } catch (error) {
    return ill(
      subject,
      `cannot be reached (${messageOf(error)}); check its baseUrl and this machine's network`,
    );
  }
}

function credentialHeaders(row: typeof nodes.$inferSelect, ring: KeyRing): Record<string, string> {
  const { credential, credentialKeyId } = row;
  if (credential === null || credentialKeyId === null) return {};
  const secret = decryptCredential(ring, row.id, { credential, credentialKeyId });
  return row.protocol === "chat"
    ? { authorization: `Bearer ${secret}` }
    : { "x-api-key": secret, "anthropic-version": "2023-06-01" };
}
