import { randomBytes } from "node:crypto";
import type { KeyRing } from "@/lib/config/secrets";
import type { ReasoningSeal } from "@/lib/protocols/adapters/encoder";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";
import { openReasoning, sealReasoning } from "@/lib/protocols/passes/reasoning-seal";
import { nodeAdapters } from "@/lib/protocols/registry";
import type { CatalogNode, CatalogRoute } from "@/lib/router/catalog";

const NONCE_BYTES = 12;

/** A model at a node. */
interface Place {
  route: CatalogRoute;
  node: CatalogNode;
}

/** Seals reasoning of a node, so that only nodes that can read it get it back. */
export function sealFor(place: Place, keys: KeyRing): ReasoningSeal {
  const origin = originOf(place);
  const envelope = (reasoning: NodeReasoning) =>
    sealReasoning({ origin, reasoning }, keys.current, randomBytes(NONCE_BYTES));
  return {
    sign: () => envelope({ text: "", signature: null, opaque: null }),
    tag: (opaque) => envelope({ text: "", signature: null, opaque }),
    envelope,
  };
}

/** The content of a seal when the node can read it; else null. */
export function openFor(place: Place, sealed: string, { current, previous }: KeyRing): NodeReasoning | null {
  const opened = openReasoning(sealed, previous === null ? [current] : [current, previous]);
  return opened !== null && opened.origin === originOf(place) ? opened.reasoning : null;
}

/**
 * Identifies the nodes that can read the same reasoning: all that serve a family of models with signed thinking,
 * otherwise only the node that made it. Source: docs/protocols.md#s8-4.
 */
function originOf({ route, node }: Place): string {
  const family = nodeAdapters[node.protocol].api.portableReasoning?.exec(route.upstreamModel)?.[0];
  return `${node.protocol} ${family?.toLowerCase() ?? node.id}`;
}
