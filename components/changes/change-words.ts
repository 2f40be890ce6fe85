import { isObject, rowOf } from "@/lib/kernel/json-object";
import { MAX_CENTS } from "@/lib/kernel/money";
import { centsOfMicroCents } from "@/lib/shared/decimal";
import { tokenKinds } from "@/lib/shared/prices/token-kinds";
import type { AuditEntry } from "../api/admin/types";
import { fill, plural } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { diffOf, type FieldChange, shortValue } from "./diff";

/** What is needed to say the value of a field in words. */
export interface ChangeWords {
  text: Messages["audit"];
  format: Format;
  yes: string;
  no: string;
  /** A label with its value. */
  labelled: string;
  unlimited: string;
  /** Of accounts, keys, nodes and models, by id. */
  names: Readonly<Record<string, string>>;
  planName: (id: number) => string;
}

/** Said elsewhere in the drawer, or by another field. */
const HIDDEN: ReadonlySet<string> = new Set([
  "id",
  "model",
  "newestPriceVersion",
  "plannedPrices",
  "priceHistory",
  "usedExact",
  "heldExact",
]);

/** Amounts of a budget, which are in cents where its unit is money. */
const BUDGET_AMOUNTS: ReadonlySet<string> = new Set(["limit", "extra", "exceptions"]);

/** The changes worth showing: a field that is empty before and after says nothing. */
export function shownChanges(entry: Pick<AuditEntry, "before" | "after">): FieldChange[] {
  const ofMoney = [entry.before, entry.after].some((side) => isObject(side) && side.unit === "money");
  return diffOf(entry.before ?? undefined, entry.after ?? undefined)
    .flatMap((change) => (change.field === "routes" ? routeChanges(change) : [change]))
    .map((change) =>
      ofMoney && BUDGET_AMOUNTS.has(change.field) ? { ...change, field: `${change.field}Cents` } : change,
    )
    .filter(
      ({ field, before, after }) =>
        !HIDDEN.has(field) && (tellsNull(field) || !isEmpty(before) || !isEmpty(after)),
    );
}

