import {
  type BudgetEach,
  type BudgetMode,
  type BudgetPeriod,
  type BudgetScope,
  type BudgetUnit,
  eachOfScope,
} from "@/lib/shared/budget-words";
import { typedText, typedWhole } from "@/lib/shared/typed";
import { typedAmount } from "./amount-field";

/** A new budget as it is typed. */
export interface BudgetDraft {
  scope: BudgetScope;
  planId: string;
  /** Of an account, or of the account that has the key or pays the project. */
  userId: string;
  projectId: string;
  tokenId: string;
  each: BudgetEach;
  unit: BudgetUnit;
  limit: string;
  models: string[] | null;
  period: BudgetPeriod;
  /** Empty: that of the installation. */
  timeZone: string;
  fromNow: boolean;
  mode: BudgetMode;
  name: string;
}

/** What the reader is asked for first. */
export const firstDraft: BudgetDraft = {
  scope: "account",
  planId: "",
  userId: "",
  projectId: "",
  tokenId: "",
  each: "none",
  unit: "money",
  limit: "",
  models: null,
  period: "month",
  timeZone: "",
  fromNow: false,
  mode: "stop",
  name: "",
};

/** What the form begins with on the page of a project. */
export const projectDraft = (projectId: string): BudgetDraft => ({
  ...firstDraft,
  scope: "project",
  projectId,
});

/** Budgets that many want, by what they are called. */
export const presets = {
  daily: { ...firstDraft, period: "day", limit: "50" },
  keyRequests: { ...firstDraft, scope: "key", unit: "requests", period: "day", limit: "1000" },
  planRequests: {
    ...firstDraft,
    scope: "plan",
    each: "account",
    unit: "requests",
    period: "day",
    limit: "200",
  },
  projectMonth: { ...firstDraft, scope: "project", limit: "1000" },
  personMonth: { ...firstDraft, limit: "500" },
} as const satisfies Record<string, BudgetDraft>;

/** A preset by its name. */
export type PresetName = keyof typeof presets;

/** The presets that are offered where rules of these scopes can be made. */
export const presetsOf = (scopes: readonly BudgetScope[]): PresetName[] =>
  scopes.includes("plan")
    ? ["planRequests", "personMonth"]
    : scopes.includes("project")
      ? ["daily", "projectMonth", "keyRequests"]
      : ["daily", "keyRequests"];

/** The counters that a draft may have, the chosen one or else the first. */
export function eachOf({ scope, each }: Pick<BudgetDraft, "scope" | "each">): BudgetEach {
  const allowed = eachOfScope[scope];
  return allowed.includes(each) ? each : (allowed[0] ?? "none");
}

/** A draft as the API takes it. What has to be chosen and is not stays empty, which the schema refuses. */
export function bodyOf(draft: BudgetDraft, isAdmin: boolean) {
  const { scope, unit } = draft;
  const each = eachOf(draft);
  return {
    name: typedText(draft.name),
    scope,
    ...(scope === "plan" && { planId: typedWhole(draft.planId) ?? "" }),
    ...(scope === "account" && isAdmin && { userId: draft.userId }),
    ...(scope === "project" && { projectId: draft.projectId }),
    ...(scope === "key" && { tokenId: draft.tokenId }),
    each,
    unit,
    limit: typedAmount(unit, draft.limit),
    models: draft.models,
    period: draft.period,
    timeZone: typedText(draft.timeZone),
    mode: draft.mode,
    ...(each === "none" && { fromNow: draft.fromNow }),
  };
}
