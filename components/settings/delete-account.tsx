"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError, callApi } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { closeSession } from "../api/session";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Field } from "../ui/field";
import { PasswordInput } from "../ui/password-input";

/** Deletes the account after its name has been typed and the password given. */
export function DeleteAccount(props: { username: string }) {
  const text = useMessages("settings");
  const field = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState("");
  const remove = useMutation({
    mutationFn: () => callApi("DELETE /api/user/self", { body: { password } }),
    gcTime: 0,
    onSuccess: () => closeSession("/?deleted=1"),
    onError: () => field.current?.querySelector("input")?.focus(),
  });
  const wrong = remove.error instanceof ApiError ? remove.error.fields.password : undefined;
  function close() {
    setAsking(false);
    setPassword("");
    remove.reset();
  }
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm text-muted">{text.dangerLead}</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {text.deleteAction}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={close}
        onConfirm={() => remove.mutate()}
        title={text.deleteTitle}
        typed={props.username}
        action={text.deleteAction}
        busy={remove.isPending || password === ""}
        error={remove.error === null || wrong !== undefined ? undefined : <ErrorPanel error={remove.error} />}
        body={
          <div ref={field} className="grid gap-2">
            <p>{text.dangerLead}</p>
            <Field label={text.deletePassword} errors={wrong}>
              {(control) => (
                <PasswordInput
                  {...control}
                  autoComplete="current-password"
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              )}
            </Field>
          </div>
        }
      />
    </div>
  );
}
