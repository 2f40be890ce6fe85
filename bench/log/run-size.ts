import { setTimeout as sleep } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { DAY_MS } from "../../lib/kernel/durations";
import { sameProtocolArm } from "../arms/gateway";
import { FEATURES } from "../fleet";
import { load } from "../measure";
import type { MockUpstream } from "../mock-upstream";
import { medium, small } from "../payloads";
import type { PostgresOfRun } from "../postgres-server";
import { TollgateServer } from "../tollgate-server";
import { type Asked, ask } from "./ask";
import { type Endpoint, endpointsOf } from "./endpoints";
import { explainEverything, logEnd, type Plan, plansSince } from "./explain";
import { fillLog } from "./fill";
import { type PageTime, timePages } from "./pages";

/** The results for a log of one size. */
export interface SizeResult {
  rows: number;
  fillSeconds: number;
  asked: Asked[];
  /** Through the whole path at 128 connections. */
  settledPerSecond: number;
  plans: { endpoint: string; plans: Plan[] }[];
  /** In Chromium; null without one. */
  pages: PageTime[] | null;
}

/** Shared resources of all sizes. */
export interface DataRig {
  directory: string;
  mock: MockUpstream;
  postgres: PostgresOfRun;
  settleSeconds: number;
}

const LOG_ARRIVES_MS = 200;
const RECONNECT_ATTEMPTS = 20;

/** A server on a database with a log of so many rows. */
export interface FilledServer {
  rows: number;
  fillSeconds: number;
  server: TollgateServer;
  databaseUrl: string;
  sql: Sql;
}

/** Starts a server on a new database and fills its log. */
export async function startFilled(rig: DataRig, rows: number): Promise<FilledServer> {
  const databaseUrl = await rig.postgres.create();
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const server = await TollgateServer.start({
    directory: rig.directory,
    mockUrl: rig.mock.url,
    payloads: [small, medium],
    databaseUrl,
  });
  const began = performance.now();
  await fillLog(sql, await ownerOf(server), rows);
  const fillSeconds = (performance.now() - began) / 1_000;
  process.stdout.write(`  ${rows} rows made in ${fillSeconds.toFixed(0)} s\n`);
  return { rows, fillSeconds, server, databaseUrl, sql };
}

/** Measures all endpoints through a filled server. `withPages`: in the browser too. */
export async function measureSize(
  rig: DataRig,
  filled: FilledServer,
  withPages: boolean,
): Promise<SizeResult> {
  const { rows, fillSeconds, server, sql } = filled;
  const endpoints = await findEndpoints(server);
  const asked: Asked[] = [];
  for (const endpoint of endpoints) asked.push(await ask(server, endpoint, rows));
  const pages = withPages ? await timePages(server) : null;
  await server.expectExistingLedger();
  const settledPerSecond = await settleRate(rig, server);
  const plans = await explainAll(rig, sql, server, endpoints);
  return { rows, fillSeconds, asked, settledPerSecond, plans, pages };
}

/** Ends the server and drops its database. */
export async function dropFilled(rig: DataRig, { server, sql, databaseUrl }: FilledServer): Promise<void> {
  await server.child.stop("SIGKILL");
  await sql.end();
  await rig.postgres.drop(databaseUrl);
}

async function ownerOf(server: TollgateServer): Promise<{ userId: string; keyId: string }> {
  const [self, keys] = await Promise.all([
    server.admin<{ id: string }>("/api/user/self"),
    server.admin<{ data: { id: string }[] }>("/api/user/tokens"),
  ]);
  return { userId: self.id, keyId: keys.data[0]?.id ?? "" };
}

/** Places in the middle of the log. */
async function findEndpoints(server: TollgateServer): Promise<Endpoint[]> {
  const middle = new Date(Date.now() - 15 * DAY_MS);
  const to = encodeURIComponent(middle.toISOString());
  const from = encodeURIComponent(new Date(middle.getTime() - DAY_MS).toISOString());
  const page = await server.admin<{ data: { requestId: string }[]; nextCursor: string }>(
    `/api/user/logs?pageSize=20&to=${to}`,
  );
  return endpointsOf({ cursor: page.nextCursor, requestId: page.data[0]?.requestId ?? "", from, to });
}

async function settleRate(rig: DataRig, server: TollgateServer): Promise<number> {
  const arm = sameProtocolArm("tollgate", FEATURES.tollgate, server);
  const measuring = { mock: rig.mock, directory: rig.directory, databaseCpuMs: rig.postgres.cpuMs };
  const cell = { suite: "data", payload: small, connections: 128 };
  await load(measuring, arm, cell, rig.settleSeconds * 1_000);
  const sample = await load(measuring, arm, cell, rig.settleSeconds * 1_000);
  return (sample.requests / sample.activeMs) * 1_000;
}

/** Requests every endpoint once more while the database logs its plans. */
async function explainAll(rig: DataRig, sql: Sql, server: TollgateServer, endpoints: readonly Endpoint[]) {
  const { logFile } = rig.postgres;
  if (logFile === null) return [];
  await explainEverything(sql);
  await untilAnswering(server, endpoints);
  const plans: SizeResult["plans"] = [];
  for (const endpoint of endpoints) {
    const start = logEnd(logFile);
    // A failed one is reported already; its plans are kept anyway.
    await server.adminText(endpoint.path).catch(() => "");
    await sleep(LOG_ARRIVES_MS);
    plans.push({ endpoint: endpoint.name, plans: plansSince(logFile, start) });
  }
  return plans;
}

/** Its sessions were just ended; the first requests may fail. */
async function untilAnswering(server: TollgateServer, endpoints: readonly Endpoint[]): Promise<void> {
  for (const { path } of endpoints) {
    for (let attempt = 1; attempt <= RECONNECT_ATTEMPTS; attempt++) {
      const answered = await server.adminText(path).then(
        () => true,
        () => false,
      );
      if (answered) break;
      await sleep(LOG_ARRIVES_MS);
    }
  }
}
