import type { NodeRules } from "@/lib/admin/nodes";
import { nodeReport } from "@/lib/router/health-report";
import { runtime } from "@/lib/runtime";

/** The rules for nodes of this process. */
export function nodeRulesOf(): NodeRules {
  const { secrets, settings } = runtime();
  return { ring: secrets.credentials, allowPrivate: settings.allowPrivateUpstreams };
}

/** A node with what this process knows about its health. Errors are scrubbed where they are recorded. */
export function withHealth<Node extends { id: string; enabled: boolean; maxConcurrency: number | null }>(
  node: Node,
) {
  return { ...node, health: nodeReport(runtime().health, node) };
}
