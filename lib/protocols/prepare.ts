import type { JsonObject } from "@/lib/kernel/json";
import { dropRefusedFields } from "@/lib/protocols/passes/fields";
import { Losses } from "./generation/losses";
import type { Rendered, RequestAdapter, Target } from "./request-adapter";

/** What a request for one node depends on besides its body. */
export interface PrepareContext extends Target {
  /** What the caller speaks. */
  client: RequestAdapter;
  /** What the node speaks. */
  upstream: RequestAdapter;
}

/**
 * The exact request for one node. Same protocol on both sides: touched only where it must be. Otherwise converted.
 * Pure: the same body and context give the same bytes. `body` must have passed `validateRequest`.
 * Throws: INVALID_REQUEST for what this node cannot express. Source: docs/protocols.md#s4 to #s8.
 */
export function prepareRequest(body: JsonObject, context: PrepareContext): Rendered {
  const { client, upstream } = context;
  const rendered =
    client === upstream ? client.patch(body, context) : upstream.render(client.parse(body, context), context);
  const refused = dropRefusedFields(rendered.body, context.profile.refusedFields);
  if (refused.length === 0) return rendered;
  const losses = new Losses(rendered.losses);
  for (const field of refused) losses.dropped(field);
  return { ...rendered, losses: losses.list() };
}
