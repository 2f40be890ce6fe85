"use client";

import { useWatch } from "react-hook-form";
import { useRead } from "../api/use-read";
import { type BudgetDraft, eachOf } from "./budget-draft";
import { useBudgetSpace } from "./budget-space";

/** What the budget that is being typed would begin with; undefined while that is not known. */
export function usePreview() {
  const space = useBudgetSpace();
  const isAdmin = space === "/api/admin";
  const draft = useWatch<BudgetDraft>() as BudgetDraft; // every field has a value from the start
  const { scope, unit, period } = draft;
  const planId = scope === "plan" ? draft.planId : undefined;
  const userId = scope === "account" && isAdmin ? draft.userId : undefined;
  const projectId = scope === "project" ? draft.projectId : undefined;
  const tokenId = scope === "key" ? draft.tokenId : undefined;
  const isWhole = [planId, userId, projectId, tokenId].every((id) => id !== "");
  const query = {
    scope,
    projectId,
    tokenId,
    unit,
    period,
    ...(isAdmin && { planId, userId }),
    timeZone: draft.timeZone || undefined,
    models: draft.models?.join(",") || undefined,
  };
  const preview = useRead(
    `GET ${space}/budget-preview`,
    { query },
    { enabled: isWhole, placeholderData: undefined },
  ).data;
  return { draft: { ...draft, each: eachOf(draft) }, preview: isWhole ? preview : undefined };
}
