"use client";

import { useQueryClient } from "@tanstack/react-query";
import { read, readKey } from "../api/read";
import type { Profile } from "../api/types";
import { TextField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Field, Input } from "../ui/field";
import { toast } from "../ui/toast";

/** Display name and e-mail. */
export function ProfileForm(props: { self: Profile }) {
  const text = useMessages("settings");
  const common = useMessages("common");
  const format = useFormat();
  const client = useQueryClient();
  const { username, name, email, createdAt } = props.self;
  return (
    <div className="sm:max-w-[480px]">
      <RecordForm
        operation="PATCH /api/user/self"
        initial={{ name, email }}
        toBody={(draft) => ({ name: draft.name.trim(), email: draft.email.trim() })}
        onSent={(profile) => {
          client.setQueryData(readKey(read("GET /api/user/self")), profile);
          toast.done(text.profileSaved);
        }}
        submitLabel={common.save}
      >
        <Field label={text.username} hint={fill(text.usernameFixed, { date: format.date(createdAt) })}>
          {(control) => <Input {...control} value={username} disabled />}
        </Field>
        <TextField name="name" label={text.name} maxLength={100} autoComplete="name" optional />
        <TextField
          name="email"
          label={text.email}
          hint={text.emailHint}
          type="email"
          autoComplete="email"
          optional
        />
      </RecordForm>
    </div>
  );
}
