import { MAX_VALUES } from "@/lib/kernel/read-json";
import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { embeddingClients, embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import type { ClientProtocol, ModelKind, NodeProtocol, OperationName } from "@/lib/protocols/protocol";
import { clientAdapters, nodeAdapters } from "@/lib/protocols/registry";

/**
 * A kind of request, as data: the pipeline has the same stages for all of them.
 * Source: docs/architecture.md#s1-11.
 */
export interface Operation {
  /** The name in the log. */
  readonly name: OperationName;
  /** The kind of aliases that it can use. */
  readonly kind: ModelKind;
  /** How requests of callers are read and answered, by protocol. */
  readonly clients: Readonly<Record<ClientProtocol, ClientAdapter>>;
  /** How nodes are called and read, by protocol; null: nodes of this protocol cannot serve it. */
  readonly nodes: Readonly<Record<NodeProtocol, NodeAdapter | null>>;
  /** The most values in the JSON of a request. */
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

/** Generates a summary that replaces a conversation in later requests. Source: docs/responses.md#s5-3. */
export const compaction: Operation = { ...generation, name: "compact" };

/** Makes embeddings. A batch may be 300,000 token ids. Source: docs/embeddings.md#request. */
export const embedding: Operation = {
  name: "embed",
  kind: "embedding",
  clients: embeddingClients,
  nodes: embeddingNodes,
  maxValues: 2 * MAX_VALUES,
};
