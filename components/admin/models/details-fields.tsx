"use client";

import { useWatch } from "react-hook-form";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { type ModelKind, modelKinds } from "@/lib/protocols/protocol";
import { asTyped, typedText, typedWhole } from "@/lib/shared/typed";
import type { AdminModel } from "../../api/admin/types";
import { AreaField, CheckField, More, SelectField, TextField } from "../../forms/fields";
import { useMessages } from "../../i18n/provider";

/** The details of a model, as typed. */
export type DetailsDraft = ReturnType<typeof detailsDraftOf>;

/** The form filled from a model, or empty. */
export function detailsDraftOf(model: AdminModel | null) {
  const profile = model?.profile ?? {};
  return {
    alias: model?.alias ?? "",
    kind: model?.kind ?? "generation",
    displayName: model?.displayName ?? "",
    alsoKnownAs: (model?.alsoKnownAs ?? []).join(", "),
    contextWindow: asTyped(model?.contextWindow),
    maxOutputTokens: asTyped(model?.maxOutputTokens),
    defaultMaxTokens: asTyped(model?.defaultMaxTokens),
    profile: Object.keys(profile).length === 0 ? "" : JSON.stringify(profile, null, 2),
    enabled: model?.enabled ?? true,
  };
}

/** The details of a model, as sent. */
export function detailsBody(draft: DetailsDraft) {
  return {
    alias: typedText(draft.alias),
    kind: draft.kind,
    displayName: draft.displayName.trim(),
    alsoKnownAs: draft.alsoKnownAs.split(/[,，\s]+/).filter((name) => name !== ""),
    contextWindow: typedWhole(draft.contextWindow) ?? null,
    maxOutputTokens: typedWhole(draft.maxOutputTokens) ?? null,
    defaultMaxTokens: typedWhole(draft.defaultMaxTokens) ?? null,
    profile: typedObject(draft.profile),
    enabled: draft.enabled,
  };
}

function typedObject(typed: string): object | string {
  if (typed.trim() === "") return {};
  const value = parseJson(typed);
  return isObject(value) ? value : typed;
}

/** What a model is called and what it is for. */
export function MainDetails() {
  const text = useMessages("adminModels");
  const kind: ModelKind = useWatch({ name: "kind" });
  return (
    <>
      <TextField<DetailsDraft> name="alias" label={text.alias} hint={text.aliasHint} />
      <SelectField<DetailsDraft>
        name="kind"
        label={text.kind}
        hint={kind === "embedding" ? text.embeddingHint : undefined}
        options={modelKinds.map((value) => ({ value, label: text.kinds[value] }))}
      />
      <TextField<DetailsDraft> name="displayName" label={text.displayName} optional />
    </>
  );
}

/** Further names, windows, capabilities. */
export function MoreDetails(props: { open: boolean }) {
  const text = useMessages("adminModels");
  const kind: ModelKind = useWatch({ name: "kind" });
  const generates = kind === "generation";
  return (
    <More label={text.moreDetails} open={props.open}>
      <TextField<DetailsDraft> name="alsoKnownAs" label={text.alsoKnownAs} hint={text.alsoKnownAsHint} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField<DetailsDraft> name="contextWindow" label={text.contextWindow} inputMode="numeric" />
        {generates && (
          <TextField<DetailsDraft>
            name="maxOutputTokens"
            label={text.maxOutputTokens}
            hint={text.maxOutputHint}
            inputMode="numeric"
          />
        )}
      </div>
      {generates && (
        <TextField<DetailsDraft>
          name="defaultMaxTokens"
          label={text.defaultMaxTokens}
          hint={text.defaultMaxHint}
          inputMode="numeric"
        />
      )}
      <AreaField<DetailsDraft>
        code
        name="profile"
        label={text.profile}
        hint={text.profileHint}
        rule={text.profileRule}
      />
      <CheckField<DetailsDraft> name="enabled" label={text.enabledLabel} />
    </More>
  );
}
