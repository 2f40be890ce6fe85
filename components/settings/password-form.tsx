"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, callApi } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { openSession } from "../auth/open-session";
import { PasswordInput } from "../auth/password-input";
import { MAX_PASSWORD_BYTES, passwordBytes } from "../auth/rules";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { toast } from "../ui/toast";

/** Changes the password, then signs this browser in again with the new login. */
export function PasswordForm(props: { username: string }) {
  const text = useMessages("settings");
  const auth = useMessages("auth");
  const common = useMessages("common");
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: async () => {
      const answer = await callApi("POST /api/user/self/password", {
        body: { currentPassword: current, newPassword: next },
      });
      await openSession(answer.token);
    },
    // Passwords are not kept with finished mutations.
    gcTime: 0,
    onSuccess: () => {
      setCurrent("");
      setNext("");
      toast.done(text.changed);
    },
  });
  const errors = change.error instanceof ApiError ? change.error.fields : {};
  const wrong = change.error instanceof ApiError && change.error.code === "INVALID_CREDENTIALS";
  function submit(event: FormEvent) {
    event.preventDefault();
    const tooLong = passwordBytes(next) > MAX_PASSWORD_BYTES;
    setProblem(next.length < 6 ? auth.passwordShort : tooLong ? auth.passwordLong : null);
    if (next.length >= 6 && !tooLong && !change.isPending) change.mutate();
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 sm:max-w-[480px]">
      <p className="text-sm text-muted">{text.passwordLead}</p>
      <input type="text" name="username" autoComplete="username" value={props.username} readOnly hidden />
      <Field label={text.current} errors={wrong ? [auth.wrong] : errors.currentPassword}>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={text.next}
        hint={auth.passwordHint}
        errors={problem === null ? errors.newPassword : [problem]}
      >
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="new-password"
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        )}
      </Field>
      {change.error !== null && !wrong && Object.keys(errors).length === 0 && (
        <ErrorPanel error={change.error} />
      )}
      <div>
        <Button type="submit" variant="primary" disabled={change.isPending || current === "" || next === ""}>
          {change.isPending ? common.saving : text.change}
        </Button>
      </div>
    </form>
  );
}
