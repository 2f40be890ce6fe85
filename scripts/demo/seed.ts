import { randomBytes, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { createKey } from "@/lib/accounts/keys";
import type { UserRow } from "@/lib/accounts/session";
import { createUser, findUser } from "@/lib/accounts/users";
import { executeLedgerBatch, type LedgerWork } from "@/lib/billing/ledger-batch";
import { type Settlement, settlementRow } from "@/lib/billing/settlement";
import { missingModels } from "@/lib/config/apply-models";
import { StartupError } from "@/lib/config/startup-error";
import { readStoredConfig } from "@/lib/config/stored";
import { bumpConfigVersion } from "@/lib/db/config-version";
import type { Database, Orm } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { apiKeys, quotaGrants, users } from "@/lib/db/schema/accounts";
import { announcements, modelPrices, models, nodes, settingsTable } from "@/lib/db/schema/catalog";
import { usageLedger } from "@/lib/db/schema/usage";
import { DAY_MS } from "@/lib/kernel/durations";
import { MICRO_CENTS_PER_CENT, microCentsFromCents } from "@/lib/kernel/money";
import type { DemoAccount } from "@/lib/process/demo";
import { loadCatalog } from "@/lib/router/load-catalog";
import { storedPriceOf } from "@/lib/shared/prices/stored-price";
import { LIVE_KEY_SETTING } from "./live-traffic";
import { seededRandom } from "./random";
import { seedAudit } from "./seed-audit";
import { seedBudgets } from "./seed-budgets";
import {
  type DemoKey,
  type DemoPerson,
  demoAnnouncements,
  demoModels,
  demoPeople,
  EARLIER_PRICE,
  LIVE_KEY,
  UNREACHABLE_NODE,
} from "./seed-plan";
import { seedProjects } from "./seed-projects";
import { demoTraffic, type TrafficSource } from "./seed-traffic";

const SEEDED = "demo_seeded_at";
const SEED = 20_260_101;
const BATCH = 300;
const BEGINNING_DAYS = 31;

/**
 * Fills an installation with thirty days of simulated usage: accounts, keys in every state, models, a failing node,
 * a price change, a busy hour, an outage, and about 6,500 requests, settled through the same function as real ones so that all sums agree.
 * Shape: the created accounts; null when it ran before. Throws: StartupError when there is other usage.
 */
export async function seedDemo(db: Database, adminId: string, now: Date): Promise<DemoAccount[] | null> {
  if (await wasSeeded(db)) return null;
  await refuseUsedDatabase(db);
  await db.orm.transaction(async (tx) => {
    await tx.insert(nodes).values({
      name: UNREACHABLE_NODE,
      protocol: "chat",
      baseUrl: "http://127.0.0.1:9/v1",
      simulated: true,
    });
    const stored = await readStoredConfig(tx);
    const aliases = stored.models.map(({ alias }) => alias);
    const nodeIds = new Map(stored.nodes.map(({ name, id }) => [name, id]));
    for (const change of missingModels(aliases, demoModels, nodeIds)) await change(tx);
    await datePrices(tx, now);
    await bumpConfigVersion(tx);
  });
  const accounts: DemoAccount[] = [];
  const sources: TrafficSource[] = [];
  for (const person of demoPeople) {
    const { user, password } = await accountOf(db, person, adminId, now);
    if (password !== null) accounts.push({ username: user.username, password });
    for (const key of person.keys) sources.push(await sourceOf(db, user, person, key, now));
  }
  await seedProjects(db, adminId);
  const used = sources.filter((source) => source.weight > 0);
  await book(db, demoTraffic(await loadCatalog(db), used, now, seededRandom(SEED)));
  await beginEarlier(db, now);
  await endKeys(db, now);
  await seedAudit(db.orm, adminId, now);
  await seedBudgets(db, adminId);
  await rememberLiveKey(db);
  await announce(db.orm, now);
  await db.orm.insert(settingsTable).values({ name: SEEDED, value: now.toISOString() });
  return accounts;
}

/** Dates prices before the usage, and adds the one that was in force before the change. */
async function datePrices(tx: Orm, now: Date): Promise<void> {
  const daysBefore = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await tx.update(modelPrices).set({ validFrom: daysBefore(BEGINNING_DAYS) });
  const { alias, daysAgo, version, declared } = EARLIER_PRICE;
  const [model] = await tx.select({ id: models.id }).from(models).where(eq(models.alias, alias));
  if (model === undefined) throw new Error("the model of the price change does not exist");
  const own = eq(modelPrices.modelId, model.id);
  await tx
    .update(modelPrices)
    .set({ version: version + 1, validFrom: daysBefore(daysAgo) })
    .where(own);
  await tx.insert(modelPrices).values({
    modelId: model.id,
    version,
    ...storedPriceOf(declared),
    validFrom: daysBefore(BEGINNING_DAYS),
  });
}

async function wasSeeded(db: Database): Promise<boolean> {
  const rows = await db.orm.select().from(settingsTable).where(eq(settingsTable.name, SEEDED));
  return rows.length > 0;
}

async function refuseUsedDatabase(db: Database): Promise<void> {
  const [people, entries] = await Promise.all([
    db.orm.select({ id: users.id }).from(users).limit(2),
    db.orm.select({ id: usageLedger.requestId }).from(usageLedger).limit(1),
  ]);
  if (people.length > 1 || entries.length > 0)
    throw new StartupError("The demo's usage is for an empty database only:", [
      "this one has accounts or usage; start without DEMO_SEED, or set DATA_DIR to a new directory",
    ]);
}

async function accountOf(
  db: Database,
  person: DemoPerson,
  adminId: string,
  now: Date,
): Promise<{ user: UserRow; password: string | null }> {
  if (person.username === null) {
    const user = await findUser(db, adminId);
    if (user === null) throw new Error("the admin of the demo does not exist");
    await db.orm.update(users).set({ planId: person.planId }).where(eq(users.id, adminId));
    await grant(db, adminId, person.quotaCents, now);
    return { user: { ...user, planId: person.planId }, password: null };
  }
  const password = randomBytes(12).toString("base64url");
  const { username, planId } = person;
  const user = await createUser(db, { username, password }, { quotaCents: 0, planId });
  await grant(db, user.id, person.quotaCents, now);
  return { user, password };
}

/** Grants quota before the first usage; grants are append-only, so the row is inserted with its date. */
async function grant(db: Database, userId: string, cents: number, now: Date): Promise<void> {
  const createdAt = new Date(now.getTime() - BEGINNING_DAYS * DAY_MS);
  const amountMicroCents = microCentsFromCents(cents);
  await db.orm.transaction(async (tx) => {
    await tx
      .update(users)
      .set({ quotaMicroCents: sql`${users.quotaMicroCents} + ${amountMicroCents}` })
      .where(eq(users.id, userId));
    await tx
      .insert(quotaGrants)
      .values({ id: randomUUID(), userId, kind: "grant", amountMicroCents, reason: "Demo", createdAt });
  });
}

async function sourceOf(
  db: Database,
  user: UserRow,
  person: DemoPerson,
  key: DemoKey,
  now: Date,
): Promise<TrafficSource> {
  const { apiKey } = await createKey(
    db.orm,
    user,
    { name: key.name, models: key.models, planId: key.planId, quota: person.quotaCents },
    now,
  );
  if (key.name !== LIVE_KEY) await beginKeyEarlier(db, apiKey.id, now);
  const quietHours = key.state === "active" ? 0 : 5 * 24;
  return {
    keyId: apiKey.id,
    userId: user.id,
    weight: person.weight * key.share,
    models: key.models,
    quietHours,
  };
}

/** Uses the same batch as real settlements, so that counters, ledger, log and roll-ups agree. */
async function book(db: Database, settlements: readonly Settlement[]): Promise<void> {
  const first = settlements[0];
  if (first === undefined) return;
  await db.session((session) => makePartitions(session, first.createdAt, new Date()));
  const settings = { instanceId: "demo", quotaStrict: false, holdSeconds: 1 };
  for (let start = 0; start < settlements.length; start += BATCH) {
    const items = settlements
      .slice(start, start + BATCH)
      .map((settlement): LedgerWork => ({ kind: "settle", settlement, row: settlementRow(settlement) }));
    await executeLedgerBatch(db, settings, items);
  }
}

/** Tells the users of a change and of maintenance, and shows everybody how well each model answers. */
async function announce(orm: Orm, now: Date): Promise<void> {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  await orm.insert(announcements).values(
    demoAnnouncements.map(({ inDays: from, untilDays: until, ...fields }) => ({
      ...fields,
      from: inDays(from),
      until: inDays(until),
      createdAt: inDays(Math.min(from, -1)),
    })),
  );
  await orm.insert(settingsTable).values({ name: "status_page", value: "true" });
}

async function rememberLiveKey(db: Database): Promise<void> {
  const [key] = await db.orm.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.name, LIVE_KEY));
  if (key === undefined) throw new Error("the demo has no key for its live traffic");
  await db.orm.insert(settingsTable).values({ name: LIVE_KEY_SETTING, value: key.id });
}

