"use client";

import { errorMessage } from "../../api/error-message";
import { plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { toast } from "../../ui/toast";
import { useAdminPlans } from "../queries";
import type { AdminUser } from "../types";
import { type BulkBody, changedUser, doneText, type Step, stepsBack } from "./bulk-done";
import { useBulk } from "./use-bulk";
import type { Selection } from "./use-selection";

/** Of accounts that are as they were, so many are named. */
const MOST_NAMED = 8;

/** Says what a change did to accounts, with the way back; they stay ticked as they are now. */
export function useSayDone(selection: Selection): (users: AdminUser[], body: BulkBody) => void {
  const text = useMessages("adminUsers").bulk;
  const common = useMessages("common");
  const format = useFormat();
  const plans = useAdminPlans().data?.data ?? [];
  const takeBack = useTakeBack(selection);
  const planName = (id: number) => plans.find((plan) => plan.id === id)?.name ?? String(id);
  return (users, body) => {
    const now = new Date(format.now()).toISOString();
    selection.renew(users.map((user) => changedUser(user, body, now)));
    const steps = stepsBack(users, body);
    toast.done(doneText(body, users.length, { text: text.done, format, planName }), {
      action: steps.length === 0 ? undefined : { label: common.undo, onClick: () => void takeBack(steps) },
    });
  };
}

/** Takes a change of several accounts back; whoever stays as it is then is told by name. */
function useTakeBack(selection: Selection): (steps: Step[]) => Promise<void> {
  const text = useMessages("adminUsers").bulk;
  const failed = useMessages("admin").changeFailed;
  const common = useMessages("common");
  const format = useFormat();
  const bulk = useBulk();
  return async (steps) => {
    const done: AdminUser[] = [];
    const refusals: string[] = [];
    for (const { users, body } of steps) {
      const told = (user: AdminUser, message: string) => refusals.push(`${user.username}: ${message}`);
      try {
        const { outcomes } = await bulk.change(users, body);
        const errors = new Map(outcomes.map(({ id, error }) => [id, error]));
        for (const user of users) {
          const error = errors.get(user.id);
          if (error) told(user, error.message);
          else done.push(user);
        }
      } catch (error) {
        for (const user of users) told(user, errorMessage(error, common));
      }
    }
    selection.renew(done);
    if (done.length > 0) toast.done(plural(text.undone, done.length, format.locale));
    if (refusals.length > 0) toast.failed(failed, refusals.slice(0, MOST_NAMED).join(" "));
  };
}
