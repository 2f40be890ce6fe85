import type { Session } from "@/lib/db/database";
import { lowestLiveLevel } from "@/lib/db/replicas";
import { GatewayError } from "@/lib/kernel/errors";

/** What the first process knew that knows a thing. Source: docs/budgets.md#versions, docs/clouds.md#stored. */
export const levelOf = { rules: 1, credentialKinds: 2 } as const;

/**
 * Refuses what a live process of an older version does not know. `fault` ends the sentence: what that process would do.
 * Throws: CONFLICT.
 */
export async function refuseOlderProcesses(db: Session, level: number, fault: string): Promise<void> {
  if ((await lowestLiveLevel(db)) >= level) return;
  throw new GatewayError(
    "CONFLICT",
    `A process of an older version is still running and ${fault}. Stop it first.`,
    { reason: "older_process" },
  );
}
