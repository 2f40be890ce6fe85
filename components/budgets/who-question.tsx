"use client";

import { useFormContext, useWatch } from "react-hook-form";
import { eachOfScope } from "@/lib/shared/budget-words";
import { useAllKeys } from "../api/use-all-keys";
import { useRead } from "../api/use-read";
import { SelectField, useField } from "../forms/fields";
import { useMessages } from "../i18n/provider";
import { AccountFilter, useAdminChoices } from "../logs/account-filter";
import { useReadableErrors } from "../ui/field";
import { Segmented } from "../ui/segmented";
import { type BudgetDraft, eachOf } from "./budget-draft";
import { useBudgetSpace } from "./budget-space";
import { Question } from "./question";
import { useOwnedProjects, usePaidProjects, useScopes } from "./use-scopes";

/** For whom the budget is, and whether it has one counter together or one for each. */
export function WhoQuestion() {
  const text = useMessages("budgets").form;
  const isAdmin = useBudgetSpace() === "/api/admin";
  const { setValue } = useFormContext<BudgetDraft>();
  const scope = useWatch<BudgetDraft, "scope">({ name: "scope" });
  const scopes = useScopes();
  const label = (one: BudgetDraft["scope"]) =>
    isAdmin || one === "platform" || one === "plan" ? text.ofScope[one] : text.own[one];
  return (
    <Question title={text.who}>
      <SelectField<BudgetDraft>
        name="scope"
        label={text.scope}
        options={scopes.map((value) => ({ value, label: label(value) }))}
        onPick={(value) => {
          const picked = scopes.find((one) => one === value) ?? "account";
          setValue("scope", picked, { shouldDirty: true });
          setValue("each", eachOfScope[picked][0] ?? "none", { shouldDirty: true });
        }}
      />
      {scope === "plan" && <PlanField />}
      {isAdmin && scope === "account" && <AccountField name="userId" label={text.account} />}
      {scope === "project" && (isAdmin ? <ProjectOfAccount /> : <OwnProject />)}
      {scope === "key" && (isAdmin ? <KeyOfAccount /> : <OwnKey />)}
      <EachField />
    </Question>
  );
}

function PlanField() {
  const text = useMessages("budgets").form;
  const { chooseOne } = useMessages("common").errors.rules;
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  return (
    <SelectField<BudgetDraft>
      name="planId"
      label={text.plan}
      rule={chooseOne}
      options={[
        { value: "", label: text.choosePlan },
        ...plans.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  );
}

/** An account, which is found by its name. */
function AccountField(props: { name: "userId"; label: string; onChosen?: () => void }) {
  const text = useMessages("budgets").form;
  const { field, errors } = useField(props.name);
  const readable = useReadableErrors(props.label);
  const value: string = field.value;
  return (
    <div className="grid gap-1.5" data-invalid={errors !== undefined || undefined}>
      <span aria-hidden className="text-sm font-medium">
        {props.label}
      </span>
      <AccountFilter
        label={props.label}
        placeholder={text.accountPlaceholder}
        account={value === "" ? null : value}
        onAccount={(id) => {
          field.onChange(id ?? "");
          props.onChosen?.();
        }}
      />
      {errors !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {errors.map(readable).join(" ")}
        </p>
      )}
    </div>
  );
}

function KeyOfAccount() {
  const text = useMessages("budgets").form;
  const { setValue } = useFormContext<BudgetDraft>();
  const userId = useWatch<BudgetDraft, "userId">({ name: "userId" });
  const { keys } = useAdminChoices(true, userId === "" ? null : userId);
  return (
    <>
      <AccountField
        name="userId"
        label={text.accountOfKey}
        onChosen={() => setValue("tokenId", "", { shouldDirty: true })}
      />
      <SelectField<BudgetDraft>
        name="tokenId"
        label={text.key}
        options={[{ value: "", label: text.chooseKey }, ...keys]}
      />
    </>
  );
}

function ProjectOfAccount() {
  const text = useMessages("budgets").form;
  const { setValue } = useFormContext<BudgetDraft>();
  const userId = useWatch<BudgetDraft, "userId">({ name: "userId" });
  const projects = usePaidProjects(userId);
  return (
    <>
      <AccountField
        name="userId"
        label={text.payerOfProject}
        onChosen={() => setValue("projectId", "", { shouldDirty: true })}
      />
      <ProjectSelect projects={projects} />
    </>
  );
}

function OwnProject() {
  return <ProjectSelect projects={useOwnedProjects()} />;
}

function ProjectSelect({ projects }: { projects: readonly { id: string; name: string }[] }) {
  const text = useMessages("budgets").form;
  const { chooseOne } = useMessages("common").errors.rules;
  return (
    <SelectField<BudgetDraft>
      name="projectId"
      label={text.project}
      rule={chooseOne}
      options={[
        { value: "", label: text.chooseProject },
        ...projects.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

function OwnKey() {
  const text = useMessages("budgets").form;
  const keys = useAllKeys(true).data?.data ?? [];
  return (
    <SelectField<BudgetDraft>
      name="tokenId"
      label={text.key}
      options={[
        { value: "", label: text.chooseKey },
        ...keys.map(({ id, name, keyPrefix }) => ({ value: id, label: `${name} (${keyPrefix}…)` })),
      ]}
    />
  );
}

/** One counter together, or one for each; nothing to choose for a single key. */
function EachField() {
  const text = useMessages("budgets").form;
  const { field } = useField("each");
  const scope = useWatch<BudgetDraft, "scope">({ name: "scope" });
  const allowed = eachOfScope[scope];
  if (allowed.length < 2) return null;
  return (
    <div className="grid gap-1.5">
      <span aria-hidden className="text-sm font-medium">
        {text.each}
      </span>
      <Segmented
        label={text.each}
        value={eachOf({ scope, each: field.value })}
        onChange={field.onChange}
        options={allowed.map((value) => ({ value, label: text.eachOf[value] }))}
      />
    </div>
  );
}
