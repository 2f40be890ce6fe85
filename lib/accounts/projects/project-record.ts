import type { ProjectRow } from "./access";

/** A project as the audit keeps it. */
export function projectRecordOf({ id, userId, name, costCentre, createdAt, archivedAt }: ProjectRow) {
  return {
    id,
    payerId: userId,
    name,
    costCentre,
    createdAt: createdAt.toISOString(),
    archivedAt: archivedAt?.toISOString() ?? null,
  };
}
