"use client";

import { useFormat, useMessages } from "../../i18n/provider";
import type { Selection } from "../../lists/use-selection";
import { toast } from "../../ui/toast";
import type { BulkResult } from "../bulk/outcomes";
import { useTakeBack } from "../bulk/use-take-back";
import { useAdminPlans } from "../queries";
import type { AdminUser } from "../types";
import { type BulkBody, changedUser, doneText, stepsBack } from "./bulk-done";
import { useBulk } from "./use-bulk";

/** Says what a change did to accounts, with the way back; they stay ticked as they are now. */
export function useSayDone(selection: Selection<AdminUser>): (users: AdminUser[], body: BulkBody) => void {
  const { bulk: text, grantTakenBack } = useMessages("adminUsers");
  const common = useMessages("common");
  const format = useFormat();
  const plans = useAdminPlans().data?.data ?? [];
  const { change, grant } = useBulk();
  const nameOf = (user: AdminUser) => user.username;
  const send = (
    users: AdminUser[],
    body: BulkBody,
    loaded: object,
  ): Promise<BulkResult<AdminUser, BulkBody>> =>
    "amount" in body ? grant(users, body) : change(users, body, loaded);
  const takeBack = useTakeBack({ selection, change: send, nameOf, undone: text.undone });
  const planName = (id: number) => plans.find((plan) => plan.id === id)?.name ?? String(id);
  return (users, body) => {
    const now = new Date(format.now()).toISOString();
    selection.renew(users.map((user) => changedUser(user, body, now)));
    const steps = stepsBack(users, body, grantTakenBack);
    toast.done(doneText(body, users.length, { text: text.done, format, planName }), {
      action: steps.length === 0 ? undefined : { label: common.undo, onClick: () => void takeBack(steps) },
    });
  };
}
