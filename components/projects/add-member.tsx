"use client";

import { SelectField, TextField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Dialog } from "../ui/dialog";
import { toast } from "../ui/toast";
import type { MembersOf } from "./types";
import { useProjectCall } from "./use-project-call";

interface Draft {
  username: string;
  role: "owner" | "member";
}

const roles = ["member", "owner"] as const;

/** Adds a member by its exact username. */
export function AddMember(props: { of: MembersOf; onClose: () => void }) {
  const text = useMessages("projects");
  const { of, onClose } = props;
  return (
    <Dialog open onClose={onClose} title={text.members.addTitle} size="sm">
      <RecordForm
        operation={`POST /api/${of.space}/projects/{id}/members`}
        params={{ id: of.id }}
        call={useProjectCall()}
        initial={{ username: "", role: "member" } as Draft}
        toBody={({ username, role }: Draft) => ({ username: username.trim(), role })}
        onSent={({ username }) => {
          toast.done(fill(text.members.added, { name: username }));
          onClose();
        }}
        submitLabel={text.members.add}
        onCancel={onClose}
      >
        <TextField<Draft>
          name="username"
          label={text.members.username}
          hint={text.members.usernameHint}
          required
        />
        <SelectField<Draft>
          name="role"
          label={text.members.role}
          hint={text.members.roleHint}
          options={roles.map((value) => ({ value, label: text.roles[value] }))}
        />
      </RecordForm>
    </Dialog>
  );
}
