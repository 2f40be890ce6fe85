"use client";

import type { ComponentType } from "react";
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

interface LayerProps {
  user: AdminUser;
  onClose: () => void;
  onDeleted?: () => void;
}

const layers: Record<UserTask, ComponentType<LayerProps>> = {
  edit: EditUserSheet,
  grant: GrantDialog,
  suspend: SuspendDialog,
  password: ResetPasswordDialog,
  sessions: EndSessionsDialog,
  delete: DeleteUserDialog,
};

/** The dialog of an action on an account. */
export function UserTaskLayer({ task, ...props }: LayerProps & { task: UserTask }) {
  const Layer = layers[task];
  return <Layer {...props} />;
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
