import { and, eq } from "drizzle-orm";
import type { Session } from "@/lib/db/database";
import { models, routes } from "@/lib/db/schema/catalog";
import { badField } from "@/lib/kernel/errors";
import { embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import type { ModelKind, NodeProtocol } from "@/lib/protocols/protocol";

/**
 * The kind of request that tests an upstream model: the wanted one; else embeddings when all models that the stored
 * node serves with it make embeddings. Null: not known. Throws: INVALID_REQUEST when the protocol has no embeddings.
 */
export async function knownKind(
  db: Session,
  node: { storedId: string | undefined; protocol: NodeProtocol },
  upstreamModel: string,
  wanted: ModelKind | undefined,
): Promise<ModelKind | null> {
  if (wanted === "embedding" && embeddingNodes[node.protocol] === null)
    throw badField("kind", `must be generation: nodes that speak ${node.protocol} have no embeddings`);
  if (wanted !== undefined || node.storedId === undefined) return wanted ?? null;
  const rows = await db.orm
    .select({ kind: models.kind })
    .from(routes)
    .innerJoin(models, eq(models.id, routes.modelId))
    .where(and(eq(routes.nodeId, node.storedId), eq(routes.upstreamModel, upstreamModel)));
  if (rows.some(({ kind }) => kind === "generation")) return "generation";
  return rows[0]?.kind ?? null;
}
