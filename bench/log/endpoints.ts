/** One request of the pages to the account API. */
export interface Endpoint {
  name: string;
  /** Below the server's address; placeholders in braces are filled from the log itself. */
  path: string;
  /** Units: milliseconds. Null: no target. */
  targetMs: number | null;
}

/** The requests of one run; half of all log rows belong to the account. Source: docs/performance.md#s3. */
export function endpointsOf(found: {
  cursor: string;
  requestId: string;
  from: string;
  to: string;
}): Endpoint[] {
  return [
    { name: "stats 24h", path: "/api/user/stats?period=24h", targetMs: 30 },
    { name: "stats 7d", path: "/api/user/stats?period=7d", targetMs: 30 },
    { name: "stats 30d", path: "/api/user/stats?period=30d", targetMs: 30 },
    { name: "stats 30d of everybody", path: "/api/admin/stats?period=30d", targetMs: null },
    { name: "first log page", path: "/api/user/logs?pageSize=20", targetMs: 30 },
    {
      name: "log page by cursor, mid-log",
      path: `/api/user/logs?pageSize=20&cursor=${found.cursor}`,
      targetMs: 30,
    },
    { name: "log page, failed only", path: "/api/user/logs?pageSize=20&status=error", targetMs: 30 },
    { name: "log detail", path: `/api/user/logs/${found.requestId}`, targetMs: 30 },
    { name: "first log page of everybody", path: "/api/admin/logs?pageSize=20", targetMs: 30 },
    {
      name: "CSV export of a day",
      path: `/api/user/logs/export?from=${found.from}&to=${found.to}`,
      targetMs: null,
    },
  ];
}
