"use client";

import type { AdminUser } from "../../api/admin/types";
import { planName } from "../../api/plan-name";
import { useShell } from "../../api/shell-facts";
import { useRead } from "../../api/use-read";
import { useFormat, useMessages } from "../../i18n/provider";
import type { Selection } from "../../lists/use-selection";
import { toast } from "../../ui/toast";
import { BulkBar } from "../bulk/bulk-bar";
import type { BulkResult } from "../bulk/outcomes";
import { useTakeBack } from "../bulk/use-take-back";
import { BulkGrant, BulkPlan, BulkReactivate, BulkSuspend } from "./bulk-dialogs";
import { type BulkBody, changedUser, doneText, stepsBack } from "./bulk-done";
import { useBulk } from "./use-bulk";

/** What can be done with all ticked accounts at once. */
export function UserBulkBar(props: {
  selection: Selection<AdminUser>;
  /** All accounts of the filter, where they are more than are shown. */
  all: { total: number; read: () => Promise<AdminUser[]> } | null;
}) {
  const { selection, all } = props;
  const text = useMessages("adminUsers").bulk;
  const { username } = useShell();
  const { rows } = selection;
  const some = (isSuspended: boolean) => rows.some(({ status }) => (status === "suspended") === isSuspended);
  const onlySelf = rows.every((user) => user.username === username);
  return (
    <BulkBar
      selection={selection}
      words={text}
      all={all && { ...all, label: text.all, failed: text.allFailed }}
      nameOf={(user) => user.username}
      onDone={useSayDone(selection)}
      actions={[
        { label: text.grant, dialog: BulkGrant },
        { label: text.plan, dialog: BulkPlan },
        ...(some(false)
          ? [
              {
                label: text.suspend,
                disabledBecause: onlySelf ? text.onlySelf : undefined,
                dialog: BulkSuspend,
              },
            ]
          : []),
        ...(some(true) ? [{ label: text.reactivate, dialog: BulkReactivate }] : []),
      ]}
    />
  );
}

/** Says what a change did to accounts, with the way back; they stay ticked as they are now. */
function useSayDone(selection: Selection<AdminUser>): (users: AdminUser[], body: BulkBody) => void {
  const { bulk: text, grantTakenBack } = useMessages("adminUsers");
  const common = useMessages("common");
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const { change, grant } = useBulk();
  const nameOf = (user: AdminUser) => user.username;
  const send = (
    users: AdminUser[],
    body: BulkBody,
    loaded: object,
  ): Promise<BulkResult<AdminUser, BulkBody>> =>
    "amount" in body ? grant(users, body) : change(users, body, loaded);
  const takeBack = useTakeBack({ selection, change: send, nameOf, undone: text.undone });
  return (users, body) => {
    const now = new Date(format.now()).toISOString();
    selection.renew(users.map((user) => changedUser(user, body, now)));
    const steps = stepsBack(users, body, grantTakenBack);
    toast.done(
      doneText(body, users.length, {
        text: text.done,
        format,
        planName: (id) => planName(plans, id),
      }),
      {
        action: steps.length === 0 ? undefined : { label: common.undo, onClick: () => void takeBack(steps) },
      },
    );
  };
}
