import { isShared, type KeyBudget } from "@/lib/accounts/key-budgets";
import type { BudgetRefusal } from "@/lib/billing/settlement";
import { type BudgetDetails, GatewayError } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/money";
import { centsToYuan } from "@/lib/shared/decimal";
import { zonedIso, zonedText } from "@/lib/shared/zoned-time";

/** A refusal for the running requests alone ends soon. */
const RETRY_AFTER_RUNNING_SECONDS = 2;

/** The longest wait that clients are told to make. */
const LONGEST_WAIT_SECONDS = 3_600;

const periodWords = {
  day: "a day",
  week: "a week",
  month: "a month",
  quarter: "a quarter",
  year: "a year",
  total: "in all",
} as const;

const subjectWords = {
  platform: "of this gateway",
  plan: "of the plan",
  account: "of the account",
  project: "of this project",
  key: "of this key",
} as const;

/** A member may have another limit than the others. */
const eachWords = {
  none: "",
  account: " for this account",
  key: " for this key",
  member: " for this member",
} as const;

/** A refusal with what the request reserves, in the rule's unit, and how users reach those who run the gateway. */
export interface AskedRefusal extends BudgetRefusal {
  readonly need: bigint;
  readonly now: Date;
  readonly contact: string | null;
}

/** The 402 for a request that a rule refuses. Throws: nothing; returns the error to throw. Source: docs/budgets.md#refusal. */
export function budgetRefusal(rule: KeyBudget, refusal: AskedRefusal): GatewayError {
  const { limit, used, reserved, resetsAtMs, need, now } = refusal;
  // A rule that stops lets a last request pass once nothing runs.
  const isCovered = used + need <= limit || (rule.mode === "stop" && used < limit);
  const isRunning = reserved > 0n && isCovered;
  const waitSeconds = resetsAtMs === null ? null : Math.ceil((resetsAtMs - now.getTime()) / 1_000);
  const budget = detailsOf(rule, refusal);
  const error = new GatewayError(
    "QUOTA_EXCEEDED",
    `${factOf(rule, refusal)} ${adviceOf(rule, refusal, isRunning)}`,
    {
      budget,
      refusal: "budget",
    },
  );
  if (isRunning) {
    error.details.retryAfterSeconds = RETRY_AFTER_RUNNING_SECONDS;
    error.details.passesSoon = true;
  } else {
    error.details.final = true;
    if (waitSeconds !== null && waitSeconds <= LONGEST_WAIT_SECONDS)
      error.details.retryAfterSeconds = Math.max(1, waitSeconds);
  }
  return error;
}

function detailsOf(
  rule: KeyBudget,
  { limit, used, reserved, resetsAtMs, need }: AskedRefusal,
): BudgetDetails {
  const { id, name, scope, unit, period, timeZone } = rule;
  const show = (amount: bigint) => (unit === "money" ? centsDecimal(amount) : String(amount));
  return {
    id,
    name,
    scope,
    unit,
    period,
    limit: show(limit),
    ...(!isShared(rule) && { used: show(used), held: show(reserved) }),
    needed: show(need),
    resetsAt: resetsAtMs === null ? null : zonedIso(new Date(resetsAtMs), timeZone),
  };
}

function factOf(rule: KeyBudget, { limit, used, reserved, need }: AskedRefusal): string {
  const { name, scope, each, period, unit } = rule;
  const allows = `The budget ${JSON.stringify(name)} ${subjectWords[scope]} allows ${amountText(limit, unit)} ${periodWords[period]}${eachWords[each]}`;
  if (isShared(rule)) return `${allows}, which does not cover this request now.`;
  const running = reserved > 0n ? ` and ${amountText(reserved, unit)} reserved by running requests` : "";
  const verb = used === 1n && unit !== "money" ? "is" : "are";
  const reserves = used < limit ? `; this request reserves up to ${amountText(need, unit)}` : "";
  return `${allows}; ${amountText(used, unit)} ${verb} used${running}${reserves}.`;
}

function adviceOf(rule: KeyBudget, refusal: AskedRefusal, isRunning: boolean): string {
  if (isRunning) return isShared(rule) ? "Try again shortly." : "Try again once they have ended.";
  const { resetsAtMs, contact, used, limit } = refusal;
  const isTooLarge = used < limit && rule.unit !== "requests";
  const smaller = isTooLarge ? "a smaller output limit (max_tokens) reserves less, or " : "";
  const more = `${smaller}${moreOf(rule, contact)}`;
  if (resetsAtMs === null) return `It never starts again; ${more}.`;
  const { timeZone } = rule;
  return `It starts again on ${zonedText(new Date(resetsAtMs), timeZone)} (${timeZone}); ${more}.`;
}

/** Who can allow more. */
function moreOf({ scope, locked }: KeyBudget, contact: string | null): string {
  if (locked || scope === "platform" || scope === "plan") {
    const reached = contact === null ? "" : ` (${contact})`;
    return `ask those who run the gateway${reached} for more`;
  }
  if (scope === "project") return "ask an owner of the project for more";
  return "raise it to go on";
}

function amountText(amount: bigint, unit: KeyBudget["unit"]): string {
  if (unit !== "money")
    return `${amount.toLocaleString("en-US")} ${amount === 1n ? unit.slice(0, -1) : unit}`;
  const [whole = "0", fraction = ""] = centsToYuan(centsDecimal(amount)).split(".");
  return `¥${BigInt(whole).toLocaleString("en-US")}.${fraction.padEnd(2, "0")}`;
}
