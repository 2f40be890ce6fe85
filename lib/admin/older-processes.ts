import type { Session } from "@/lib/db/database";
import { lowestLiveLevel } from "@/lib/db/replicas";
import { GatewayError } from "@/lib/kernel/errors";
import type { Credential } from "@/lib/shared/credentials/credential";

/** The level of processes that know other kinds of credentials than keys. */
const LEVEL_OF_KINDS = 2;

/**
 * Refuses a kind that a live process of an older version does not know: it could not call the node.
 * Throws: CONFLICT. Source: docs/clouds.md#stored.
 */
export async function refuseOlderProcesses(
  db: Session,
  credential: Credential | null | undefined,
): Promise<void> {
  if (!credential || credential.kind === "key" || (await lowestLiveLevel(db)) >= LEVEL_OF_KINDS) return;
  const text = "A process of an older version is still running and could not call this node. Stop it first.";
  throw new GatewayError("CONFLICT", text, { reason: "older_process" });
}
