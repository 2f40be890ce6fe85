"use client";

import type { FormEvent, ReactNode, RefObject } from "react";
import type { ApiError } from "@/components/api/client";
import { ErrorPanel } from "@/components/api/error-panel";
import { plural } from "@/components/i18n/fill";
import { useFormat, useMessages } from "@/components/i18n/provider";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Note } from "@/components/ui/states";
import type { FieldErrors } from "./use-record-form";

/** The frame of a form: summary of errors, the fields, cancel and submit. */
export function FormFrame(props: {
  form: {
    errors: FieldErrors;
    failure: ApiError | null;
    sending: boolean;
    changed: boolean;
    summary: RefObject<HTMLDivElement | null>;
    submit: (event: FormEvent) => void;
  };
  /** Names of the fields that show their own errors; other messages of the server are listed above. */
  shown: string[];
  submitLabel: string;
  sendingLabel?: string;
  onCancel: () => void;
  danger?: boolean;
  /** Whether a form without changes has nothing to send: the record is stored already. */
  stored?: boolean;
  children: ReactNode;
}) {
  const common = useMessages("common");
  const { form } = props;
  const idle = props.stored === true && !form.changed;
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <div ref={form.summary} tabIndex={-1} className="empty:hidden">
        <FormSummary errors={form.errors} failure={form.failure} shown={props.shown} />
      </div>
      {props.children}
      <DialogActions>
        <Button onClick={props.onCancel}>{common.cancel}</Button>
        <Button
          type="submit"
          variant={props.danger === true ? "danger" : "primary"}
          disabled={form.sending || idle}
        >
          {form.sending ? (props.sendingLabel ?? common.saving) : props.submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}

function FormSummary(props: { errors: FieldErrors; failure: ApiError | null; shown: string[] }) {
  const common = useMessages("common");
  const format = useFormat();
  const names = Object.keys(props.errors);
  if (names.length === 0) return props.failure === null ? null : <ErrorPanel error={props.failure} />;
  const others = names.filter((name) => !props.shown.includes(name));
  return (
    <Note tone="danger" role="alert">
      <p>{plural(common.errors.formSummary, names.length, format.locale)}</p>
      {others.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {others.map((name) => (
            <li key={name} className="wrap-anywhere">
              <code className="font-mono text-xs">{name}</code> {props.errors[name]?.join(" ")}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}
