import type { JsonObject } from "@/lib/kernel/json-object";
import type { PassedWhole, Passthrough, PassthroughOptions } from "./passthrough";
import type { Rendered, Target } from "./rendered";

/** Client and node speak the same protocol: only what must change is changed. Source: docs/protocols.md#s6. */
export interface DirectAdapter {
  /** The node's body: every unknown field is kept. Throws: INVALID_REQUEST for what this node cannot express. */
  patch(body: JsonObject, target: Target): Rendered;
  /** Passes a stream on. */
  passthrough(options: PassthroughOptions): Passthrough;
  /**
   * The same for a client that does not want the stream which the node sends: all comes at the end, as a whole body.
   * Absent: the body is folded from the events.
   */
  gather?(options: PassthroughOptions): Passthrough;
  /** Passes a whole answer on. `body` is what `json` says; it is changed in place. Throws: nothing. */
  passWhole(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole;
}

/** How a client's requests pass to nodes of its own protocol; undefined: they are converted. */
export function directOf(
  client: { readonly id: string },
  node: { readonly id: string; readonly direct?: DirectAdapter },
): DirectAdapter | undefined {
  return client.id === node.id ? node.direct : undefined;
}