/** What was changed of each route: its priority, its weight and what its node charges. */
function routeChanges({ before, after }: FieldChange): FieldChange[] {
  const [left, right] = [routesByName(before), routesByName(after)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((route) =>
    diffOf(left.get(route), right.get(route), "routes").map((change) => ({ ...change, route })),
  );
}

function routesByName(routes: unknown): Map<string, object> {
  const list = Array.isArray(routes) ? routes.filter(isObject) : [];
  return new Map(
    list.map(({ node, model, priority, weight, cost }) => [
      `${node} (${model})`,
      { priority, weight, cost: cost ?? undefined },
    ]),
  );
}

/** An action in words. */
export function actionText(
  entry: Pick<AuditEntry, "action" | "actorId" | "targetId" | "before" | "after">,
  text: Messages["audit"],
): string {
  const { action, after } = entry;
  if (action === "user.grant" && isObject(after) && String(after.amount).startsWith("-")) return text.taken;
  if (action === "user.password" && entry.actorId !== entry.targetId) return text.passwordReset;
  const turn = statusTurn(entry);
  if (turn !== null) return text.statusTurns[turn];
  return Object.entries(text.actions).find(([name]) => name === action)?.[1] ?? action;
}

/** Whether an account was suspended or reactivated, and nothing else was changed; else null. */
function statusTurn(entry: Pick<AuditEntry, "action" | "before" | "after">): "suspended" | "active" | null {
  if (entry.action !== "user.update") return null;
  const changes = shownChanges(entry);
  const status = changes.find(({ field }) => field === "status")?.after;
  if (status !== "suspended" && status !== "active") return null;
  return changes.every(({ field }) => /^(status|suspension)\b/.test(field)) ? status : null;
}

/** What matters first of each kind of record, in this order; the other fields follow. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  user: ["email", "planId", "quota", "role", "status", "limitOverrides", "suspension", "name", "costCentre"],
  key: ["status", "blocked", "quota", "expiresAt", "models", "planId", "projectId"],
  project: ["costCentre", "archivedAt", "payerId"],
  member: ["username", "role", "keys", "disabledKeys"],
  node: ["baseUrl", "protocol", "enabled", "provider", "hasApiKey", "apiKeyHint", "maxConcurrency"],
  model: ["enabled", "prices.input", "prices.output", "routes", "kind", "displayName"],
  price: ["input", "output", "validFrom", "cacheRead", "cacheWrite", "perCall"],
  plan: ["qps", "rpm", "tpm", "concurrent", "accountLimits", "keyQuotaCents", "selfService"],
  announcement: ["text", "tone", "from", "until", "public"],
  invitation: ["maxUses", "expiresAt", "planId", "quotaCents"],
  budget: ["limit", "limitCents", "extra", "extraCents", "mode", "enabled", "exceptions", "exceptionsCents"],
};

/** What is the same of every new record, or follows from the others. */
const LAST: ReadonlySet<string> = new Set([
  ...(["version", "held", "usedQuota", "requestCount", "usedCount", "createdAt", "inviteCode"] as const),
  ...(["managedByFile", "simulated", "live"] as const),
]);

/** The place of a field in an entry; of a price that takes effect at once its moment is the entry's. */
function rankOf({ field }: FieldChange, action: string): number {
  const first = FIRST[action.split(".")[0] ?? ""] ?? [];
  const at = first.findIndex((name) => field === name || field.startsWith(`${name}.`));
  const follows = LAST.has(field) || (action === "price.create" && field === "validFrom");
  if (follows) return first.length + 1;
  return at === -1 ? first.length : at;
}

/** The changes in the order of what matters: as stored their fields have none. */
export function orderedChanges(entry: Pick<AuditEntry, "action" | "before" | "after">): FieldChange[] {
  return shownChanges(entry).sort((a, b) => rankOf(a, entry.action) - rankOf(b, entry.action));
}

/** Of a new record these are told beside its kind. */
const NAMES: ReadonlySet<string> = new Set(["username", "alias", "name", "title", "note"]);

/** The changes that the list tells; the details have all of them. */
const TOLD_CHANGES = 2;
/** Of what is gone a little more: there is no page that tells the rest. */
const TOLD_OF_DELETED = 3;

/**
 * What an entry changed, in one line: each field with its value before and after, of a suspension its reason, of a deleted
 * record what it was. Empty where there is nothing to tell.
 */
export function summaryText(
  entry: Pick<AuditEntry, "action" | "before" | "after">,
  allWords: ChangeWords,
): string {
  const { format } = allWords;
  // The unit of prices would stand after each of them.
  const text = { ...allWords.text, perMillion: "{price}" };
  const words = { ...allWords, text };
  const { before, after } = entry;
  const { action } = entry;
  const isDeleted = before !== null && after === null;
  const isNew = before === null && action.endsWith(".create");
  const changes = orderedChanges(entry).filter(
    ({ field }) => !(isNew || isDeleted) || !(NAMES.has(field) || field === "createdAt"),
  );
  if (isDeleted) {
    // Of a withdrawn price its model too, so that the sentence is whole.
    const ofModel =
      action === "price.delete" ? diffOf(before, {}).filter(({ field }) => field === "model") : [];
    return deletedText([...ofModel, ...changes.slice(0, TOLD_OF_DELETED)], words);
  }
  const turn = statusTurn(entry);
  if (turn !== null) return turnText(turn, changes, words);
  const told = changes.slice(0, TOLD_CHANGES).map((change) => changeText(change, before !== null, words));
  const more = changes.length - told.length;
  if (more > 0) return plural(text.moreFields, more, format.locale, { fields: told.join(text.gap) });
  return told.join(text.gap);
}

/** Of a suspension its reason, if it has one; else the status before and after. */
function turnText(turn: "suspended" | "active", changes: readonly FieldChange[], words: ChangeWords): string {
  const of = (name: string) => changes.filter(({ field, after }) => field === name && !isEmpty(after));
  const reasons = turn === "suspended" ? of("suspension.reason") : [];
  if (reasons.length > 0) return reasons.map((reason) => changeText(reason, false, words)).join("");
  return of("status")
    .map((status) => changeText(status, true, words))
    .join("");
}

/** What a deleted record was. */
function deletedText(changes: readonly FieldChange[], words: ChangeWords): string {
  const { text } = words;
  const told = changes.map((change) =>
    fill(words.labelled, {
      label: fieldText(change, text),
      value: valueText(change.field, change.before, words),
    }),
  );
  return told.length === 0 ? text.deleted : fill(text.deletedWas, { fields: told.join(text.gap) });
}

function changeText(change: FieldChange, hasBefore: boolean, words: ChangeWords): string {
  const value = (side: unknown) => valueText(change.field, side, words);
  const after = value(change.after);
  return fill(words.labelled, {
    label: fieldText(change, words.text),
    value: hasBefore ? `${value(change.before)} → ${after}` : after,
  });
}

/** The name of a change's field in words; its path where it has none. */
export function fieldText(
  { field, route }: Pick<FieldChange, "field" | "route">,
  text: ChangeWords["text"],
): string {
  if (route !== undefined) return fill(text.ofRoute, { route, field: fieldText({ field }, text) });
  const path = field.replace(/^(prices|routes)\./, "");
  const [group, ...rest] = path.split(".");
  if (group === "services" || path.startsWith("cost.services.")) return serviceFieldText(path, text);
  if (group === "headers" && rest.length > 0) return fill(text.header, { name: rest.join(".") });
  return Object.entries(text.fieldNames).find(([name]) => name === path)?.[1] ?? field;
}

/** The name of a price or cost of a service tier: `services.flex.input`, `cost.services.flex.factor`. */
function serviceFieldText(path: string, text: ChangeWords["text"]): string {
  const [, cost = "", service = "", name = ""] = /^(cost\.)?services\.(\w+)\.(.+)$/.exec(path) ?? [];
  if (name === "") return path;
  return fill(text.ofService, { service, field: fieldText({ field: `${cost}${name}` }, text) });
}

/** The value of a field in words and units. */
export function valueText(field: string, value: unknown, words: ChangeWords): string {
  const { format } = words;
  const name = field.split(".").at(-1) ?? field;
  if (value === null && LIMITS.has(name)) return words.unlimited;
  if (value === null && field === "models") return words.text.allModels;
  if (value === null && field === "newAccountQuotaCents") return words.text.asSetAtStart;
  if (value === null && field === "newAccountPlanId") return words.text.firstPlan;
  if (isEmpty(value)) return "–";
  if (field === "quota" && String(value) === String(MAX_CENTS)) return words.unlimited;
  if (field === "registration") return rowOf(words.text.registrations, String(value)) ?? shortValue(value);
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (MONEY.has(field) && isAmount(value)) return format.moneyExact(value);
  if (RATES.has(field.replace(/^(prices\.|routes\.cost\.)?(services\.\w+\.)?/, "")) && isAmount(value))
    return fill(words.text.perMillion, { price: format.moneyExact(value) });
  if (typeof value === "number") return numberText(field, value, words);
  if (typeof value === "string" && MOMENT.test(value)) return format.dateTime(value);
  if (typeof value === "string" && words.names[value] !== undefined) return words.names[value];
  if (field.startsWith("exceptions")) return exceptionsText(field, value, words);
  if (Array.isArray(value)) return format.list(value.map(shortValue));
  const known = Object.entries(words.text.fieldValues).find(([word]) => word === value);
  return known?.[1] ?? shortValue(value);
}

/** The members of a budget with another limit, each with it. */
function exceptionsText(field: string, value: unknown, words: ChangeWords): string {
  const amount = field === "exceptions" ? "limit" : "limitCents";
  const list = Array.isArray(value) ? value.filter(isObject) : [];
  return words.format.list(
    list.map(({ member, memberName, limit }) =>
      fill(words.labelled, {
        label: shortValue(memberName ?? member),
        value: limit === null ? words.unlimited : valueText(amount, limit, words),
      }),
    ),
  );
}

const LIMITS: ReadonlySet<string> = new Set(["qps", "rpm", "tpm", "concurrent", "keys"]);
/** Units: cents. */
const MONEY: ReadonlySet<string> = new Set([
  "quota",
  "usedQuota",
  "held",
  "amount",
  "keyQuotaCents",
  "inviteRewardCents",
  "newAccountQuotaCents",
  "quotaCents",
  "limitCents",
  "extraCents",
]);
/** Units: cents per million tokens. */
const RATES: ReadonlySet<string> = new Set(tokenKinds);
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function numberText(field: string, value: number, words: ChangeWords): string {
  if (["planId", "newAccountPlanId", "subjectId"].includes(field)) return words.planName(value);
  if (/\bper(Call\.|Request$)/.test(field)) return words.format.moneyExact(centsOfMicroCents(value));
  if (field.startsWith("timeouts.")) return words.format.roundDuration(value);
  return words.format.countFull(value);
}

function isAmount(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
}

/** Null is a value of its own: no limit, all models, or what holds without a decision. */
function tellsNull(field: string): boolean {
  return LIMITS.has(field) || ["models", "newAccountQuotaCents", "newAccountPlanId"].includes(field);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
