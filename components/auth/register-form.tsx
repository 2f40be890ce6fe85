"use client";

import { useState } from "react";
import { callApi } from "../api/client";
import type { Registration } from "../api/types";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Field, Input } from "../ui/field";
import { Link } from "../ui/link";
import { PasswordInput } from "../ui/password-input";
import { FormProblem, UsernameField } from "./login-form";
import { isUsername, MAX_PASSWORD_BYTES, mayBeEmail, passwordBytes, passwordStrength } from "./rules";
import { type FieldErrors, useAccountForm } from "./use-account-form";

const register = (body: Registration) => callApi("POST /api/user/register", { body });

interface FormProps {
  next: string;
  inviteCode: string;
  publicUrl: string;
  /** The kind of invite code without which nobody registers. */
  needs: "invited" | "invitation" | null;
}

/** A new account. */
export function RegisterForm(props: FormProps) {
  const text = useMessages("auth");
  const common = useMessages("common");
  const form = useAccountForm(register, props.next);
  const [invited, setInvited] = useState(props.needs !== null);
  // An admin has asked for codes since the page was made.
  if (!invited && form.error?.reason === "invite_required") setInvited(true);
  const [password, setPassword] = useState("");
  function send(data: FormData) {
    const body = bodyOf(data);
    return form.submit(body, problemsOf(body, invited, text, common.errors.fields));
  }
  const level = text.strengthLevels[passwordStrength(password)] ?? "";
  return (
    <form
      noValidate
      action={send} // a form that is sent before the scripts run is kept, and sent by them
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send(new FormData(event.currentTarget));
      }}
    >
      <FormProblem
        error={form.error}
        errors={form.errors}
        focusRef={form.problem}
        publicUrl={props.publicUrl}
      />
      <UsernameField label={text.username} hint={text.usernameHint} errors={form.errors.username} />
      <Field
        label={text.password}
        hint={
          password !== "" ? fill(text.strength, { level }) : form.errors.password ? "" : text.passwordHint
        }
        errors={form.errors.password}
      >
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <Field label={text.email} optional={common.optional} errors={form.errors.email}>
        {(control) => <Input {...control} name="email" type="email" autoComplete="email" />}
      </Field>
      <InviteField
        errors={form.errors.inviteCode}
        inviteCode={props.inviteCode}
        needed={invited}
        hint={props.needs === "invitation" ? text.invitationHint : text.inviteCodeHint}
      />
      <Button type="submit" variant="primary" aria-disabled={form.sending}>
        {form.sending ? text.submitting : text.submitRegister}
      </Button>
      <p className="text-center text-sm text-muted">
        {text.haveAccount}{" "}
        <Link href="/login" className="font-medium text-primary underline underline-offset-2">
          {text.loginTitle}
        </Link>
      </p>
    </form>
  );
}

/** The typed values without empty optional fields. */
/** What is wrong with an entry, as far as the page knows; the server looks closer. */
function problemsOf(
  body: Registration,
  invited: boolean,
  text: Messages["auth"],
  fields: Messages["common"]["errors"]["fields"],
): FieldErrors {
  const found: FieldErrors = {};
  if (!isUsername(body.username)) found.username = [text.usernameRule];
  if (body.password.trim() === "") found.password = [fields["must have a character that is not blank"]];
  if (body.password.length < 6) found.password = [text.passwordShort];
  if (passwordBytes(body.password) > MAX_PASSWORD_BYTES) found.password = [text.passwordLong];
  if (body.email !== undefined && !mayBeEmail(body.email))
    found.email = [fields["must be an e-mail address"]];
  if (invited && body.inviteCode === undefined) found.inviteCode = [text.required];
  return found;
}

function bodyOf(data: FormData): Registration {
  const typed = (name: string) => String(data.get(name) ?? "").trim();
  const [email, inviteCode] = [typed("email"), typed("inviteCode")];
  return {
    username: typed("username"),
    password: String(data.get("password") ?? ""),
    ...(email === "" ? {} : { email }),
    ...(inviteCode === "" ? {} : { inviteCode }),
  };
}

function InviteField(props: {
  errors: string[] | undefined;
  inviteCode: string;
  needed: boolean;
  hint: string;
}) {
  const text = useMessages("auth");
  const common = useMessages("common");
  const { needed } = props;
  return (
    <Field
      label={text.inviteCode}
      hint={needed ? props.hint : undefined}
      optional={needed ? undefined : common.optional}
      errors={props.errors}
    >
      {(control) => (
        <Input
          {...control}
          name="inviteCode"
          required={needed}
          defaultValue={props.inviteCode}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  );
}
