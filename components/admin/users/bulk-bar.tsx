"use client";

import { useMessages } from "../../i18n/provider";
import type { Selection } from "../../lists/use-selection";
import { useShell } from "../../shell/shell-context";
import { BulkBar } from "../bulk/bulk-bar";
import type { AdminUser } from "../types";
import { BulkGrant, BulkPlan, BulkReactivate, BulkSuspend } from "./bulk-dialogs";
import { useSayDone } from "./use-say-done";

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
