import type { Session } from "./database";

/** Two for ledger batches, one for notifications, one for probes, one for jobs. */
const FIXED_CONNECTIONS = 5;

/** How many connections the processes may need together. */
export interface ConnectionNeed {
  replicas: number;
  /** Connections of one process. */
  each: number;
  needed: number;
}

/** The connections that `replicas` processes may need. `pool`: the size of the general pool. */
export function connectionNeed(pool: number, replicas: number): ConnectionNeed {
  const each = pool + FIXED_CONNECTIONS;
  return { replicas, each, needed: each * replicas };
}

/**
 * A sentence when the server gives fewer connections than the processes may need, null otherwise.
 * Throws: the database's error. Source: docs/operations.md#connections.
 */
export async function connectionShortage(session: Session, need: ConnectionNeed): Promise<string | null> {
  const [row] = await session.query<{ given: number }>(
    `SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
       - coalesce(current_setting('reserved_connections', true), '0')::integer AS given`,
  );
  const given = row?.given ?? need.needed;
  return need.needed <= given ? null : `${describeNeed(need)}, and PostgreSQL gives ${given}; ${REMEDY}`;
}

const REMEDY = "raise its max_connections, or lower DATABASE_POOL";

/** What to do about a server that has no connection left (SQLSTATE 53300). */
export function noConnectionLeft(need: ConnectionNeed): string {
  return `PostgreSQL has no connection left. ${describeNeed(need)}; ${REMEDY}`;
}

function describeNeed({ replicas, each, needed }: ConnectionNeed): string {
  return `${replicas} ${replicas === 1 ? "process" : "processes"} of up to ${each} connections (DATABASE_POOL + ${FIXED_CONNECTIONS}) may need ${needed}`;
}
