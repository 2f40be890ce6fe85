"use client";

import type { ReactNode } from "react";
import { FormFrame } from "@/components/forms/form-frame";
import { type FieldErrors, type ReadResult, useRecordForm } from "@/components/forms/use-record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Field, Input, Select } from "../../ui/field";
import { typedNumber } from "../draft";
import { useAdminPlans } from "../queries";
import type { AdminUser } from "../types";
import { type CreateBody, type EditBody, limits, readCreate, readEdit, type UserDraft } from "./user-draft";

interface FieldsProps {
  draft: UserDraft;
  change: (part: Partial<UserDraft>) => void;
  errors: FieldErrors;
}

/** The form of a new account. */
export function CreateUserForm(props: { onSend: (body: CreateBody) => Promise<void>; onCancel: () => void }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const admin = useMessages("admin");
  const common = useMessages("common");
  const form = useRecordForm<UserDraft, CreateBody>({
    keep: { name: "user", secrets: ["password"] },
    initial: { ...blank, username: "", password: "", quota: "" },
    read: (draft): ReadResult<CreateBody> => readCreate(draft, text, admin),
    send: props.onSend,
  });
  const { draft, change, errors } = form;
  return (
    <FormFrame
      form={form}
      shown={["username", "password", "name", "email", "role", "planId", "quota"]}
      submitLabel={text.create}
      onCancel={props.onCancel}
    >
      <TextField
        label={text.username}
        hint={text.usernameRule}
        errors={errors.username}
        value={draft.username}
        onChange={(username) => change({ username })}
      />
      <TextField
        label={text.password}
        hint={text.passwordHint}
        errors={errors.password}
        value={draft.password}
        onChange={(password) => change({ password })}
      />
      <PersonFields {...form} />
      <TextField
        label={text.quota}
        hint={
          draft.quota.trim() === ""
            ? text.quotaHint
            : fill(text.amountHint, { amount: format.typedMoney(draft.quota) })
        }
        errors={errors.quota}
        optional={common.optional}
        value={draft.quota}
        onChange={(quota) => change({ quota })}
      />
    </FormFrame>
  );
}

/** The form of a stored account. */
export function EditUserForm(props: {
  user: AdminUser;
  self: boolean;
  onSend: (body: EditBody) => Promise<void>;
  onCancel: () => void;
}) {
  const text = useMessages("adminUsers");
  const admin = useMessages("admin");
  const common = useMessages("common");
  const { user } = props;
  const form = useRecordForm<UserDraft, EditBody>({
    initial: draftOf(user),
    read: (draft) => readEdit(draft, user, text, admin),
    send: props.onSend,
  });
  const { draft, change, errors } = form;
  return (
    <FormFrame
      form={form}
      shown={["name", "email", "role", "planId", ...limits.map((name) => `limitOverrides.${name}`)]}
      submitLabel={common.save}
      stored
      onCancel={props.onCancel}
    >
      <PersonFields {...form} roleFixed={props.self} />
      <fieldset className="grid gap-3 rounded-md border p-3">
        <legend className="px-1 text-sm font-medium">{text.limits}</legend>
        <p className="text-xs text-muted">{text.limitsHint}</p>
        <div className="grid gap-3 sm:grid-cols-3">
          {limits.map((name) => (
            <TextField
              key={name}
              label={text[name]}
              errors={errors[`limitOverrides.${name}`]}
              value={draft[name]}
              onChange={(value) => change({ [name]: value })}
            />
          ))}
        </div>
      </fieldset>
    </FormFrame>
  );
}

function PersonFields(props: FieldsProps & { roleFixed?: boolean }) {
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const plans = useAdminPlans().data?.data ?? [];
  const { draft, change, errors } = props;
  const planOptions = plans.map((plan) => ({ value: String(plan.id), label: plan.name }));
  return (
    <>
      <TextField
        label={text.name}
        optional={common.optional}
        errors={errors.name}
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <TextField
        label={text.email}
        optional={common.optional}
        errors={errors.email}
        value={draft.email}
        onChange={(email) => change({ email })}
      />
      <Field label={text.role} hint={text.endsSessions} errors={errors.role}>
        {(control) => (
          <Select
            {...control}
            disabled={props.roleFixed === true}
            value={draft.role}
            options={(["user", "admin"] as const).map((role) => ({ value: role, label: text.roles[role] }))}
            onChange={(event) => change({ role: event.target.value === "admin" ? "admin" : "user" })}
          />
        )}
      </Field>
      <Field label={text.plan} errors={errors.planId}>
        {(control) => (
          <Select
            {...control}
            value={draft.planId}
            options={planOptions.length > 0 ? planOptions : [{ value: draft.planId, label: draft.planId }]}
            onChange={(event) => change({ planId: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** A labelled text box. */
function TextField(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  errors?: string[] | undefined;
  optional?: string;
}) {
  return (
    <Field label={props.label} hint={props.hint} errors={props.errors} optional={props.optional}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

const blank: UserDraft = {
  username: "",
  password: "",
  name: "",
  email: "",
  role: "user",
  planId: "1",
  quota: "",
  qps: "",
  rpm: "",
  tpm: "",
};

function draftOf(user: AdminUser): UserDraft {
  return {
    ...blank,
    name: user.name,
    email: user.email,
    role: user.role,
    planId: String(user.planId),
    qps: typedNumber(user.limitOverrides?.qps),
    rpm: typedNumber(user.limitOverrides?.rpm),
    tpm: typedNumber(user.limitOverrides?.tpm),
  };
}
