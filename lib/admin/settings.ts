import { eq, inArray, sql } from "drizzle-orm";
import type { UserRow } from "@/lib/accounts/session";
import {
  createUser,
  INVITE_REWARD_SETTING,
  NEW_ACCOUNT_PLAN_SETTING,
  type NewUser,
} from "@/lib/accounts/users";
import type { Settings } from "@/lib/config/env";
import { isPublic } from "@/lib/config/hosts";
import type { Orm, Session } from "@/lib/db/database";
import { plans } from "@/lib/db/schema/accounts";
import { settingsTable } from "@/lib/db/schema/catalog";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { centsCeilString } from "@/lib/kernel/money";
import type { CatalogSnapshot } from "@/lib/router/catalog";
import { MAX_TOKENS } from "@/lib/shared/prices/cost";
import { type HoldTerms, holdMicroCents } from "@/lib/shared/prices/hold";
import type { Prices } from "@/lib/shared/prices/price-version";
import { specialPricesOf } from "@/lib/shared/prices/special-prices";
import { type Actor, recordAudit, recordOwnAct } from "./audit";
import { userRecordOf } from "./user-records";

/** Who may register: anybody, anybody with an invite code, anybody with the code of an invitation, or nobody. */
export type Registration = "open" | "invited" | "invitation" | "closed";

/** The name of the gateway unless an admin sets another one. */
export const PRODUCT_NAME = "Tollgate";

/** Settings that admins change at run time. Units: whole cents. */
export interface AdminSettings {
  inviteRewardCents: number;
  /** Whether everybody may see the availability of each model. Source: docs/contract.md#uptime. */
  statusPage: boolean;
  /** With `ALLOW_REGISTRATION=0` registration is closed whatever this is. Source: docs/contract.md#registration. */
  registration: Registration;
  /** Null: derived from the environment. Source: docs/contract.md#registration. */
  newAccountQuotaCents: number | null;
  /** Null: the first self-service plan, which also replaces a plan that was deleted since. */
  newAccountPlanId: number | null;
  /**
   * How users reach the admins: a text, an e-mail address or a link; null: not shown. Source:
   * docs/contract.md#settings.
   */
  contact: string | null;
  /** The gateway's name on the pages; null: `PRODUCT_NAME`. Source: docs/contract.md#settings. */
  name: string | null;
  /** Where alerts are posted; a secret: only its host is shown. Null: nowhere. Source: docs/contract.md#alerts. */
  alertUrl: string | null;
}

/** The rows of `settings` that hold these values. */
const settingNames = {
  inviteRewardCents: INVITE_REWARD_SETTING,
  statusPage: "status_page",
  registration: "registration",
  newAccountQuotaCents: "new_account_quota_cents",
  newAccountPlanId: NEW_ACCOUNT_PLAN_SETTING,
  contact: "contact",
  name: "name",
  alertUrl: "alert_url",
} as const satisfies Record<keyof AdminSettings, string>;

/** Reads the settings. */
export async function readSettings({ orm }: Pick<Session, "orm">): Promise<AdminSettings> {
  const rows = await orm
    .select()
    .from(settingsTable)
    .where(inArray(settingsTable.name, Object.values(settingNames)));
  const stored = (setting: keyof AdminSettings) =>
    rows.find(({ name }) => name === settingNames[setting])?.value;
  const number = (setting: keyof AdminSettings) => {
    const text = stored(setting);
    return text === undefined ? null : Number(text);
  };
  return {
    inviteRewardCents: Number(stored("inviteRewardCents") ?? 0),
    statusPage: stored("statusPage") === "true",
    registration: registrationOf(stored("registration")),
    newAccountQuotaCents: number("newAccountQuotaCents"),
    newAccountPlanId: number("newAccountPlanId"),
    contact: stored("contact") ?? null,
    name: stored("name") ?? null,
    alertUrl: stored("alertUrl") ?? null,
  };
}

/** An unknown stored text counts as closed. */
function registrationOf(stored: string | undefined): Registration {
  if (stored === undefined) return "open";
  return stored === "open" || stored === "invited" || stored === "invitation" ? stored : "closed";
}

