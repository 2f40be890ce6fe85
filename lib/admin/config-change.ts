import { bumpConfigVersion } from "@/lib/db/config-channel";
import type { Orm, Session } from "@/lib/db/database";
import { constraintOf, isUniqueViolation } from "@/lib/db/database-error";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/request-id";
import { type Actor, type AuditEvent, recordAudit } from "./audit";

/** The result of a change of the configuration, and its audit entry. */
export interface ConfigChange<Result> {
  result: Result;
  audit: AuditEvent;
}

const takenNames: Record<string, [field: string, message: string]> = {
  nodes_name_unique: ["name", "is the name of another node"],
  models_alias_unique: ["alias", "is the alias of another model"],
  plans_pkey: ["id", "is the id of another plan"],
};

/**
 * Runs one change of the configuration in a transaction with its audit entry and a new configuration version.
 * Throws: CONFLICT for a taken name, and what the work throws.
 */
export async function changeConfig<Result>(
  db: Session,
  actor: Actor,
  work: (tx: Orm) => Promise<ConfigChange<Result>>,
): Promise<Result> {
  try {
    return await db.orm.transaction(async (tx) => {
      const { result, audit } = await work(tx);
      await recordAudit(tx, actor, audit);
      await bumpConfigVersion(tx);
      return result;
    });
  } catch (error) {
    const [field, message] = (isUniqueViolation(error) && takenNames[constraintOf(error) ?? ""]) || [];
    if (field === undefined || message === undefined) throw error;
    throw new GatewayError("CONFLICT", `\`${field}\` ${message}.`, {
      fields: { [field]: [message] },
      cause: error,
    });
  }
}

/** Refuses to change what the configuration file declares. Throws: CONFLICT. Source: docs/contract.md#s3. */
export function refuseManagedByFile(row: { managedByFile: boolean }): void {
  if (!row.managedByFile) return;
  throw new GatewayError("CONFLICT", "This is managed by the configuration file; change it there.");
}

/** Returns the row. Throws: NOT_FOUND when it is undefined. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new GatewayError("NOT_FOUND", `There is no such ${what}.`);
  return row;
}

/** Returns a well-formed id. Throws: NOT_FOUND for a malformed one, like for an unknown one. */
export function uuidOf(id: string, what: string): string {
  return found(isUuid(id) ? id : undefined, what);
}
