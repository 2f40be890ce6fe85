import type { Reconciliation } from "@/lib/billing/reconcile";

/** A reconciliation as JSON: micro-cents as text. Source: docs/contract.md#s5. */
export function reconciliationOf(found: Reconciliation) {
  return {
    ok: found.ok,
    usedMicroCents: found.usedMicroCents.toString(),
    ledgerMicroCents: found.ledgerMicroCents.toString(),
    heldMicroCents: found.heldMicroCents.toString(),
    openHolds: found.openHolds,
    mismatches: found.mismatches.map(({ kind, id, counterMicroCents, sumMicroCents }) => ({
      kind,
      id,
      counterMicroCents: counterMicroCents.toString(),
      sumMicroCents: sumMicroCents.toString(),
    })),
  };
}
