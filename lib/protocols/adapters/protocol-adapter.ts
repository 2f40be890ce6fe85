import type { ClientAdapter } from "./client-adapter";
import type { DirectAdapter } from "./direct-adapter";
import type { NodeAdapter } from "./node-adapter";

/** A protocol with both halves: clients and nodes speak it. Source: docs/architecture.md#s2. */
export interface ProtocolAdapter extends ClientAdapter, NodeAdapter {
  readonly direct: DirectAdapter;
}
