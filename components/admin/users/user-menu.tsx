"use client";

import type { AdminUser } from "../../api/admin/types";
import { useShell } from "../../api/shell-facts";
import { useMessages } from "../../i18n/provider";
import { RowMenu } from "../../lists/row-menu";
import type { ButtonVariant } from "../../ui/button";
import { MenuItem, MenuLink, MenuSeparator } from "../../ui/menu";
import { useAdminChange } from "../use-admin-change";
import { useStatusChange } from "./user-status";
import type { UserTask } from "./user-tasks";

/** Everything that can be done with one account. */
export function UserMenu(props: {
  user: AdminUser;
  onTask: (task: UserTask) => void;
  variant?: ButtonVariant;
}) {
  const text = useMessages("adminUsers");
  const { username } = useShell();
  const reactivate = useReactivate(props.user);
  const { user, onTask } = props;
  const self = user.username === username;
  const refused = self ? text.notSelf : undefined;
  return (
    <RowMenu name={user.username} variant={props.variant}>
      <MenuItem onClick={() => onTask("edit")}>{text.edit}</MenuItem>
      <MenuItem onClick={() => onTask("grant")}>{text.grant}</MenuItem>
      <MenuItem onClick={() => onTask("password")}>{text.resetPassword}</MenuItem>
      <MenuItem onClick={() => onTask("sessions")}>{text.endSessions}</MenuItem>
      <MenuLink href={`/admin/logs?user=${user.id}`}>{text.viewLogs}</MenuLink>
      <MenuSeparator />
      {user.status === "suspended" ? (
        <MenuItem onClick={reactivate}>{text.reactivate}</MenuItem>
      ) : (
        <MenuItem danger disabledBecause={refused} onClick={() => onTask("suspend")}>
          {text.suspend}
        </MenuItem>
      )}
      <MenuItem danger disabledBecause={refused} onClick={() => onTask("delete")}>
        {text.delete}
      </MenuItem>
    </RowMenu>
  );
}

/** Lifts a suspension, which can be taken back. */
export function useReactivate(user: AdminUser): () => void {
  const change = useAdminChange();
  const { lift, again } = useStatusChange(user);
  return () => change.mutate({ ...lift, record: user.id, undo: again });
}
