"use client";

import { useFormat, useMessages } from "../../i18n/provider";
import type { Selection } from "../../lists/use-selection";
import { toast } from "../../ui/toast";
import { useTakeBack } from "../bulk/use-take-back";
import { useAdminPlans } from "../queries";
import type { AdminUser } from "../types";
import { type BulkBody, changedUser, doneText, stepsBack } from "./bulk-done";
import { useBulk } from "./use-bulk";

/** Says what a change did to accounts, with the way back; they stay ticked as they are now. */
export function useSayDone(selection: Selection<AdminUser>): (users: AdminUser[], body: BulkBody) => void {
  const text = useMessages("adminUsers").bulk;
  const common = useMessages("common");
  const format = useFormat();
  const plans = useAdminPlans().data?.data ?? [];
  const { change } = useBulk();
  const nameOf = (user: AdminUser) => user.username;
  const takeBack = useTakeBack({ selection, change, nameOf, undone: text.undone });
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
