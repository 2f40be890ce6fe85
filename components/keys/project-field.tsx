"use client";

import { useProjects } from "../api/use-projects";
import { SelectField } from "../forms/fields";
import { useMessages } from "../i18n/provider";
import type { KeyDraft } from "./key-form-state";

/** The project that a new key is made for; nothing while the account has no live project. */
export function ProjectField() {
  const text = useMessages("keys");
  const common = useMessages("common").projects;
  const live = useProjects().filter(({ archivedAt }) => archivedAt === null);
  if (live.length === 0) return null;
  const options = live.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField<KeyDraft>
      name="projectId"
      label={common.label}
      hint={text.projectHint}
      options={[{ value: "", label: text.noProject }, ...options]}
    />
  );
}
