"use client";

import { CircleAlert, Info } from "lucide-react";
import type { RefObject } from "react";
import { type ApiError, callApi } from "../api/client";
import { Countdown } from "../api/countdown";
import { errorMessage } from "../api/error-message";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Field, Input } from "../ui/field";
import { Link } from "../ui/link";
import { PasswordInput } from "../ui/password-input";
import { Note } from "../ui/states";
import { SuspendedNotice } from "./suspended-notice";
import { type FieldErrors, useAccountForm } from "./use-account-form";

const signIn = (body: { username: string; password: string }) => callApi("POST /api/user/login", { body });

/** Username and password. */
export function LoginForm(props: {
  next: string;
  expired: boolean;
  contact: string | null;
  publicUrl: string;
}) {
  const text = useMessages("auth");
  const form = useAccountForm(signIn, props.next);
  function send(data: FormData) {
    const username = String(data.get("username") ?? "").trim();
    const password = String(data.get("password") ?? "");
    const found: FieldErrors = {};
    if (username === "") found.username = [text.required];
    if (password === "") found.password = [text.required];
    return form.submit({ username, password }, found);
  }
  if (form.error?.reason === "account_suspended")
    return <SuspendedNotice since={form.error.since} contact={props.contact} onOther={form.reset} />;
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
      {props.expired && form.error === null && (
        <Note tone="info" icon={Info} role="status">
          {text.sessionExpired}
        </Note>
      )}
      <FormProblem
        error={form.error}
        errors={form.errors}
        focusRef={form.problem}
        publicUrl={props.publicUrl}
      />
      <UsernameField label={text.username} errors={form.errors.username} />
      <Field label={text.password} errors={form.errors.password}>
        {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" />}
      </Field>
      <Button type="submit" variant="primary" aria-disabled={form.sending}>
        {form.sending ? text.submitting : text.submitLogin}
      </Button>
      <p className="text-center text-sm text-muted">{text.forgotten}</p>
      <p className="text-center text-sm text-muted">
        {text.noAccount}{" "}
        <Link href="/register" className="font-medium text-primary underline underline-offset-2">
          {text.registerTitle}
        </Link>
      </p>
    </form>
  );
}

/** The field of the name to sign in with. */
export function UsernameField(props: { label: string; hint?: string; errors: string[] | undefined }) {
  const { hint, ...rest } = props;
  // An error says the same as the hint.
  const failed = (props.errors?.length ?? 0) > 0;
  return (
    <Field {...rest} hint={failed ? undefined : hint}>
      {(control) => (
        <Input
          {...control}
          name="username"
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Field>
  );
}

/** The error message of a form; it gets the focus. */
export function FormProblem(props: {
  error: ApiError | null;
  errors: FieldErrors;
  focusRef: RefObject<HTMLDivElement | null>;
  /** Where browsers sign in. */
  publicUrl: string;
}) {
  const common = useMessages("common");
  const format = useFormat();
  const { error } = props;
  const wrong = Object.keys(props.errors).length;
  if (wrong > 0) {
    return (
      <div ref={props.focusRef} tabIndex={-1}>
        <Note tone="danger" icon={CircleAlert} role="alert">
          {plural(common.errors.formSummary, wrong, format.locale)}
        </Note>
      </div>
    );
  }
  return (
    <div ref={props.focusRef} tabIndex={-1} className="empty:hidden">
      {error !== null && (
        <Note tone="danger" icon={CircleAlert} role="alert">
          <Problem error={error} publicUrl={props.publicUrl} />
        </Note>
      )}
    </div>
  );
}

/** Where to sign in instead. */
function OtherAddress({ publicUrl }: { publicUrl: string }) {
  const text = useMessages("auth");
  return (
    <>
      {fill(text.otherAddress, { url: publicUrl, here: window.location.origin })}{" "}
      <a href={`${publicUrl}/login`} className="underline underline-offset-2">
        {text.otherAddressLink}
      </a>
    </>
  );
}

function Problem({ error, publicUrl }: { error: ApiError; publicUrl: string }) {
  const text = useMessages("auth");
  const common = useMessages("common");
  if (error.status === 429)
    return (
      <Countdown seconds={error.retryAfterSeconds ?? 1} message={text.throttled} over={text.throttledOver} />
    );
  if (error.code === "INVALID_CREDENTIALS") return text.wrong;
  if (error.code === "UNAUTHORIZED") return text.sessionFailed;
  if (error.reason === "other_address") return <OtherAddress publicUrl={publicUrl} />;
  if (error.reason === "registration_closed") return text.registrationClosed;
  return errorMessage(error, common);
}
