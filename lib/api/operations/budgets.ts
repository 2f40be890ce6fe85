import type { BudgetReader } from "@/lib/accounts/budgets/budget-reader";
import { findBudget, listBudgetMembers, listBudgetWindows } from "@/lib/accounts/budgets/find-budget";
import { listBudgets } from "@/lib/accounts/budgets/list-budgets";
import type { UserRow } from "@/lib/accounts/session";
import { changeBudget, giveExtra, makeBudget, removeBudget } from "@/lib/api/change-budgets";
import { previewBudget } from "@/lib/api/preview-budget";
import { budgetMember, budgetPreview, budgetRecord, budgetWindow } from "@/lib/api/schemas/budget-records";
import {
  budgetMembersQuery,
  budgetPreviewQuery,
  budgetsQuery,
  budgetWindowsQuery,
  createBudgetRequest,
  extraRequest,
  updateBudgetRequest,
} from "@/lib/api/schemas/budgets";
import { listOf } from "@/lib/api/schemas/list-of";
import { runtime } from "@/lib/gateway/runtime";
import { defineOperation } from "../operation";

const shared = { tag: "Budgets", caller: "account" } as const;
const changing = ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND", "CONFLICT"] as const;
const oneRule = {
  status: 200,
  description: "The budget with its running period",
  schema: budgetRecord,
} as const;

const caller = ({ id }: UserRow): BudgetReader => ({ userId: id, isAdmin: false });

/** Budgets of the caller. Source: docs/budgets.md#operations. */
export const budgetOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/user/budgets",
      id: "listBudgets",
      summary: "List the budgets that your requests meet",
      description: "Also those of your plan and of the platform, without the use of others.",
      query: budgetsQuery,
      success: { status: 200, description: "A page of budgets", schema: listOf(budgetRecord) },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => listBudgets(runtime().db, caller(user), query, query),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/user/budgets",
      id: "createBudget",
      summary: "Make a budget",
      description:
        "Begins with what was used in the running period, unless `fromNow`. 409: too many of this subject, or a process of an older version is still running.",
      body: {
        schema: createBudgetRequest,
        example: { name: "Each month", scope: "account", unit: "money", period: "month", limit: 50000 },
      },
      success: { status: 201, description: "The budget", schema: budgetRecord },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    ({ user, actor, body }) => makeBudget({ reader: caller(user), actor }, body),
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/user/budget-preview",
      id: "previewBudget",
      summary: "Show what a budget would begin with",
      description:
        "When its period ends, what was used in it, and what a request reserves and uses on average.",
      query: budgetPreviewQuery,
      success: { status: 200, description: "The running period", schema: budgetPreview },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => runtime().reports.run(user.id, () => previewBudget(caller(user), query)),
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/user/budgets/{id}",
      id: "getBudget",
      summary: "Show a budget",
      success: oneRule,
      errors: ["NOT_FOUND"],
    },
    ({ user, params }) => findBudget(runtime().db, caller(user), params.id),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/user/budgets/{id}",
      id: "updateBudget",
      summary: "Change a budget",
      description: "In force for the next request. All else is fixed: end the budget and make another.",
      body: { schema: updateBudgetRequest, example: { limit: 100000 } },
      success: oneRule,
      errors: changing,
    },
    ({ user, actor, params, body }) => changeBudget({ reader: caller(user), actor }, params.id, body),
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/user/budgets/{id}",
      id: "endBudget",
      summary: "End a budget",
      success: { status: 204, description: "Ended; its past periods stay" },
      errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT"],
    },
    async ({ user, actor, params }) => {
      await removeBudget({ reader: caller(user), actor }, params.id);
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/user/budgets/{id}/windows",
      id: "listBudgetWindows",
      summary: "List the periods of a budget",
      description: "The newest first.",
      query: budgetWindowsQuery,
      success: { status: 200, description: "A page of periods", schema: listOf(budgetWindow) },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    ({ user, params, query }) => listBudgetWindows(runtime().db, caller(user), params.id, query),
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/user/budgets/{id}/members",
      id: "listBudgetMembers",
      summary: "List the members of a budget with a counter for each",
      description: "In the running period.",
      query: budgetMembersQuery,
      success: { status: 200, description: "A page of counters", schema: listOf(budgetMember) },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    ({ user, params, query }) => listBudgetMembers(runtime().db, caller(user), params.id, query),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/user/budgets/{id}/extra",
      id: "giveBudgetExtra",
      summary: "Give more for the running period",
      description: "The limit stays; the next period begins with it.",
      body: { schema: extraRequest, example: { amount: 20000, reason: "launch week" } },
      success: oneRule,
      errors: changing,
    },
    ({ user, actor, params, body }) => giveExtra({ reader: caller(user), actor }, params.id, body),
  ),
];
