import { holdMicroCents, MAX_TOKENS } from "@/lib/billing/price";
import type { Settings } from "@/lib/config/env";
import { isPublic } from "@/lib/config/public-address";
import type { Session } from "@/lib/db/database";
import { centsCeilString } from "@/lib/kernel/money";
import type { CatalogSnapshot } from "@/lib/router/catalog";
import { readSettings } from "./settings";

const MINUTES_PER_HOUR = 60;
/** Assumed of a model of which nobody has said how much it takes and gives. */
const UNKNOWN_WINDOW = 200_000;
const UNKNOWN_OUTPUT = 8_192;

/** What strangers may do who register themselves. Units: cents, amounts that may be large as decimal text. */
export interface OpenRegistration {
  /** What a new account may spend. */
  quotaCents: number;
  /** What the account is given whose invite code a new account names. */
  rewardCents: number;
  /** Accounts that one address may make in an hour. */
  accountsPerHour: number;
  /** What all these accounts may spend together. */
  centsPerHour: string;
  /** What the last request of each may cost beyond its quota, at most; `"0"` when no such request is let through. */
  lastRequestCents: string;
}

/**
 * What a new account may spend. Unless SIGNUP_QUOTA_CENTS is set, nothing where strangers can reach real nodes; judged
 * anew for each account, since nodes come and go while the gateway runs. Source: docs/contract.md#b18.
 */
export function signupQuotaCents(settings: Settings, catalog: CatalogSnapshot): number {
  if (settings.signupQuotaGiven || !isPublic(settings) || !hasRealNode(catalog))
    return settings.signupQuotaCents;
  return 0;
}

/**
 * What open registration lets strangers spend; null when nobody can register from outside or no node costs money.
 * It is the sum of the quotas that one address can get in an hour. Plans take nothing from it: their limits hold for each
 * key, of which an account may have many, and one request larger than a limit passes. Source: docs/contract.md#b18.
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

/** What the log and the doctor say. */
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

/** Micro-cents of one whole context and one longest answer, of the dearest model with a real node. */
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
