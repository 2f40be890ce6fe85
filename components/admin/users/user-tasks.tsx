"use client";

import type { AdminUser } from "../../api/admin/types";
import { useShell } from "../../api/shell-facts";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Drawer } from "../../ui/drawer";
import { GrantDialog } from "./grant-dialog";
import { DeleteUserDialog, EndSessionsDialog, ResetPasswordDialog, SuspendDialog } from "./user-dialogs";
import { EditUserForm } from "./user-form";

/** Actions on an account that open a dialog. */
export type UserTask = "edit" | "grant" | "suspend" | "password" | "sessions" | "delete";

/** The dialog of an action on an account. */
export function UserTaskLayer(props: {
  task: UserTask;
  user: AdminUser;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const { task, onDeleted, ...rest } = props;
  switch (task) {
    case "edit":
      return <EditUserSheet {...rest} />;
    case "grant":
      return <GrantDialog {...rest} />;
    case "suspend":
      return <SuspendDialog {...rest} />;
    case "password":
      return <ResetPasswordDialog {...rest} />;
    case "sessions":
      return <EndSessionsDialog {...rest} />;
    case "delete":
      return <DeleteUserDialog {...rest} onDeleted={() => onDeleted?.()} />;
  }
}

function EditUserSheet(props: { user: AdminUser; onClose: () => void }) {
  const text = useMessages("adminUsers");
  const { username } = useShell();
  const { user } = props;
  return (
    <Drawer onClose={props.onClose} title={fill(text.editTitle, { name: user.username })}>
      <EditUserForm user={user} self={user.username === username} onClose={props.onClose} />
    </Drawer>
  );
}
