import { ownTokenFilter } from "@/lib/accounts/keys";
import { wholeList } from "@/lib/accounts/page";
import { listPlans, planRecordOf } from "@/lib/accounts/plans";
import { runtime } from "@/lib/gateway/runtime";
import { csvStream } from "@/lib/reports/csv";
import { listLedger } from "@/lib/reports/ledger-view";
import { findOwnLogEntry } from "@/lib/reports/log-detail";
import { listLogs, walkLogs } from "@/lib/reports/logs";
import { periodOf, readStats } from "@/lib/reports/stats";
import { listModels } from "../model-list";
import { defineOperation } from "../operation";
import { ledgerEntry, modelsResponse, plansResponse } from "../schemas/catalog";
import { cursorQuery, listOf } from "../schemas/fields";
import { logDetail, logEntry, logsExportQuery, logsQuery } from "../schemas/logs";
import { stats, statsQuery } from "../schemas/stats";

/** Rows of an export. */
const MAX_ROWS = 1_000_000;

/** Usage, logs and ledger of the account. Source: docs/contract.md#s5. */
export const usageOperations = [
  defineOperation(
    {
      method: "get",
      path: "/api/user/logs",
      id: "listLogs",
      tag: "Usage",
      caller: "account",
      summary: "List your requests, newest first",
      query: logsQuery,
      success: { status: 200, description: "A page of requests", schema: listOf(logEntry) },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND"],
    },
    async ({ user, query }) => {
      const { db, reports } = runtime();
      const filter = await ownTokenFilter(db.orm, user.id, query);
      return reports.run(user.id, () => listLogs(db, filter, query));
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/logs/{requestId}",
      id: "getLog",
      tag: "Usage",
      caller: "account",
      summary: "Show one request with attempts, timeline and receipt",
      success: { status: 200, description: "The request", schema: logDetail },
      errors: ["FORBIDDEN", "NOT_FOUND"],
    },
    ({ user, params }) => findOwnLogEntry(runtime().db, user.id, params.requestId),
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/logs/export",
      id: "exportLogs",
      tag: "Usage",
      caller: "account",
      summary: "Download your requests",
      query: logsExportQuery,
      success: {
        status: 200,
        description: "The requests as CSV",
        other: { mediaType: "text/csv", description: "One line a request, safe to open in a spreadsheet" },
      },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND"],
    },
    async ({ user, query }) => {
      const { db } = runtime();
      const filter = await ownTokenFilter(db.orm, user.id, query);
      return { name: "tollgate-logs.csv", content: csvStream(walkLogs(db, filter, MAX_ROWS)) };
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/stats",
      id: "getStats",
      tag: "Usage",
      caller: "account",
      summary: "Show usage statistics",
      query: statsQuery,
      success: { status: 200, description: "Zero-filled statistics of the period", schema: stats },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND"],
    },
    async ({ user, query: { tz, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const filter = await ownTokenFilter(db.orm, user.id, query);
      const request = { ...filter, period: periodOf(query), timeZone: tz ?? settings.reportTimezone };
      return reports.run(user.id, () => readStats(db, request, clock.date()));
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/models",
      id: "listModels",
      tag: "Usage",
      caller: "account",
      summary: "List the models with prices",
      success: { status: 200, description: "Prices in cents per million tokens", schema: modelsResponse },
    },
    async () => wholeList(listModels(runtime().catalog.current)),
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/plans",
      id: "listPlans",
      tag: "Usage",
      caller: "account",
      summary: "List the plans",
      success: { status: 200, description: "Null limits are none", schema: plansResponse },
    },
    async ({ user }) => {
      const plans = await listPlans(runtime().db);
      return wholeList(plans.map((plan) => ({ ...planRecordOf(plan), current: plan.id === user.planId })));
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/ledger",
      id: "listLedger",
      tag: "Usage",
      caller: "account",
      summary: "List grants, adjustments and charges",
      query: cursorQuery,
      success: { status: 200, description: "A page of the ledger", schema: listOf(ledgerEntry) },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => {
      const { db, reports } = runtime();
      return reports.run(user.id, () => listLedger(db, user.id, query));
    },
  ),
];
