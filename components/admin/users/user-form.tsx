"use client";

import { useDeferredValue, useRef } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { madePassword } from "@/lib/shared/made-password";
import { typedText, typedYuan } from "@/lib/shared/typed";
import { userRoles } from "@/lib/shared/user-roles";
import type { AdminUser } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { MoneyField, More, SelectField, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useOpenPage } from "../../shell/offline";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";
import type { MadePassword } from "./new-password";
import { newestUsers } from "./newest-users";
import { type LimitsDraft, limitNames, limitsBody, limitsDraftOf } from "./own-limits";

/** The form of a new account; `onMade` is told a password that was generated, and what follows once it was read. */
export function CreateUserForm(props: { onClose: () => void; onMade: (made: MadePassword) => void }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const call = useAdminCall();
  const openPage = useOpenPage();
  const generated = useRef("");
  return (
    <RecordForm
      operation="POST /api/admin/users"
      send={async (body) => ({ ...(await call("POST /api/admin/users", { body })), password: body.password })}
      keep={{ name: "user", secrets: ["password"] }}
      initial={blank}
      toBody={newBody}
      onSent={({ id, username, password }) => {
        const end = () => {
          props.onClose();
          toast.done(fill(text.saved, { name: username }), {
            record: id,
            action: { label: text.open, onClick: () => openPage(`/admin/users/${id}`) },
          });
        };
        if (password !== undefined && password === generated.current)
          props.onMade({ name: username, password, onClose: end });
        else end();
      }}
      submitLabel={text.create}
      onCancel={props.onClose}
    >
      <TextField<NewDraft> name="username" label={text.username} hint={text.usernameRule} />
      <EmailField ownId={null} />
      <PasswordFields onGenerated={(password) => (generated.current = password)} />
      <MoneyField<NewDraft>
        name="quota"
        label={text.quota}
        hint={(typed) => (typed.trim() === "" ? text.quotaHint : format.typedMoney(typed, text.amountHint))}
        optional
      />
      <PlanField />
      <More>
        <RoleField />
        <NameField />
        <CostCentreField />
      </More>
    </RecordForm>
  );
}

/** The form of a stored account. */
export function EditUserForm(props: { user: AdminUser; self: boolean; onClose: () => void }) {
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const call = useAdminCall();
  const { user, onClose } = props;
  return (
    <RecordForm
      operation="PATCH /api/admin/users/{id}"
      params={{ id: user.id }}
      record={user}
      call={call}
      keep={{ name: `user ${user.id}` }}
      initial={draftOf(user, common.unlimited)}
      toBody={(draft) => bodyOf(draft, common.unlimited)}
      onSent={({ username }) => {
        toast.done(fill(text.saved, { name: username }));
        onClose();
      }}
      submitLabel={common.save}
      onCancel={onClose}
    >
      <EmailField ownId={user.id} />
      <PlanField />
      <RoleField fixed={props.self} />
      <NameField />
      <CostCentreField />
      <fieldset className="grid gap-3 rounded-md border p-3">
        <legend className="px-1 text-sm font-medium">{text.limits}</legend>
        <p className="text-xs text-muted">{fill(text.limitsHint, { unlimited: common.unlimited })}</p>
        <div className="grid gap-3 sm:grid-cols-3">
          {limitNames.map((name) => (
            <TextField<EditDraft> key={name} name={`limitOverrides.${name}`} label={text[name]} />
          ))}
        </div>
      </fieldset>
    </RecordForm>
  );
}

/** The first password: typed, or made here and copied. */
function PasswordFields(props: { onGenerated: (password: string) => void }) {
  const text = useMessages("adminUsers");
  const { setValue } = useFormContext<NewDraft>();
  const password = useWatch<NewDraft, "password">({ name: "password" });
  function generate() {
    const made = madePassword();
    props.onGenerated(made);
    setValue("password", made, { shouldValidate: true, shouldDirty: true });
  }
  return (
    <div className="grid gap-2">
      <TextField<NewDraft> name="password" label={text.password} hint={text.passwordHint} />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={generate}>
          {text.makePassword}
        </Button>
        {password !== "" && <CopyButton text={password} label={text.passwordCopy} />}
      </div>
    </div>
  );
}

