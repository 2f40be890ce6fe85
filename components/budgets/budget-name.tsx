"use client";

import { useEffect } from "react";
import { useFormContext, useFormState, useWatch } from "react-hook-form";
import { firstKeys } from "../api/first-keys";
import { useRead } from "../api/use-read";
import { TextField } from "../forms/fields";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import type { BudgetDraft } from "./budget-draft";
import { useBudgetSpace } from "./budget-space";
import { useOwnedProjects, usePaidProjects } from "./use-scopes";

/** The name of the budget: what the other fields say, until somebody types another one. */
export function NameField() {
  const text = useMessages("budgets").form;
  const { setValue } = useFormContext<BudgetDraft>();
  const { dirtyFields } = useFormState<BudgetDraft>();
  const draft = useWatch<BudgetDraft>() as BudgetDraft; // every field has a value from the start
  const auto = useAutoName(draft);
  const isTyped = dirtyFields.name === true;
  useEffect(() => {
    if (!isTyped) setValue("name", auto);
  }, [auto, isTyped, setValue]);
  return <TextField<BudgetDraft> name="name" label={text.name} hint={text.nameHint} maxLength={80} />;
}

const MAX_NAME = 80;

/** What a draft is for and how often, as a name. */
export function useAutoName(draft: BudgetDraft): string {
  const { form, per } = useMessages("budgets");
  const subject = useSubjectName(draft);
  const how = fill(per[draft.period], { amount: form.autoUnits[draft.unit] });
  return fill(form.autoName, { subject, per: how }).slice(0, MAX_NAME);
}

function useSubjectName({ scope, each, planId, userId, projectId, tokenId }: BudgetDraft): string {
  const { form, scopes } = useMessages("budgets");
  const isAdmin = useBudgetSpace() === "/api/admin";
  const plans = useRead("GET /api/admin/plans", {}, { enabled: isAdmin && scope === "plan" }).data?.data;
  const params = { id: userId };
  const hasUser = isAdmin && userId !== "";
  const user = useRead("GET /api/admin/users/{id}", { params }, { enabled: hasUser }).data;
  const theirs = useRead(
    "GET /api/admin/users/{id}/tokens",
    { params, query: { pageSize: 100 } },
    { enabled: hasUser && scope === "key" },
  ).data;
  const own = useRead("GET /api/user/tokens", firstKeys, { enabled: !isAdmin && scope === "key" }).data;
  const key = (isAdmin ? theirs : own)?.data.find(({ id }) => id === tokenId);
  const { autoSubjects } = form;
  const owned = useOwnedProjects();
  const paid = usePaidProjects(hasUser && scope === "project" ? userId : "");
  const one = each === "none" ? null : autoSubjects[each];
  if (scope === "project") {
    const project = [...owned, ...paid].find(({ id }) => id === projectId)?.name ?? scopes.project;
    return one === null ? project : fill(autoSubjects.inProject, { project, each: one });
  }
  if (scope === "plan") {
    const plan = plans?.find(({ id }) => String(id) === planId)?.name ?? scopes.plan;
    return fill(autoSubjects.onPlan, { plan, each: one ?? "" });
  }
  if (scope === "account" && !isAdmin) return one ?? autoSubjects.own;
  if (scope === "account") return (hasUser ? user?.username : undefined) ?? scopes.account;
  if (scope === "platform") return one ?? autoSubjects.platform;
  return key?.name ?? scopes[scope];
}
