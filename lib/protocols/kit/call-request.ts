import type { JsonObject } from "@/lib/kernel/json-object";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { protocolKits } from "./kits";

/** The path and the body of a call. `body`: what `bodyOf` gives, with the model. */
export function requestOf(protocol: ClientProtocol, body: JsonObject): { path: string; body: JsonObject } {
  const kit = protocolKits[protocol];
  return kit.request?.(body) ?? { path: kit.path, body };
}
