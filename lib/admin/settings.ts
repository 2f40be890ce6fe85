import { inArray, sql } from "drizzle-orm";
import { INVITE_REWARD_SETTING } from "@/lib/accounts/users";
import { holdMicroCents, MAX_TOKENS } from "@/lib/billing/price";
import type { Settings } from "@/lib/config/env";
import { isPublic } from "@/lib/config/env-fields";
import type { Session } from "@/lib/db/database";
import { settingsTable } from "@/lib/db/schema/catalog";
import { centsCeilString } from "@/lib/kernel/usage";
import type { CatalogSnapshot } from "@/lib/router/catalog";
import { type Actor, recordAudit } from "./audit";

/** Settings that admins change at run time. Units: whole cents. */
export interface AdminSettings {
  inviteRewardCents: number;
  /** Whether everybody may see how well each model answers. Source: docs/contract.md#uptime. */
  statusPage: boolean;
}

/** The rows of `settings` that hold them. */
const settingNames = {
  inviteRewardCents: INVITE_REWARD_SETTING,
  statusPage: "status_page",
} as const satisfies Record<keyof AdminSettings, string>;

/** Reads the settings. */
export async function readSettings({ orm }: Pick<Session, "orm">): Promise<AdminSettings> {
  const rows = await orm
    .select()
    .from(settingsTable)
    .where(inArray(settingsTable.name, Object.values(settingNames)));
  const stored = (setting: keyof AdminSettings) =>
    rows.find(({ name }) => name === settingNames[setting])?.value;
  return {
    inviteRewardCents: Number(stored("inviteRewardCents") ?? 0),
    statusPage: stored("statusPage") === "true",
  };
}

/** Changes settings; absent ones stay. Source: docs/contract.md#s4 (`inviteCode`). */
export async function updateSettings(
  db: Session,
  actor: Actor,
  change: { [Name in keyof AdminSettings]?: AdminSettings[Name] | undefined },
): Promise<void> {
  await db.orm.transaction(async (tx) => {
    // Nobody else changes them between the read and the write: the audit tells what was replaced.
    await tx.execute(sql`LOCK TABLE ${settingsTable} IN SHARE ROW EXCLUSIVE MODE`);
    const before = await readSettings({ orm: tx });
    for (const setting of ["inviteRewardCents", "statusPage"] as const) {
      if (change[setting] === undefined) continue;
      const [name, value] = [settingNames[setting], String(change[setting])];
      await tx
        .insert(settingsTable)
        .values({ name, value })
        .onConflictDoUpdate({ target: settingsTable.name, set: { value } });
      await recordAudit(tx, actor, {
        action: "setting.update",
        targetType: "setting",
        targetId: name,
        before: { [setting]: before[setting] },
        after: { [setting]: change[setting] },
      });
    }
  });
}

const MINUTES_PER_HOUR = 60;
/** Assumed for a model without a configured context window or output limit. */
const UNKNOWN_WINDOW = 200_000;
const UNKNOWN_OUTPUT = 8_192;

/** How much anybody can spend through registration. Units: cents; large amounts as decimal text. */
export interface OpenRegistration {
  /** The quota of a new account. */
  quotaCents: number;
  /** The reward of the inviter of a new account. */
  rewardCents: number;
  /** Accounts that one address may register in an hour. */
  accountsPerHour: number;
  /** The total quota of these accounts. */
  centsPerHour: string;
  /** The most that the last request of each may cost beyond its quota; `"0"` when such requests are refused. */
  lastRequestCents: string;
}

/**
 * The quota of a new account. Unless SIGNUP_QUOTA_CENTS is set, it is 0 when the gateway is public and has real nodes;
 * computed for each account, because nodes can change at any time. Source: docs/contract.md#b18.
 */
export function signupQuotaCents(settings: Settings, catalog: CatalogSnapshot): number {
  if (settings.signupQuotaGiven || !isPublic(settings) || !hasRealNode(catalog))
    return settings.signupQuotaCents;
  return 0;
}

/**
 * How much open registration lets anybody spend; null when registration is not public or no node costs money.
 * It is the sum of the quotas that one address can get in an hour. Plans do not reduce it: their limits apply per key,
 * an account may have many keys, and a single request larger than a limit is admitted. Source: docs/contract.md#b18.
 */
export async function openRegistration(
  db: Session,
  settings: Settings,
  catalog: CatalogSnapshot,
): Promise<OpenRegistration | null> {
  if (!settings.allowRegistration || !isPublic(settings) || !hasRealNode(catalog)) return null;
  const quotaCents = signupQuotaCents(settings, catalog);
  const { inviteRewardCents: rewardCents } = await readSettings(db);
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
  if (open.centsPerHour === "0")
    return `${begin}: they can spend nothing, since a new account has no quota until an admin grants one; set SIGNUP_QUOTA_CENTS to give it one, or ALLOW_REGISTRATION=0 to close registration`;
  const reward = open.rewardCents === 0 ? "" : ` and ¥${yuan(open.rewardCents)} for the invitation`;
  const remedy =
    open.rewardCents === 0
      ? "SIGNUP_QUOTA_CENTS=0 or ALLOW_REGISTRATION=0"
      : "ALLOW_REGISTRATION=0, or SIGNUP_QUOTA_CENTS=0 and the reward of invitations to 0";
  const last =
    open.lastRequestCents === "0"
      ? ""
      : `, and beyond it the last request of each account, up to ¥${yuan(open.lastRequestCents)} (QUOTA_STRICT=1 refuses it)`;
  return `${begin}: from one address they can spend ¥${yuan(open.centsPerHour)} an hour (${open.accountsPerHour} accounts with a quota of ¥${yuan(open.quotaCents)}${reward} each: 60 times REGISTER_PER_IP_PER_MINUTE, times SIGNUP_QUOTA_CENTS; plans limit how fast, not how much)${last}; set ${remedy}`;
}

/** Whole cents as yuan with two decimals. */
function yuan(cents: number | string): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function hasRealNode({ nodes }: CatalogSnapshot): boolean {
  return [...nodes.values()].some((node) => !node.simulated);
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
    const cost = holdMicroCents(input, output, price);
    if (cost > most) most = cost;
  }
  return most;
}
