"use client";

import { useState } from "react";
import type { AdminUser } from "../../api/admin/types";
import { ErrorPanel } from "../../api/error-panel";
import { TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Dialog } from "../../ui/dialog";
import { toast } from "../../ui/toast";
import { ConfirmedCall } from "../confirmed-call";
import { useAdminCall, useUndo } from "../use-admin-change";
import { NewPassword } from "./new-password";
import { useStatusChange } from "./user-status";

interface DialogProps {
  user: AdminUser;
  onClose: () => void;
}

/** Suspends an account with a reason, after its effects have been read. */
export function SuspendDialog(props: DialogProps) {
  const text = useMessages("adminUsers");
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={fill(text.suspendTitle, { name: props.user.username })}
      size="sm"
      role="alertdialog"
    >
      <SuspendForm {...props} />
    </Dialog>
  );
}

function SuspendForm({ user, onClose }: DialogProps) {
  const text = useMessages("adminUsers");
  const call = useAdminCall();
  const undoing = useUndo();
  const change = useStatusChange(user);
  return (
    <RecordForm
      acts
      operation="PATCH /api/admin/users/{id}"
      params={{ id: user.id }}
      call={call}
      initial={noReason}
      toBody={suspensionBody}
      onSent={() => {
        onClose();
        toast.done(change.suspended, {
          record: user.id,
          action: undoing({ record: user.id, ...change.lift }),
        });
      }}
      submitLabel={text.suspendAction}
      onCancel={onClose}
    >
      <p className="text-sm">{text.suspendBody}</p>
      <SuspensionReason />
    </RecordForm>
  );
}

/** Why an account is suspended. */
export function SuspensionReason() {
  const text = useMessages("adminUsers");
  return <TextField<ReasonDraft> name="reason" label={text.suspendReason} hint={text.suspendReasonHint} />;
}

interface ReasonDraft {
  reason: string;
}

export const noReason: ReasonDraft = { reason: "" };

/** An empty reason is refused at its field. */
export function suspensionBody({ reason }: ReasonDraft) {
  return { status: "suspended", reason: reason.trim() };
}

/** Signs an account out everywhere. */
export function EndSessionsDialog(props: DialogProps) {
  const text = useMessages("adminUsers");
  const { id, username: name } = props.user;
  return (
    <ConfirmedCall
      title={fill(text.endSessionsTitle, { name })}
      body={text.endSessionsBody}
      action={text.endSessions}
      send={(call) => call("POST /api/admin/users/{id}/logout-everywhere", { params: { id } })}
      done={fill(text.sessionsEnded, { name })}
      onClose={props.onClose}
    />
  );
}

/** Deletes an account after its name has been typed. */
export function DeleteUserDialog(props: DialogProps & { onDeleted?: () => void }) {
  const text = useMessages("adminUsers");
  const { id, username } = props.user;
  // The deleted record, which may be read before the message is shown, has another name.
  const [name] = useState(username);
  return (
    <ConfirmedCall
      title={fill(text.deleteTitle, { name })}
      body={text.deleteBody}
      typed={name}
      action={text.deleteAction}
      send={(call) => call("DELETE /api/admin/users/{id}", { params: { id } })}
      done={fill(text.deleted, { name })}
      deletes={id}
      onClose={props.onClose}
      onDone={props.onDeleted}
    />
  );
}

/** Generates a password and shows it once; only this component holds it. */
export function ResetPasswordDialog(props: DialogProps) {
  const text = useMessages("adminUsers");
  const call = useAdminCall();
  const [password, setPassword] = useState<string | null>(null);
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const { user } = props;
  const name = user.username;
  async function reset() {
    setState({ busy: true, error: null });
    try {
      const made = await call("POST /api/admin/users/{id}/password", { params: { id: user.id }, body: {} });
      setPassword(made.password);
    } catch (error) {
      setState({ busy: false, error });
    }
  }
  if (password !== null) return <NewPassword name={name} password={password} onClose={props.onClose} />;
  return (
    <ConfirmDialog
      open
      onClose={props.onClose}
      onConfirm={() => void reset()}
      title={fill(text.resetTitle, { name })}
      body={<p>{text.resetBody}</p>}
      action={text.resetAction}
      busy={state.busy}
      error={state.error === null ? undefined : <ErrorPanel error={state.error} />}
    />
  );
}