/** Changes settings; absent ones stay. Source: docs/contract.md#settings. */
export async function updateSettings(
  db: Session,
  actor: Actor,
  change: { [Name in keyof AdminSettings]?: AdminSettings[Name] | undefined },
): Promise<void> {
  await db.orm.transaction(async (tx) => {
    // No other transaction changes them between the read and the write, so the audit records the replaced values.
    await tx.execute(sql`LOCK TABLE ${settingsTable} IN SHARE ROW EXCLUSIVE MODE`);
    const before = await readSettings({ orm: tx });
    await requirePlan(tx, change.newAccountPlanId ?? null);
    // The object literal above has exactly these keys.
    for (const setting of Object.keys(settingNames) as (keyof AdminSettings)[]) {
      if (change[setting] === undefined) continue;
      const name = settingNames[setting];
      await store(tx, name, change[setting]);
      await recordAudit(tx, actor, {
        action: "setting.update",
        targetType: "setting",
        targetId: name,
        before: { [setting]: shownSetting(setting, before[setting]) },
        after: { [setting]: shownSetting(setting, change[setting]) },
      });
    }
  });
}

/** The value of a setting that may be shown: of a secret address only its host. */
export function shownSetting<Value>(setting: keyof AdminSettings, value: Value): Value | string {
  return setting === "alertUrl" && typeof value === "string" ? new URL(value).host : value;
}

/** Throws: INVALID_REQUEST when there is no such plan. */
async function requirePlan(tx: Orm, planId: number | null): Promise<void> {
  if (planId === null) return;
  const [plan] = await tx.select({ id: plans.id }).from(plans).where(eq(plans.id, planId));
  if (plan === undefined) throw badField("newAccountPlanId", "is not the id of a plan");
}

/** Null is stored as no row. */
async function store(tx: Orm, name: string, value: AdminSettings[keyof AdminSettings]): Promise<void> {
  if (value === null) {
    await tx.delete(settingsTable).where(eq(settingsTable.name, name));
    return;
  }
  const text = String(value);
  await tx
    .insert(settingsTable)
    .values({ name, value: text })
    .onConflictDoUpdate({ target: settingsTable.name, set: { value: text } });
}

const MINUTES_PER_HOUR = 60;
/** Assumed for a model without a configured context window or output limit. */
const UNKNOWN_WINDOW = 200_000;
const UNKNOWN_OUTPUT = 8_192;

/** How much anybody can spend by registering accounts. Units: cents; large amounts as decimal text. */
export interface OpenRegistration {
  /** The quota of a new account. */
  quotaCents: number;
  /** The reward of the inviter of a new account. */
  rewardCents: number;
  /** Accounts that one address may register in an hour. */
  accountsPerHour: number;
  /** The total quota of these accounts. */
  centsPerHour: string;
  /** The most that the last request of each account may cost beyond its quota; `"0"` when such requests are refused. */
  lastRequestCents: string;
}

/**
 * Who may register now: `ALLOW_REGISTRATION=0` closes registration whatever is stored. Source:
 * docs/contract.md#registration.
 */
export function registrationNow(
  { allowRegistration }: Settings,
  { registration }: Pick<AdminSettings, "registration">,
): Registration {
  return allowRegistration ? registration : "closed";
}

/**
 * The quota of a new account according to the environment. Unless SIGNUP_QUOTA_CENTS is set, it is 0 when the gateway
 * is public and has real nodes; computed for each account, because nodes can change at any time.
 * Source: docs/contract.md#b18.
 */
export function signupQuotaCents(settings: Settings, catalog: CatalogSnapshot): number {
  if (settings.signupQuotaGiven || !isPublic(settings) || !hasRealNode(catalog))
    return settings.signupQuotaCents;
  return 0;
}

/**
 * The quota of a new account: the one that an admin has set, else the one derived from the environment. Units: whole
 * cents.
 */
export function quotaOfNewAccount(
  settings: Settings,
  catalog: CatalogSnapshot,
  { newAccountQuotaCents }: Pick<AdminSettings, "newAccountQuotaCents">,
): number {
  return newAccountQuotaCents ?? signupQuotaCents(settings, catalog);
}

/** True when anybody can register an account that has quota for a call. */
export function strangersCanSpend(
  settings: Settings,
  catalog: CatalogSnapshot,
  stored: AdminSettings,
): boolean {
  return registrationNow(settings, stored) === "open" && quotaOfNewAccount(settings, catalog, stored) > 0;
}

/** The refusal while registration is closed. Throws: nothing; returns the error to throw. */
export function registrationClosed(): GatewayError {
  return new GatewayError("FORBIDDEN", "Registration is closed here.", { reason: "registration_closed" });
}

/** The kind of invite code that each registration mode requires. */
const needed = { open: undefined, invited: "code", invitation: "invitation" } as const;

/**
 * Creates the account of a person who registers, by the settings that are stored at this moment.
 * Throws: FORBIDDEN with a reason, and what `createUser` throws. Source: docs/contract.md#registration.
 */
