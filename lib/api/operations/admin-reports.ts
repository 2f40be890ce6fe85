import { wholeList } from "@/lib/accounts/page";
import { type AuditEntry, listAudit, walkAudit } from "@/lib/admin/audit-list";
import { refusalsByPlan } from "@/lib/admin/plan-refusals";
import { adminLogDetail, adminLogEntry } from "@/lib/api/schemas/admin-logs";
import { adminStats } from "@/lib/api/schemas/admin-stats";
import { auditEntry, auditExportQuery, auditQuery } from "@/lib/api/schemas/audit";
import { listOf } from "@/lib/api/schemas/list-of";
import { adminLogFilter, adminLogsQuery } from "@/lib/api/schemas/log-filter";
import { logVolume } from "@/lib/api/schemas/log-volume";
import { marginQuery, marginReport } from "@/lib/api/schemas/margin";
import { planRefusals } from "@/lib/api/schemas/plans";
import { providerBillReport } from "@/lib/api/schemas/provider-bill";
import { providerBillQuery } from "@/lib/api/schemas/provider-bill-query";
import { reconcileQuery, reconcileResponse } from "@/lib/api/schemas/reconcile";
import { refusalCount } from "@/lib/api/schemas/refusals";
import type { LedgerCheck } from "@/lib/billing/reconcile";
import { runtime } from "@/lib/gateway/runtime";
import { SECOND_MS } from "@/lib/kernel/durations";
import { isObject } from "@/lib/kernel/json-object";
import { readAdminStats } from "@/lib/reports/admin-stats";
import { type AdminLogEntry, listAllLogs, walkAllLogs } from "@/lib/reports/all-logs";
import { boundRollups, coveringRollups } from "@/lib/reports/covering-rollups";
import { csvOf, csvStream } from "@/lib/reports/csv";
import { csvName } from "@/lib/reports/csv-name";
import { inTime } from "@/lib/reports/in-time";
import { readLogValues } from "@/lib/reports/log-values";
import { readLogVolume } from "@/lib/reports/log-volume";
import { findLogEntry } from "@/lib/reports/logs";
import { readMargin } from "@/lib/reports/margin";
import { periodOf } from "@/lib/reports/period-of";
import { readProviderBill } from "@/lib/reports/provider-bill";
import { statsRange } from "@/lib/reports/stats-range";
import { defineOperation } from "../operation";
import { logValues } from "../schemas/logs";
import { adminStatsQuery, adminZonedLogsQuery, exportQuery } from "../schemas/stats";

const shared = { tag: "Admin: people", caller: "admin" } as const;

/** The most rows of an export. */
const MAX_ROWS = 1_000_000;

