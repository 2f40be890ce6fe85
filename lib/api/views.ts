import type { NodeRules } from "@/lib/admin/nodes";
import type { Reconciliation } from "@/lib/billing/reconcile";
import { runtime } from "@/lib/gateway/runtime";
import { nodeMinutes, nodeReport } from "@/lib/router/health-report";

/** The rules for nodes of this process. */
export function nodeRulesOf(): NodeRules {
  const { secrets, settings } = runtime();
  return { ring: secrets.credentials, allowPrivate: settings.allowPrivateUpstreams };
}

/** A node with its health in this process. Recorded errors contain no secrets. */
export function withHealth<Node extends { id: string; enabled: boolean; maxConcurrency: number | null }>(
  node: Node,
) {
  return { ...node, health: nodeReport(runtime().health, node) };
}

/** The same, with the calls of the last sixty minutes. */
export function withMinutes<Node extends { id: string; enabled: boolean; maxConcurrency: number | null }>(
  node: Node,
) {
  const { clock, health } = runtime();
  const now = clock.date().getTime();
  const minutes = nodeMinutes(health, node.id).map(({ agoMs, ...point }) => ({
    bucketStart: new Date(now - agoMs).toISOString(),
    ...point,
  }));
  return { ...withHealth(node), minutes };
}

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
