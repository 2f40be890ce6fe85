import { MAX_VALUES } from "@/lib/kernel/read-json";
import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { embeddingClients, embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import type { ClientProtocol, ModelKind, NodeProtocol, OperationName } from "@/lib/protocols/protocol";
import { clientAdapters, nodeAdapters } from "@/lib/protocols/registry";

/**
 * What a request asks of the gateway, as data: the stages of the pipeline are the same for all of them.
 * Source: docs/architecture.md#s1-11.
 */
export interface Operation {
  /** As the log shows it. */
  readonly name: OperationName;
  /** Which aliases it is for. */
  readonly kind: ModelKind;
  /** How callers of each protocol are read and answered. */
  readonly clients: Readonly<Record<ClientProtocol, ClientAdapter>>;
  /** How nodes of each protocol are asked and read; null: they cannot serve it. */
  readonly nodes: Readonly<Record<NodeProtocol, NodeAdapter | null>>;
  /** Values that the JSON of a request may hold. */
  readonly maxValues: number;
}

/** Generates an answer, in any protocol. */
export const generation: Operation = {
  name: "generate",
  kind: "generation",
  clients: clientAdapters,
  nodes: nodeAdapters,
  maxValues: MAX_VALUES,
};

/** Generates notes on a conversation that stand for it from then on. Source: docs/responses.md#s5-3. */
export const compaction: Operation = { ...generation, name: "compact" };

/** Makes embeddings. A batch may be 300,000 token ids. Source: docs/embeddings.md#request. */
export const embedding: Operation = {
  name: "embed",
  kind: "embedding",
  clients: embeddingClients,
  nodes: embeddingNodes,
  maxValues: 2 * MAX_VALUES,
};
