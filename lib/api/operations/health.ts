import type { z } from "zod";
import { liveAnswer, readyAnswer } from "@/lib/api/openapi/health-schemas";
import { defineOperation } from "@/lib/api/operation";
import { schemaVersion } from "@/lib/db/migrate";
import { runtime } from "@/lib/gateway/runtime";
import { withDeadline } from "@/lib/kernel/with-deadline";

const FRESH_MS = 1_000;

const SLOWEST_MS = 2_000;

const spoolProblems = { failed: "the spool cannot be written", full: "the spool is full" };

let last: { atMs: number; problem: Promise<string | null> } | null = null;

/** Health checks; public. Source: docs/contract.md#s9. */
export const healthOperations = [
  defineOperation(
    {
      method: "get",
      path: "/api/health/live",
      id: "getLiveness",
      tag: "Operations",
      caller: "public",
      summary: "Is the process alive?",
      ignoresQuery: true,
      success: { status: 200, description: "It is", schema: liveAnswer, example: { status: "ok" } },
    },
    // Proves that the event loop runs; uses nothing else.
    async () => ({ status: "ok" }),
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/health/ready",
      id: "getReadiness",
      tag: "Operations",
      caller: "public",
      summary: "Should requests come here?",
      ignoresQuery: true,
      description: "503 with the same body and the reasons when they should not.",
      success: {
        status: 200,
        description: "They should",
        schema: readyAnswer,
        failed: {
          status: 503,
          description: "They should not; the body says why",
          when: (answer: z.output<typeof readyAnswer>) => answer.status !== "ready",
        },
        example: { status: "ready", problems: [], degraded: [] },
      },
    },
    () => readiness(),
  ),
];

/**
 * Checks whether the process can serve requests: the database answers with this program's schema, settlements can be
 * recorded, and no shutdown has begun. Redis and upstreams do not affect readiness. Source: docs/contract.md#s9,
 * docs/reliability.md#s2-11.
 */
async function readiness(): Promise<z.output<typeof readyAnswer>> {
  const { drain, ledger, limiter } = runtime();
  const problems = [await databaseProblem()].filter((problem) => problem !== null);
  const { spoolProblem } = ledger.status();
  if (spoolProblem !== null) problems.push(spoolProblems[spoolProblem]);
  if (drain.draining) problems.push("the process is going down");
  const { backend, degraded } = limiter.status();
  const status = problems.length === 0 ? "ready" : "not ready";
  return { status, problems, degraded: degraded ? [backend] : [] };
}

/** Queries the database at most once a second. */
function databaseProblem(): Promise<string | null> {
  const nowMs = runtime().clock.nowMs();
  if (last === null || nowMs - last.atMs > FRESH_MS) last = { atMs: nowMs, problem: askDatabase() };
  return last.problem;
}

async function askDatabase(): Promise<string | null> {
  const { db, log } = runtime();
  try {
    const { applied, known, takesWrites } = await withDeadline(schemaVersion(db), SLOWEST_MS);
    if (!takesWrites) {
      db.renewWhenWritable();
      return "the database takes no writes";
    }
    return applied < known ? "the database has not been migrated" : null;
  } catch (error) {
    log.warn({ err: error }, "the database does not answer the readiness check");
    return "the database does not answer";
  }
}
