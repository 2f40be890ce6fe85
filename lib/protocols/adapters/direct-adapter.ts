import type { JsonObject } from "@/lib/kernel/json-object";
import type { PassedWhole, Passthrough, PassthroughOptions } from "./passthrough";
import type { Rendered, Target } from "./rendered";

/**
 * The adapter for a client and a node of the same protocol: changes only what must change. Source:
 * docs/protocols.md#s6.
 */
export interface DirectAdapter {
  /** Makes the node's body; keeps every unknown field. Throws: INVALID_REQUEST for what this node cannot express. */
  patch(body: JsonObject, target: Target): Rendered;
  /** Passes a stream on. */
  passthrough(options: PassthroughOptions): Passthrough;
  /**
   * Passes on a stream to a client that wants no stream: `end` returns the whole body.
   * Absent: the body is folded from the events.
   */
  gather?(options: PassthroughOptions): Passthrough;
  /** Passes a whole answer on. `body` is the parsed `json`; it is changed in place. Throws: nothing. */
  passWhole(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole;
}

/** The direct adapter of a client and a node of the same protocol; undefined: requests are converted. */
export function directOf(
  client: { readonly id: string },
  node: { readonly id: string; readonly direct?: DirectAdapter },
): DirectAdapter | undefined {
  return client.id === node.id ? node.direct : undefined;
}
