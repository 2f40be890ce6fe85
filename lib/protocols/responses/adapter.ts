import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import { responsesClient } from "./client/adapter";
import { responsesDirect } from "./direct/adapter";
import { responsesNode } from "./node/adapter";

/** Responses, both halves. */
export const responsesAdapter: ProtocolAdapter = {
  ...responsesClient,
  ...responsesNode,
  direct: responsesDirect,
};
