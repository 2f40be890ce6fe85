import type { ApiInput } from "@/lib/api/routes";
import { quotaAfter } from "@/lib/shared/balance";
import type { AdminUser } from "../../api/admin/types";
import { type Plural, plural } from "../../i18n/fill";
import type { Format } from "../../i18n/format";
import type { Messages } from "../../i18n/messages";
import type { Step } from "../bulk/use-take-back";

/** What several accounts are changed to, and what they get or lose. */
export type BulkChange = Omit<ApiInput<"PATCH /api/admin/users">["body"], "ids">;
export type BulkGrant = Omit<ApiInput<"POST /api/admin/users/grants">["body"], "ids">;
export type BulkBody = BulkChange | BulkGrant;

/** An account after a change, as far as the page knows it before it reads the account again. */
export function changedUser(user: AdminUser, body: BulkBody, now: string): AdminUser {
  if ("amount" in body) return { ...user, quota: quotaAfter(user.quota, body.amount) };
  const { planId = user.planId, status = user.status, reason = "" } = body;
  const since = user.suspension?.since ?? now;
  const keyPlanIds = [...new Set(user.keyPlanIds.map((id) => (id === user.planId ? planId : id)))];
  return {
    ...user,
    planId,
    keyPlanIds,
    status,
    suspension: status === "suspended" ? { since, reason } : null,
  };
}

/** What a change did to so many accounts, in words. */
export function doneText(
  body: BulkBody,
  count: number,
  words: { text: Messages["adminUsers"]["bulk"]["done"]; format: Format; planName: (id: number) => string },
): string {
  const { text, format } = words;
  const of = (message: Plural, values: Record<string, string> = {}) =>
    plural(message, count, format.locale, values);
  if ("amount" in body) {
    const amount = format.money(Math.abs(body.amount));
    return of(body.amount < 0 ? text.taken : text.granted, { amount });
  }
  if (body.planId !== undefined) return of(text.plan, { plan: words.planName(body.planId) });
  return of(body.status === "suspended" ? text.suspended : text.reactivated);
}

/** What gives an account its former plan or state back; null where the change left that as it was. */
export function bodyBefore(user: AdminUser, body: BulkChange): BulkChange | null {
  const { planId, status, suspension } = user;
  if (body.planId !== undefined) return body.planId === planId ? null : { planId };
  if (body.status === undefined || body.status === status) return null;
  if (status !== "suspended") return { status: "active" };
  return { status, ...(suspension?.reason && { reason: suspension.reason }) };
}

/**
 * What takes a change of several accounts back: one step for all that were alike before it, of a grant one with the
 * reason. There is none for a plan that a key of theirs had before: that key would get the former plan of its account with
 * the others.
 */
export function stepsBack(
  users: readonly AdminUser[],
  body: BulkBody,
  grantReason: string,
): Step<AdminUser, BulkBody>[] {
  if ("amount" in body)
    return [{ body: { amount: -body.amount, reason: grantReason }, rows: [...users], loaded: {} }];
  const hadPlan = ({ planId, keyPlanIds }: AdminUser) =>
    body.planId !== undefined && planId !== body.planId && keyPlanIds.includes(body.planId);
  if (users.some(hadPlan)) return [];
  const { planId, status } = body;
  const loaded = planId === undefined ? { status } : { planId };
  const steps = new Map<string, Step<AdminUser, BulkBody>>();
  for (const user of users) {
    const before = bodyBefore(user, body);
    if (before === null) continue;
    const name = JSON.stringify(before);
    steps.set(name, { body: before, rows: [...(steps.get(name)?.rows ?? []), user], loaded });
  }
  return [...steps.values()];
}
