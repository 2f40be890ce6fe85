"use client";

import type { ApiInput, ApiOutput } from "@/lib/api/routes";
import { isOutcomeUnknown } from "../../api/client";
import { errorMessage } from "../../api/error-message";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import type { AdminUser } from "../types";
import { useAdminCall } from "../use-admin-change";
import { isBelowZero, quotaAfter } from "./remaining";

type Outcomes = ApiOutput<"PATCH /api/admin/users">["results"];

/** What became of one account; null: it is done. */
export interface Outcome {
  id: string;
  error: { message: string; code?: string } | null;
}

type BulkChange = Omit<ApiInput<"PATCH /api/admin/users">["body"], "ids">;
type BulkGrant = Omit<ApiInput<"POST /api/admin/users/grants">["body"], "ids">;

/** The server takes so many at once. */
const MOST_AT_ONCE = 100;

/** The calls that change several accounts. Of each it is told whether it is done; a first call that is refused throws. */
export function useBulk(users: AdminUser[]) {
  const call = useAdminCall();
  const text = useMessages("adminUsers");
  const { unknown } = text.bulk;
  const common = useMessages("common");
  const format = useFormat();
  const told = ({ id, error }: Outcomes[number]) => ({
    id,
    error: error?.reason === "outcome_unknown" ? { ...error, message: unknown } : error,
  });
  const inParts = (ask: (ids: string[]) => Promise<{ results: Outcomes }>) =>
    outcomesOf(
      users.map(({ id }) => id),
      async (ids) => ({ results: (await ask(ids)).results.map(told) }),
      (error) => (isOutcomeUnknown(error) ? unknown : errorMessage(error, common)),
    );
  return {
    change: (body: BulkChange) =>
      inParts((ids) => call("PATCH /api/admin/users", { body: { ...body, ids } })),
    grant: async (body: BulkGrant) => {
      const outcomes = await inParts((ids) =>
        call("POST /api/admin/users/grants", { body: { ...body, ids } }),
      );
      return explainRefusals(outcomes, users, body.amount, (quota) =>
        quota === null ? common.errors.rules.quota : fill(text.tooMuch, { quota: format.money(quota) }),
      );
    },
  };
}

/**
 * Puts into words why quota could not be changed. `told` gets what the account has, where more was to be taken, and null
 * where its quota would be too large.
 */
export function explainRefusals(
  outcomes: Outcome[],
  users: readonly Pick<AdminUser, "id" | "quota">[],
  amount: number,
  told: (quota: string | null) => string,
): Outcome[] {
  return outcomes.map(({ id, error }) => {
    // The grant itself is valid: what is refused of one account is that its quota would be too small or too large.
    if (error?.code !== "INVALID_REQUEST") return { id, error };
    const quota = users.find((user) => user.id === id)?.quota ?? "0";
    return { id, error: { message: told(isBelowZero(quotaAfter(quota, amount)) ? quota : null) } };
  });
}

/** Asks for the accounts part by part, up to one that fails: the rest is told to have failed as it did. */
export async function outcomesOf(
  ids: string[],
  ask: (ids: string[]) => Promise<{ results: Outcomes }>,
  messageOf: (error: unknown) => string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    try {
      outcomes.push(...(await ask(ids.slice(at, at + MOST_AT_ONCE))).results);
    } catch (error) {
      if (outcomes.length === 0 && !isOutcomeUnknown(error)) throw error;
      return [...outcomes, ...ids.slice(at).map((id) => ({ id, error: { message: messageOf(error) } }))];
    }
  }
  return outcomes;
}
