"use client";

import type { KeyInput } from "../api/types";
import { FormFrame } from "../forms/form-frame";
import { useRecordForm } from "../forms/use-record-form";
import { useFormat, useMessages } from "../i18n/provider";
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
  const { timeZone } = useFormat();
  const form = useRecordForm<KeyDraft, KeyInput>({
    keep: { name: props.name },
    initial: props.initial,
    read: (draft) => readDraft(draft, props.quotaOptional, timeZone, text),
    send: props.onSend,
  });
  return (
    <FormFrame
      form={form}
      shown={["name", "quota", "expiresAt", "planId", "models"]}
      submitLabel={props.submitLabel}
      sendingLabel={props.sendingLabel}
      onCancel={props.onCancel}
    >
      <KeyFields
        draft={form.draft}
        onChange={form.change}
        errors={form.errors}
        unfolded={props.unfolded}
        quotaOptional={props.quotaOptional}
      />
    </FormFrame>
  );
}