function NameField() {
  const text = useMessages("adminUsers");
  return <TextField<PersonDraft> name="name" label={text.name} optional />;
}

function CostCentreField() {
  const text = useMessages("adminUsers");
  return (
    <TextField<PersonDraft> name="costCentre" label={text.costCentre} hint={text.costCentreHint} optional />
  );
}

function RoleField(props: { fixed?: boolean }) {
  const text = useMessages("adminUsers");
  const options = userRoles.map((value) => ({ value, label: text.roles[value] }));
  return (
    <SelectField<PersonDraft>
      name="role"
      label={text.role}
      hint={text.endsSessions}
      options={options}
      disabled={props.fixed === true}
    />
  );
}

function PlanField() {
  const text = useMessages("adminUsers");
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const planId: string = useWatch({ name: "planId" });
  const options = plans.map((plan) => ({ value: String(plan.id), label: plan.name }));
  return (
    <SelectField<PersonDraft>
      name="planId"
      label={text.plan}
      options={options.length > 0 ? options : [{ value: planId, label: planId }]}
    />
  );
}

interface PersonDraft {
  name: string;
  email: string;
  role: AdminUser["role"];
  planId: string;
  costCentre: string;
}

type NewDraft = PersonDraft & { username: string; password: string; quota: string };
type EditDraft = PersonDraft & { limitOverrides: LimitsDraft };

const blank: NewDraft = {
  username: "",
  password: "",
  quota: "",
  name: "",
  email: "",
  role: "user",
  planId: "1",
  costCentre: "",
};

function draftOf(user: AdminUser, unlimited: string): EditDraft {
  const { name, email, role, planId, limitOverrides, costCentre } = user;
  return {
    costCentre,
    name,
    email,
    role,
    planId: String(planId),
    limitOverrides: limitsDraftOf(limitOverrides, unlimited),
  };
}

function newBody({ username, password, quota, name, email, role, planId, costCentre }: NewDraft) {
  return {
    username: typedText(username),
    password: password || undefined,
    role,
    planId: Number(planId),
    name: typedText(name),
    email: typedText(email),
    quota: typedYuan(quota),
    costCentre: typedText(costCentre),
  };
}

function bodyOf(draft: EditDraft, unlimited: string) {
  const { name, email, role, planId, limitOverrides, costCentre } = draft;
  return {
    costCentre: costCentre.trim(),
    name: name.trim(),
    email: email.trim(),
    role,
    planId: Number(planId),
    limitOverrides: limitsBody(limitOverrides, unlimited),
  };
}

/** The part of a list of accounts with this e-mail that is read: who has it is rarely one of many. */
const MOST_READ = 20;

/** The e-mail of an account. That others have it too is allowed, and told. */
function EmailField(props: { ownId: string | null }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const typed: string = useDeferredValue(useWatch({ name: "email" })).trim();
  const isWhole = /^\S+@\S+\.[A-Za-z]{2,}$/.test(typed);
  const filters = { ...newestUsers(format.timeZone), search: typed, pageSize: MOST_READ };
  const users = useRead("GET /api/admin/users", { query: filters }, { enabled: isWhole });
  const others = isWhole && !users.isPlaceholderData ? (users.data?.data ?? []) : [];
  const names = others
    .filter(({ id, email }) => id !== props.ownId && email.toLowerCase() === typed.toLowerCase())
    .map(({ username }) => username);
  return (
    <TextField
      name="email"
      label={text.email}
      hint={
        <span role="status">{names.length > 0 && fill(text.sharedEmail, { names: format.list(names) })}</span>
      }
      inputMode="email"
      optional
    />
  );
}
