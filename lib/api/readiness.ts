import { schemaVersion } from "@/lib/db/migrate";
import { runtime } from "@/lib/gateway/runtime";

const FRESH_MS = 1_000;
const SLOWEST_MS = 2_000;

/** The result of the readiness check. */
export interface Readiness {
  ready: boolean;
  /** Problems that make the process unready; empty when it is ready. */
  problems: string[];
  /** Parts in degraded operation, which do not affect readiness. */
  degraded: string[];
}

const spoolProblems = { failed: "the spool cannot be written", full: "the spool is full" };

let last: { atMs: number; problem: Promise<string | null> } | null = null;

/**
 * Checks whether the process can serve requests: the database answers with this program's schema, settlements can be
 * recorded, and no shutdown has begun. Redis and upstreams do not affect readiness. Source: docs/contract.md#s9,
 * docs/reliability.md#s2-11.
 */
export async function readiness(): Promise<Readiness> {
  const { drain, ledger, limiter } = runtime();
  const problems = [await databaseProblem()].filter((problem) => problem !== null);
  const { spoolProblem } = ledger.status();
  if (spoolProblem !== null) problems.push(spoolProblems[spoolProblem]);
  if (drain.draining) problems.push("the process is going down");
  const { backend, degraded } = limiter.status();
  return { ready: problems.length === 0, problems, degraded: degraded ? [backend] : [] };
}

/** Queries the database at most once a second. */
function databaseProblem(): Promise<string | null> {
  const nowMs = runtime().clock.nowMs();
  if (last === null || nowMs - last.atMs > FRESH_MS) last = { atMs: nowMs, problem: askDatabase() };
  return last.problem;
}

async function askDatabase(): Promise<string | null> {
  const { db, log } = runtime();
  const timeout = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error("no answer in time")), SLOWEST_MS).unref();
  });
  try {
    const { applied, known } = await Promise.race([schemaVersion(db), timeout]);
    return applied < known ? "the database has not been migrated" : null;
  } catch (error) {
    log.warn({ err: error }, "the database does not answer the readiness check");
    return "the database does not answer";
  }
}
