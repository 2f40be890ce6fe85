import { walkBudgets } from "@/lib/accounts/budgets/budget-export";
import type { BudgetReader } from "@/lib/accounts/budgets/budget-reader";
import { findBudget, listBudgetMembers, listBudgetWindows } from "@/lib/accounts/budgets/find-budget";
import { listBudgets } from "@/lib/accounts/budgets/list-budgets";
import type { UserRow } from "@/lib/accounts/session";
import { budgetColumns } from "@/lib/api/budget-columns";
import { changeBudget, giveExtra, makeBudget, removeBudget } from "@/lib/api/change-budgets";
import { previewBudget } from "@/lib/api/preview-budget";
import { budgetMember, budgetPreview, budgetRecord, budgetWindow } from "@/lib/api/schemas/budget-records";
import {
  adminBudgetPreviewQuery,
  adminBudgetsQuery,
  budgetMembersQuery,
  budgetWindowsQuery,
  createAdminBudgetRequest,
  extraRequest,
  updateBudgetRequest,
} from "@/lib/api/schemas/budgets";
import { listOf } from "@/lib/api/schemas/list-of";
import { runtime } from "@/lib/gateway/runtime";
import { csvOf } from "@/lib/reports/csv";
import { csvName } from "@/lib/reports/csv-name";
import { defineOperation } from "../operation";
import { exportQuery } from "../schemas/stats";

const shared = { tag: "Budgets", caller: "admin" } as const;
const changing = ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND", "CONFLICT"] as const;
const oneRule = {
  status: 200,
  description: "The budget with its running period",
  schema: budgetRecord,
} as const;

const admin = ({ id, role }: UserRow): BudgetReader => ({
  userId: id,
  isAdmin: true,
  readsOnly: role !== "admin",
});

/** Budgets of the platform, of plans, and of everybody. Source: docs/budgets.md#operations. */
export const adminBudgetOperations = [
  defineOperation(
    {
      ...shared,
      reader: true,
      method: "get",
      path: "/api/admin/budgets",
      id: "listAdminBudgets",
      summary: "List all budgets",
      description: "Those nearest to their limit first.",
      query: adminBudgetsQuery,
      success: { status: 200, description: "A page of budgets", schema: listOf(budgetRecord) },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => listBudgets(runtime().db, admin(user), query, query),
  ),
  defineOperation(
    {
      ...shared,
      reader: true,
      method: "get",
      path: "/api/admin/budgets/export",
      id: "exportBudgets",
      summary: "Download budget and actual",
      description: "A line for each counter of the running periods; amounts of money in exact cents.",
      query: exportQuery,
      success: {
        status: 200,
        description: "The counters as CSV",
        other: { mediaType: "text/csv", description: "One line a counter, safe to open in a spreadsheet" },
      },
      errors: ["INVALID_REQUEST"],
    },
    async ({ user, query: { tz, bom } }) => {
      const { db, clock, reports, settings } = runtime();
      const now = clock.date();
      return {
        name: csvName("budgets", { from: now }, tz ?? settings.reportTimezone, now),
        content: await csvOf(walkBudgets(db), { reports, accountId: user.id, bom }, budgetColumns),
      };
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/budgets",
      id: "createAdminBudget",
      summary: "Make a budget",
      description:
        "Begins with what was used in the running period, unless `fromNow`. 409: too many of this subject, or a process of an older version is still running.",
      body: {
        schema: createAdminBudgetRequest,
        example: {
          name: "Free",
          scope: "plan",
          planId: 1,
          each: "account",
          unit: "requests",
          period: "day",
          limit: 200,
        },
      },
      success: { status: 201, description: "The budget", schema: budgetRecord },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    ({ user, actor, body }) => makeBudget({ reader: admin(user), actor }, body),
  ),
  defineOperation(
    {
      ...shared,
      reader: true,
      method: "get",
      path: "/api/admin/budget-preview",
      id: "previewAdminBudget",
      summary: "Show what a budget would begin with",
      description:
        "When its period ends, what was used in it, and what a request reserves and uses on average.",
      query: adminBudgetPreviewQuery,
      success: { status: 200, description: "The running period", schema: budgetPreview },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => runtime().reports.run(user.id, () => previewBudget(admin(user), query)),
  ),
  defineOperation(
    {
      ...shared,
      reader: true,
      method: "get",
      path: "/api/admin/budgets/{id}",
      id: "getAdminBudget",
      summary: "Show a budget",
      success: oneRule,
      errors: ["NOT_FOUND"],
    },
    ({ user, params }) => findBudget(runtime().db, admin(user), params.id),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/budgets/{id}",
      id: "updateAdminBudget",
      summary: "Change a budget",
      description: "In force for the next request. All else is fixed: end the budget and make another.",
      body: { schema: updateBudgetRequest, example: { limit: 100000 } },
      success: oneRule,
      errors: changing,
    },
    ({ user, actor, params, body }) => changeBudget({ reader: admin(user), actor }, params.id, body),
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/admin/budgets/{id}",
      id: "endAdminBudget",
      summary: "End a budget",
      success: { status: 204, description: "Ended; its past periods stay" },
      errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT"],
    },
    async ({ user, actor, params }) => {
      await removeBudget({ reader: admin(user), actor }, params.id);
    },
  ),
  defineOperation(
    {
      ...shared,
      reader: true,
      method: "get",
      path: "/api/admin/budgets/{id}/windows",
      id: "listAdminBudgetWindows",
      summary: "List the periods of a budget",
      description: "The newest first.",
      query: budgetWindowsQuery,
      success: { status: 200, description: "A page of periods", schema: listOf(budgetWindow) },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    ({ user, params, query }) => listBudgetWindows(runtime().db, admin(user), params.id, query),
  ),
  defineOperation(
    {
      ...shared,
      reader: true,
      method: "get",
      path: "/api/admin/budgets/{id}/members",
      id: "listAdminBudgetMembers",
      summary: "List the members of a budget with a counter for each",
      description: "In the running period.",
      query: budgetMembersQuery,
      success: { status: 200, description: "A page of counters", schema: listOf(budgetMember) },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    ({ user, params, query }) => listBudgetMembers(runtime().db, admin(user), params.id, query),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/budgets/{id}/extra",
      id: "giveAdminBudgetExtra",
      summary: "Give more for the running period",
      description: "The limit stays; the next period begins with it.",
      body: { schema: extraRequest, example: { amount: 20000, reason: "launch week" } },
      success: oneRule,
      errors: changing,
    },
    ({ user, actor, params, body }) => giveExtra({ reader: admin(user), actor }, params.id, body),
  ),
];
