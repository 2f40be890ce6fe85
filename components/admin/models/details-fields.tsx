"use client";

import type { FieldErrors } from "@/components/forms/use-record-form";
import { modelKinds } from "@/lib/protocols/protocol";
import { useMessages } from "../../i18n/provider";
import { Checkbox, Field, Input, Select, TextArea } from "../../ui/field";
import type { DetailsDraft } from "./details-draft";

/** Names of the fields that show their own errors. */
export const detailsShown = [
  "alias",
  "kind",
  "displayName",
  "alsoKnownAs",
  "contextWindow",
  "maxOutputTokens",
  "defaultMaxTokens",
  "profile",
];

type TextName = Exclude<keyof DetailsDraft, "enabled" | "profile" | "kind">;

/** The details of a model: names, windows, capabilities. */
export function DetailsFields(props: {
  draft: DetailsDraft;
  onChange: (part: Partial<DetailsDraft>) => void;
  errors: FieldErrors;
}) {
  const text = useMessages("adminModels");
  const { draft, onChange, errors } = props;
  const generates = draft.kind === "generation";
  const box = (name: TextName, hint?: string, numeric = false) => (
    <Field label={text[name]} hint={hint} errors={errors[name]}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          inputMode={numeric ? "numeric" : undefined}
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      {box("alias", text.aliasHint)}
      <Field
        label={text.kind}
        hint={draft.kind === "embedding" ? text.embeddingHint : undefined}
        errors={errors.kind}
      >
        {(control) => (
          <Select
            {...control}
            value={draft.kind}
            options={modelKinds.map((value) => ({ value, label: text.kinds[value] }))}
            onChange={(event) =>
              onChange({ kind: modelKinds.find((kind) => kind === event.target.value) ?? draft.kind })
            }
          />
        )}
      </Field>
      {box("displayName")}
      {box("alsoKnownAs", text.alsoKnownAsHint)}
      <div className="grid gap-4 sm:grid-cols-2">
        {box("contextWindow", undefined, true)}
        {generates && box("maxOutputTokens", text.maxOutputHint, true)}
      </div>
      {generates && box("defaultMaxTokens", text.defaultMaxHint, true)}
      <Field label={text.profile} hint={text.profileHint} errors={errors.profile}>
        {(control) => (
          <TextArea
            {...control}
            spellCheck={false}
            className="font-mono"
            value={draft.profile}
            onChange={(event) => onChange({ profile: event.target.value })}
          />
        )}
      </Field>
      <Checkbox
        label={text.enabledLabel}
        checked={draft.enabled}
        onChange={(event) => onChange({ enabled: event.target.checked })}
      />
    </>
  );
}
