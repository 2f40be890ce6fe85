"use client";

import type { ApiOutput } from "@/lib/api/routes";
import type { AccountReason } from "@/lib/kernel/errors";
import { ApiError, isOutcomeUnknown } from "../../api/client";
import { errorMessage } from "../../api/error-message";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import type { AdminUser } from "../types";
import { useAdminCall } from "../use-admin-change";
import type { BulkChange, BulkGrant } from "./bulk-done";
import { isBelowZero, quotaAfter } from "./remaining";

type Outcomes = ApiOutput<"PATCH /api/admin/users">["results"];

/** Why an account is as it was, or may be; the message is the reader's once it is told. */
interface Refusal {
  message: string;
  code?: string;
  reason?: string | null | undefined;
}

/** What became of one account; null: it is done. */
export interface Outcome {
  id: string;
  error: Refusal | null;
}

/** The server takes so many at once. */
const MOST_AT_ONCE = 100;

/** What was sent, and what became of each account. */
export interface BulkResult {
  /** As they were before. */
  users: AdminUser[];
  body: BulkChange | BulkGrant;
  outcomes: Outcome[];
}

/** The calls that change several accounts. Of each it is told whether it is done; a first call that is refused throws. */
export function useBulk() {
  const call = useAdminCall();
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const format = useFormat();
  const words = bulkWords(text, common);
  const inParts = (users: AdminUser[], ask: (ids: string[]) => Promise<{ results: Outcomes }>) =>
    outcomesOf(
      users.map(({ id }) => id),
      async (ids) => ({ results: (await ask(ids)).results.map((one) => told(one, words)) }),
      (error) => {
        if (isOutcomeUnknown(error)) return text.bulk.unknown;
        return error instanceof ApiError ? whyNot(error, words) : errorMessage(error, common);
      },
    );
  return {
    change: async (users: AdminUser[], body: BulkChange): Promise<BulkResult> => ({
      users,
      body,
      outcomes: await inParts(users, (ids) => call("PATCH /api/admin/users", { body: { ...body, ids } })),
    }),
    grant: async (users: AdminUser[], body: BulkGrant): Promise<BulkResult> => {
      const outcomes = await inParts(users, (ids) =>
        call("POST /api/admin/users/grants", { body: { ...body, ids } }),
      );
      const told = explainRefusals(outcomes, users, body.amount, (quota) =>
        fill(text.tooMuch, { quota: format.money(quota) }),
      );
      return { users, body, outcomes: told };
    },
  };
}

/** Words for reasons and for codes of refusals. */
type Words = Readonly<Record<string, string>>;

/** The words for each reason, and for the codes of what has none. */
export function bulkWords(text: Messages["adminUsers"], { errors }: Messages["common"]): Words {
  const reasons: Record<AccountReason, string> = { ...errors.reasons, outcome_unknown: text.bulk.unknown };
  return { ...reasons, ...text.bulk.codes };
}

/** Why an account was refused, in the reader's language; the server's message where there are no words for it. */
export function whyNot({ reason, code, message }: Refusal, words: Words): string {
  return words[reason ?? ""] ?? words[code ?? ""] ?? message;
}

function told({ id, error }: Outcomes[number], words: Words): Outcomes[number] {
  return { id, error: error && { ...error, message: whyNot(error, words) } };
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