export async function register(
  db: Session,
  settings: Settings,
  catalog: CatalogSnapshot,
  input: NewUser,
  ip: string,
): Promise<UserRow> {
  const stored = await readSettings(db);
  const registration = registrationNow(settings, stored);
  if (registration === "closed") throw registrationClosed();
  const terms = {
    quotaCents: quotaOfNewAccount(settings, catalog, stored),
    needs: needed[registration],
  };
  return createUser(db, input, terms, async (tx, user, invitation) => {
    const actor = { id: user.id, username: user.username, ip };
    const { planId, quota, invitedBy } = userRecordOf(user);
    await recordOwnAct(tx, actor, "user.register", user.id, { planId, quota, invitedBy });
    if (invitation === null) return;
    const target = { targetType: "invitation", targetId: invitation.id } as const;
    const after = { note: invitation.note };
    await recordAudit(tx, actor, { action: "invitation.use", ...target, after });
  });
}

/**
 * How much anybody can spend through open registration; null when registration is not open, the gateway is not public
 * or no node costs money. It is the sum of the quotas that one address can get in an hour. Plans do not reduce it:
 * their limits apply per key, an account may have many keys, and a single request larger than a limit is admitted.
 * Source: docs/contract.md#b18.
 */
export function openRegistration(
  settings: Settings,
  catalog: CatalogSnapshot,
  stored: AdminSettings,
): OpenRegistration | null {
  if (registrationNow(settings, stored) !== "open" || !isPublic(settings) || !hasRealNode(catalog))
    return null;
  const quotaCents = quotaOfNewAccount(settings, catalog, stored);
  const rewardCents = stored.inviteRewardCents;
  const accountsPerHour = settings.registerPerIpPerMinute * MINUTES_PER_HOUR;
  const spendable = quotaCents + rewardCents > 0;
  return {
    quotaCents,
    rewardCents,
    accountsPerHour,
    centsPerHour: String(BigInt(accountsPerHour) * (BigInt(quotaCents) + BigInt(rewardCents))),
    lastRequestCents: spendable && !settings.quotaStrict ? centsCeilString(dearestRequest(catalog)) : "0",
  };
}

/** The warning for the log and the doctor. */
export function registrationWarning(open: OpenRegistration): string {
  const begin = "registration is open to strangers, and there are nodes that cost money";
  const ways = "ask for invite codes or close registration in /admin/settings, or set ALLOW_REGISTRATION=0";
  if (open.centsPerHour === "0")
    return `${begin}: they can spend nothing, since a new account has no quota until an admin grants one; set one, ${ways}`;
  const reward = open.rewardCents === 0 ? "" : ` and ¥${yuan(open.rewardCents)} for the invitation`;
  const nothing =
    open.rewardCents === 0
      ? "set the quota of a new account to 0"
      : "set the quota of a new account and the reward of invitations to 0";
  const last =
    open.lastRequestCents === "0"
      ? ""
      : `, and beyond it the last request of each account, up to ¥${yuan(open.lastRequestCents)} (QUOTA_STRICT=1 refuses it)`;
  return `${begin}: from one address they can spend ¥${yuan(open.centsPerHour)} an hour (${open.accountsPerHour} accounts with a quota of ¥${yuan(open.quotaCents)}${reward} each: 60 times REGISTER_PER_IP_PER_MINUTE; plans limit how fast, not how much)${last}; ${nothing}, ${ways}`;
}

/** Whole cents as yuan with two decimals. */
function yuan(cents: number | string): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function hasRealNode({ nodes }: CatalogSnapshot): boolean {
  return [...nodes.values()].some((node) => !node.simulated);
}

/** Any service tier, and every kind of tokens that has a price. */
function mostTerms(price: Prices): HoldTerms {
  return { service: "any", window: null, kinds: specialPricesOf(price).kinds };
}

/**
 * The cost of a full context and the longest answer of the most expensive model with a real node. Units: micro-cents.
 */
function dearestRequest({ models, nodes }: CatalogSnapshot): bigint {
  let most = 0n;
  for (const { routes, contextWindow, maxOutputTokens, price } of models.values()) {
    if (!routes.some(({ nodeId }) => nodes.get(nodeId)?.simulated === false)) continue;
    const input = Math.min(MAX_TOKENS, contextWindow ?? UNKNOWN_WINDOW);
    const output = Math.min(MAX_TOKENS, maxOutputTokens ?? UNKNOWN_OUTPUT);
    const cost = holdMicroCents(input, output, price, mostTerms(price));
    if (cost > most) most = cost;
  }
  return most;
}
