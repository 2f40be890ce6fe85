"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { usePersistedDraft } from "@/components/api/persisted-draft";
import { ApiError } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import type { KeyInput } from "../api/types";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { DialogActions } from "../ui/dialog";
import { Note } from "../ui/states";
import { KeyFields } from "./key-fields";
import { type KeyDraft, readDraft } from "./key-form-state";

/** The form of a key; `onSend` sends it and throws the server's error. */
export function KeyForm(props: {
  /** The name under which its draft survives the end of a session. */
  name: string;
  initial: KeyDraft;
  unfolded: boolean;
  /** Empty means the plan's default. */
  quotaOptional: boolean;
  submitLabel: string;
  sendingLabel: string;
  onSend: (input: KeyInput) => Promise<void>;
  onCancel: () => void;
}) {
  const text = useMessages("keys");
  const common = useMessages("common");
  const format = useFormat();
  const [draft, setDraft] = useState(props.initial);
  usePersistedDraft({ name: props.name, draft, restore: (kept) => setDraft((now) => ({ ...now, ...kept })) });
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [sending, setSending] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const troubled = failure !== null || Object.keys(errors).length > 0;
  useEffect(() => {
    if (troubled) summary.current?.focus();
  }, [troubled]);
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending) return;
    const read = readDraft(draft, props.quotaOptional, format.timeZone, text);
    setErrors(read.ok ? {} : read.errors);
    setFailure(null);
    if (!read.ok) return;
    setSending(true);
    try {
      await props.onSend(read.input);
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      setErrors(caught.fields);
      setFailure(caught);
    } finally {
      setSending(false);
    }
  }
  const wrong = Object.keys(errors).length;
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <div ref={summary} tabIndex={-1} className="empty:hidden">
        {wrong > 0 && (
          <Note tone="danger" role="alert">
            {plural(common.errors.formSummary, wrong, format.locale)}
          </Note>
        )}
        {failure !== null && wrong === 0 && <ErrorPanel error={failure} />}
      </div>
      <KeyFields
        draft={draft}
        onChange={setDraft}
        errors={errors}
        unfolded={props.unfolded}
        quotaOptional={props.quotaOptional}
      />
      <DialogActions>
        <Button onClick={props.onCancel}>{common.cancel}</Button>
        <Button type="submit" variant="primary" disabled={sending}>
          {sending ? props.sendingLabel : props.submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
