"use client";

import { useState } from "react";
import { openSession } from "../api/session";
import { PasswordField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { useMessages } from "../i18n/provider";
import { toast } from "../ui/toast";

const blank = { currentPassword: "", newPassword: "" };

/** Changes the password, then signs this browser in again with the new login. */
export function PasswordForm(props: { username: string }) {
  const text = useMessages("settings");
  const auth = useMessages("auth");
  const [changes, setChanges] = useState(0);
  return (
    <div className="grid gap-4 sm:max-w-[480px]">
      <p className="text-sm text-muted">{text.passwordLead}</p>
      <RecordForm
        key={changes}
        operation="POST /api/user/self/password"
        initial={blank}
        toBody={(draft) => ({
          currentPassword: draft.currentPassword || undefined,
          newPassword: draft.newPassword || undefined,
        })}
        onSent={async ({ token }) => {
          await openSession(token);
          setChanges(changes + 1);
          toast.done(text.changed);
        }}
        submitLabel={text.change}
      >
        <input type="text" name="username" autoComplete="username" value={props.username} readOnly hidden />
        <PasswordField name="currentPassword" label={text.current} autoComplete="current-password" />
        <PasswordField
          name="newPassword"
          label={text.next}
          hint={auth.passwordHint}
          autoComplete="new-password"
        />
      </RecordForm>
    </div>
  );
}
