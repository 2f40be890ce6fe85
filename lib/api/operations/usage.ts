import { listPlans, planRecordOf } from "@/lib/accounts/keys";
import { ownFilter } from "@/lib/accounts/own-filter";
import { wholeList } from "@/lib/accounts/page";
import { readViews, replaceViews } from "@/lib/accounts/self";
import { isCurrent, isListed } from "@/lib/admin/announcements";
import { announcementsResponse } from "@/lib/api/schemas/announcements";
import { listOf } from "@/lib/api/schemas/list-of";
import { logFilter, logsQuery } from "@/lib/api/schemas/log-filter";
import { logVolume } from "@/lib/api/schemas/log-volume";
import { modelsResponse } from "@/lib/api/schemas/models";
import { plansResponse } from "@/lib/api/schemas/plans";
import { savedViews } from "@/lib/api/schemas/saved-views";
import { uptime, uptimeQuery } from "@/lib/api/schemas/uptime";
import { runtime } from "@/lib/gateway/runtime";
import { csvStream } from "@/lib/reports/csv";
import { csvName } from "@/lib/reports/csv-name";
import { readLogValues } from "@/lib/reports/log-values";
import { readLogVolume } from "@/lib/reports/log-volume";
import { findOwnLogEntry, listLogs, walkLogs } from "@/lib/reports/logs";
import { periodOf } from "@/lib/reports/period-of";
import { readStats } from "@/lib/reports/stats";
import { defineOperation } from "../operation";
import { logDetail, logEntry, logValues } from "../schemas/logs";
import { exportQuery, stats, statsQuery, zonedLogsQuery } from "../schemas/stats";
import { listModels, modelUptime } from "./public";

/** The most rows of an export. */
const MAX_ROWS = 1_000_000;

/** Usage and logs of the account. Source: docs/contract.md#s5. */
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
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, query }) => {
      const { db, reports } = runtime();
      const filter = await ownFilter(db.orm, user.id, query, "log");
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
      errors: ["NOT_FOUND"],
    },
    ({ user, params }) => findOwnLogEntry(runtime().db, user.id, params.requestId),
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/logs/volume",
      id: "getLogVolume",
      tag: "Usage",
      caller: "account",
      summary: "Count your requests over time",
      query: zonedLogsQuery,
      success: { status: 200, description: "Zero-filled hours or days until now", schema: logVolume },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, query: { tz, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const filter = await ownFilter(db.orm, user.id, query, "log");
      const zone = tz ?? settings.reportTimezone;
      return reports.run(user.id, () => readLogVolume(db, filter, zone, clock.date()));
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/logs/values",
      id: "countLogValues",
      tag: "Usage",
      caller: "account",
      summary: "Count the values that your newest requests have",
      query: logFilter,
      success: { status: 200, description: "By field, the most frequent first", schema: logValues },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, query }) => {
      const { db, reports } = runtime();
      const filter = await ownFilter(db.orm, user.id, query, "log");
      return reports.run(user.id, () => readLogValues(db, filter));
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/logs/export",
      id: "exportLogs",
      tag: "Usage",
      caller: "account",
      summary: "Download your requests",
      query: logFilter.extend(exportQuery.shape),
      success: {
        status: 200,
        description: "The requests as CSV",
        other: { mediaType: "text/csv", description: "One line a request, safe to open in a spreadsheet" },
      },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, query: { tz, bom, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const filter = await ownFilter(db.orm, user.id, query, "log");
      const bounds = { reports, accountId: user.id, bom };
      const range = { from: query.from ?? user.createdAt, to: query.to };
      return {
        name: csvName("requests", range, tz ?? settings.reportTimezone, clock.date()),
        content: await csvStream(walkLogs(db, filter, MAX_ROWS), bounds),
      };
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/views",
      id: "listViews",
      tag: "Usage",
      caller: "account",
      summary: "List your saved views of the log",
      success: { status: 200, description: "In your order", schema: savedViews },
    },
    async ({ user }) => ({ views: await readViews(runtime().db, user.id) }),
  ),
  defineOperation(
    {
      method: "patch",
      path: "/api/user/views",
      id: "replaceViews",
      tag: "Usage",
      caller: "account",
      summary: "Replace your saved views of the log",
      body: {
        schema: savedViews,
        example: {
          views: [{ name: "Slow answers", list: "own", filters: { last: "24h", minLatencyMs: 10_000 } }],
        },
      },
      success: { status: 200, description: "The views", schema: savedViews },
      errors: ["INVALID_REQUEST"],
    },
    async ({ user, body }) => {
      await replaceViews(runtime().db, user.id, body.views);
      return body;
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
      const filter = await ownFilter(db.orm, user.id, query, "sums");
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
      path: "/api/user/models/uptime",
      id: "getModelUptime",
      tag: "Usage",
      caller: "account",
      summary: "Show how well each model answers",
      description: "Over all accounts; only failures of the gateway or its nodes count against a model.",
      query: uptimeQuery,
      success: { status: 200, description: "Shares by hour or day, without volumes", schema: uptime },
      errors: ["INVALID_REQUEST"],
    },
    ({ query }) => modelUptime(query.period),
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/announcements",
      id: "listAnnouncements",
      tag: "Usage",
      caller: "account",
      summary: "List what admins tell all users",
      success: {
        status: 200,
        description:
          "Those shown now, public ones that begin later, and those that ended in the last 90 days; the newest first",
        schema: announcementsResponse,
      },
    },
    async () => {
      const { notices, clock } = runtime();
      const now = clock.date();
      const { announcements } = await notices.get();
      const listed = announcements.filter((one) => isListed(one, now));
      return wholeList(listed.map((one) => ({ ...one, current: isCurrent(one, now) })));
    },
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
];
