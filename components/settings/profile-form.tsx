"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, callApi } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { queryKeys } from "../api/queries";
import type { Profile } from "../api/types";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Field, Input } from "../ui/field";
import { toast } from "../ui/toast";

/** Display name and e-mail. */
export function ProfileForm(props: { self: Profile }) {
  const text = useMessages("settings");
  const common = useMessages("common");
  const client = useQueryClient();
  const [name, setName] = useState(props.self.name);
  const [email, setEmail] = useState(props.self.email);
  const save = useMutation({
    mutationFn: () => callApi("PATCH /api/user/self", { body: { name: name.trim(), email: email.trim() } }),
    onSuccess: (profile) => {
      client.setQueryData(queryKeys.self, profile);
      toast.done(text.profileSaved);
    },
  });
  const errors = save.error instanceof ApiError ? save.error.fields : {};
  const changed = name.trim() !== props.self.name || email.trim() !== props.self.email;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (changed && !save.isPending) save.mutate();
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 sm:max-w-[480px]">
      <Field label={text.username} hint={text.usernameFixed}>
        {(control) => <Input {...control} value={props.self.username} disabled />}
      </Field>
      <Field label={text.name} errors={errors.name}>
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={100}
            autoComplete="name"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label={text.email} hint={text.emailHint} errors={errors.email}>
        {(control) => (
          <Input
            {...control}
            type="email"
            value={email}
            autoComplete="email"
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      {save.error !== null && Object.keys(errors).length === 0 && <ErrorPanel error={save.error} />}
      <div>
        <Button type="submit" variant="primary" disabled={save.isPending || !changed}>
          {save.isPending ? common.saving : common.save}
        </Button>
      </div>
    </form>
  );
}
