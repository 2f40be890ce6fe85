import type { CredentialOf } from "@/lib/shared/credentials/credential";
import type { Exchange } from "./exchange";

/** A key is shown as it is. */
export function keyExchange({ key }: CredentialOf<"key">): Exchange {
  return async () => ({ access: { type: "key", key }, principal: null, lifeMs: null });
}