/** Usage of all accounts, audit log and reconciliation. Source: docs/contract.md#s5, docs/reliability.md#s3-11. */
export const adminReportOperations = [
  defineOperation(
    {
      ...shared,
      tag: "Admin: gateway",
      method: "get",
      path: "/api/admin/plans/refusals",
      id: "listPlanRefusals",
      reader: true,
      summary: "Show how many accounts met the limits of each plan in 7 days",
      success: {
        status: 200,
        description: "The plans that are too small for some accounts; others are left out",
        schema: listOf(planRefusals),
      },
    },
    async () => {
      const { db, clock, settings } = runtime();
      const { starts, to } = statsRange("7d", settings.reportTimezone, clock.date().getTime());
      const rollups = boundRollups(await coveringRollups(db, starts.slice(0, 1), to));
      return wholeList(await refusalsByPlan(db, rollups));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/stats",
      id: "getAdminStats",
      reader: true,
      summary: "Show everybody's statistics",
      query: adminStatsQuery,
      success: {
        status: 200,
        description: "With leading accounts and nodes, and the calls of each node over time",
        schema: adminStats,
      },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query: { tz, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const request = { ...query, period: periodOf(query), timeZone: tz ?? settings.reportTimezone };
      return reports.run(user.id, () => readAdminStats(db, request, clock.date()));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/margin",
      id: "getMargin",
      reader: true,
      summary: "Show what was billed, provider cost and margin",
      query: marginQuery,
      success: { status: 200, description: "By model, node, account and bucket", schema: marginReport },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query: { tz, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const request = { period: periodOf(query), timeZone: tz ?? settings.reportTimezone };
      return reports.run(user.id, () => readMargin(db, request, clock.date()));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/provider-bill",
      id: "getProviderBill",
      reader: true,
      summary: "Show what nodes were asked by day, to compare with a provider's bill",
      query: providerBillQuery,
      success: { status: 200, description: "By UTC day, node and alias", schema: providerBillReport },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => {
      const { db, clock, reports } = runtime();
      return reports.run(user.id, () => readProviderBill(db, query, clock.date()));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/logs",
      id: "listAllLogs",
      reader: true,
      summary: "List everybody's requests, newest first",
      query: adminLogsQuery,
      success: { status: 200, description: "A page of requests", schema: listOf(adminLogEntry) },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => {
      const { db, reports } = runtime();
      return reports.run(user.id, () => listAllLogs(db, query, query));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/logs/volume",
      id: "getAllLogVolume",
      reader: true,
      summary: "Count everybody's requests over time",
      query: adminZonedLogsQuery,
      success: { status: 200, description: "Zero-filled hours or days until now", schema: logVolume },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query: { tz, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const zone = tz ?? settings.reportTimezone;
      return reports.run(user.id, () => readLogVolume(db, query, zone, clock.date()));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/logs/values",
      id: "countAllLogValues",
      reader: true,
      summary: "Count the values that everybody's newest requests have",
      query: adminLogFilter,
      success: { status: 200, description: "By field, the most frequent first", schema: logValues },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => {
      const { db, reports } = runtime();
      return reports.run(user.id, () => readLogValues(db, query));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/logs/export",
      id: "exportAllLogs",
      reader: true,
      summary: "Download everybody's requests",
      query: adminLogFilter.extend(exportQuery.shape),
      success: {
        status: 200,
        description: "The requests as CSV, with account and node",
        other: { mediaType: "text/csv", description: "One line a request, safe to open in a spreadsheet" },
      },
      errors: ["INVALID_REQUEST"],
    },
    async ({ user, query: { tz, bom, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const entries = walkAllLogs(db, query, MAX_ROWS);
      const further = {
        username: (entry: AdminLogEntry) => entry.username,
        node: (entry: AdminLogEntry) => entry.node ?? "",
        failedNodes: (entry: AdminLogEntry) => entry.failedAttempts.map(({ node }) => node).join("; "),
      };
      const bounds = { reports, accountId: user.id, bom };
      return {
        name: csvName("all-requests", query, tz ?? settings.reportTimezone, clock.date()),
        content: await csvStream(entries, bounds, further),
      };
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/logs/{requestId}",
      id: "getAnyLog",
      reader: true,
      summary: "Show anybody's request, with nodes by name",
      success: { status: 200, description: "The request", schema: adminLogDetail },
      errors: ["NOT_FOUND"],
    },
    ({ params }) => findLogEntry(runtime().db, params.requestId),
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/audit",
      id: "listAudit",
      summary: "List who changed what, newest first",
      query: auditQuery,
      success: { status: 200, description: "A page of the audit", schema: listOf(auditEntry) },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => {
      const { db, reports } = runtime();
      return reports.run(user.id, () => inTime(listAudit(db, query, query)));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/audit/export",
      id: "exportAudit",
      summary: "Download who changed what",
      query: auditExportQuery.extend(exportQuery.shape),
      success: {
        status: 200,
        description: "The audit as CSV, newest first; records before and after as JSON",
        other: { mediaType: "text/csv", description: "One line a change, safe to open in a spreadsheet" },
      },
      errors: ["INVALID_REQUEST"],
    },
    async ({ user, query: { tz, bom, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const bounds = { reports, accountId: user.id, bom };
      return {
        name: csvName("audit", query, tz ?? settings.reportTimezone, clock.date()),
        content: await csvOf(walkAudit(db, query, MAX_ROWS), bounds, auditColumns),
      };
    },
  ),
  defineOperation(
    {
      ...shared,
      tag: "Admin: gateway",
      method: "get",
      path: "/api/admin/refusals",
      id: "listRefusals",
      summary: "Count what this process has refused in the last hour, by reason",
      success: {
        status: 200,
        description: "The most frequent reason first; reasons that refused nothing are left out",
        schema: listOf(refusalCount),
      },
    },
    async () =>
      wholeList(
        runtime()
          .refusals.recent()
          .map((counted) => ({ ...counted, last: counted.last.toISOString() })),
      ),
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/reconcile",
      id: "reconcile",
      summary: "Compare every balance with the ledger",
      query: reconcileQuery,
      success: { status: 200, description: "Micro-cents as text", schema: reconcileResponse },
      errors: ["INVALID_REQUEST"],
    },
    async ({ query }) => reconciliationOf(await runtime().ledgerChecks.get(query.maxAgeSeconds * SECOND_MS)),
  ),
];

const auditColumns: Readonly<Record<string, (entry: AuditEntry) => string>> = {
  createdAt: (entry) => entry.createdAt,
  actor: (entry) => entry.actorName,
  actorId: (entry) => entry.actorId ?? "",
  action: (entry) => entry.action,
  targetType: (entry) => entry.targetType,
  target: (entry) => entry.names[entry.targetId] ?? recordName(entry),
  targetId: (entry) => entry.targetId,
  before: (entry) => (entry.before === null ? "" : JSON.stringify(entry.before)),
  after: (entry) => (entry.after === null ? "" : JSON.stringify(entry.after)),
  ip: (entry) => entry.ip,
  batchId: (entry) => entry.batchId ?? "",
};

/** The name of the record itself. The targets of prices and settings are names already. */
function recordName({ before, after, targetType, targetId }: AuditEntry): string {
  const records = [after, before].filter(isObject);
  const names = records.flatMap(({ username, alias, name, title }) => [username, alias, name, title]);
  const own = names.find((name): name is string => typeof name === "string" && name !== "");
  return own ?? (targetType === "price" || targetType === "setting" ? targetId : "");
}

/** A reconciliation as JSON: micro-cents as text. Source: docs/contract.md#s5. */
function reconciliationOf(found: LedgerCheck) {
  return {
    checkedAt: found.checkedAt.toISOString(),
    ok: found.ok,
    usedMicroCents: found.usedMicroCents.toString(),
    ledgerMicroCents: found.ledgerMicroCents.toString(),
    heldMicroCents: found.heldMicroCents.toString(),
    openHolds: found.openHolds,
    mismatches: found.mismatches.map(({ kind, id, counterMicroCents, sumMicroCents }) => ({
      kind,
      id,
      counterMicroCents: counterMicroCents.toString(),
      sumMicroCents: sumMicroCents.toString(),
    })),
  };
}
