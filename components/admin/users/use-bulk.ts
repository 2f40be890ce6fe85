"use client";

import type { AccountReason } from "@/lib/kernel/errors";
import { isBelowZero, quotaAfter } from "@/lib/shared/balance";
import type { AdminUser } from "../../api/admin/types";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { type BulkResult, type Outcome, type RefusalWords, useInParts } from "../bulk/outcomes";
import { useAdminCall } from "../use-admin-change";
import type { BulkChange, BulkGrant } from "./bulk-done";

/** The calls that change several accounts. */
export function useBulk() {
  const call = useAdminCall();
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const format = useFormat();
  const inParts = useInParts(bulkWords(text, common));
  const idsOf = (users: AdminUser[]) => users.map(({ id }) => id);
  return {
    change: async (
      users: AdminUser[],
      body: BulkChange,
      loaded?: object,
    ): Promise<BulkResult<AdminUser, BulkChange>> => ({
      rows: users,
      body,
      outcomes: await inParts(idsOf(users), (ids) =>
        call("PATCH /api/admin/users", { body: { ...body, ids }, loaded }),
      ),
    }),
    grant: async (users: AdminUser[], body: BulkGrant): Promise<BulkResult<AdminUser, BulkGrant>> => {
      const outcomes = await inParts(idsOf(users), (ids) =>
        call("POST /api/admin/users/grants", { body: { ...body, ids } }),
      );
      const told = explainRefusals(outcomes, users, body.amount, (quota) =>
        fill(text.tooMuch, { quota: format.money(quota) }),
      );
      return { rows: users, body, outcomes: told };
    },
  };
}

/** The words for each reason, and for the codes of what has none. */
export function bulkWords(
  text: Messages["adminUsers"],
  { errors }: Messages["common"],
): RefusalWords & { outcome_unknown: string } {
  const reasons: Record<AccountReason, string> = { ...errors.reasons, outcome_unknown: text.bulk.unknown };
  return { ...text.bulk.codes, ...reasons };
}

/** Tells of an account that has less than what was to be taken how much that is, as far as the page knows it. */
export function explainRefusals(
  outcomes: Outcome[],
  users: readonly Pick<AdminUser, "id" | "quota">[],
  amount: number,
  tooMuch: (quota: string) => string,
): Outcome[] {
  return outcomes.map(({ id, error }) => {
    const quota = users.find((user) => user.id === id)?.quota;
    const isShort = error?.reason === "quota_too_small" && quota !== undefined;
    if (!isShort || !isBelowZero(quotaAfter(quota, amount))) return { id, error };
    return { id, error: { ...error, message: tooMuch(quota) } };
  });
}
