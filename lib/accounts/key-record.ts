import type { apiKeys } from "@/lib/db/schema/accounts";
import { centsNumber } from "@/lib/kernel/money";

/** A key row. */
export type KeyRow = typeof apiKeys.$inferSelect;

/** The key as the API shows it; never the key or its hash. Source: docs/contract.md#s5. */
export function keyRecordOf(row: KeyRow) {
  return {
    id: row.id,
    keyPrefix: row.keyPrefix,
    name: row.name,
    status: row.status === "active" ? ("active" as const) : ("disabled" as const),
    blocked: row.status === "blocked",
    quota: centsNumber(row.quotaMicroCents),
    usedQuota: centsNumber(row.usedMicroCents),
    held: centsNumber(row.heldMicroCents),
    planId: row.planId,
    models: row.models,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    projectId: row.projectId,
    createdBy: row.createdBy,
  };
}
