import { messageOf } from "../../lib/kernel/thrown";
import { median, quantile } from "../statistics";
import type { TollgateServer } from "../tollgate-server";
import type { Endpoint } from "./endpoints";

/** The duration of an endpoint with a number of log rows. Units: milliseconds. */
export interface Asked {
  rows: number;
  name: string;
  medianMs: number;
  p95Ms: number;
  targetMs: number | null;
  bytes: number;
  /** The error; null when it succeeded. */
  failure: string | null;
}

const WARM_UPS = 3;
const TIMES = 25;
const TIMES_SLOW = 3;
const SLOW_MS = 500;

/** Measures one endpoint with sequential requests on one keep-alive connection. */
export async function ask(server: TollgateServer, endpoint: Endpoint, rows: number): Promise<Asked> {
  const { name, targetMs } = endpoint;
  try {
    return { rows, name, targetMs, ...(await repeated(server, endpoint)), failure: null };
  } catch (error) {
    const failure = messageOf(error);
    return { rows, name, targetMs, medianMs: Number.NaN, p95Ms: Number.NaN, bytes: 0, failure };
  }
}

async function repeated(server: TollgateServer, { path }: Endpoint) {
  const first = await timed(server, path);
  const slow = first.ms > SLOW_MS;
  for (let turn = 0; turn < (slow ? 0 : WARM_UPS); turn++) await timed(server, path);
  const times: number[] = [];
  for (let turn = 0; turn < (slow ? TIMES_SLOW : TIMES); turn++) times.push((await timed(server, path)).ms);
  return { medianMs: median(times), p95Ms: quantile(times, 0.95), bytes: first.bytes };
}

async function timed(server: TollgateServer, path: string): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const text = await server.adminText(path);
  return { ms: performance.now() - began, bytes: text.length };
}