/** Dates accounts before their usage. */
async function beginEarlier(db: Database, now: Date): Promise<void> {
  const createdAt = new Date(now.getTime() - BEGINNING_DAYS * DAY_MS);
  await db.orm.update(users).set({ createdAt });
}

/** Dates keys before their usage, except the live key, which is therefore first in every list. */
async function beginKeyEarlier(db: Database, keyId: string, now: Date): Promise<void> {
  const createdAt = new Date(now.getTime() - BEGINNING_DAYS * DAY_MS);
  await db.orm.update(apiKeys).set({ createdAt }).where(eq(apiKeys.id, keyId));
}

/** Sets the states of keys that cannot have traffic. */
async function endKeys(db: Database, now: Date): Promise<void> {
  for (const key of demoPeople.flatMap((person) => person.keys)) {
    if (key.state === "active") continue;
    await db.orm.update(apiKeys).set(endOf(key, now)).where(eq(apiKeys.name, key.name));
  }
}

function endOf(key: DemoKey, now: Date) {
  if (key.state === "disabled") return { status: "disabled" as const };
  if (key.state === "expired") return { expiresAt: new Date(now.getTime() - 4 * DAY_MS) };
  const whole = sql`${apiKeys.usedMicroCents} / ${MICRO_CENTS_PER_CENT}::bigint * ${MICRO_CENTS_PER_CENT}::bigint`;
  return { quotaMicroCents: whole };
}
