import type { GatewayKey } from "@/lib/accounts/gateway-key";
import type { JsonObject } from "@/lib/kernel/json";
import type { Usage, UsageSource } from "@/lib/kernel/usage";
import type { CatalogModel } from "@/lib/router/catalog";
import type { Admission } from "./admit";
import type { RequestLogBuilder } from "./request-log";

/** The counts of an answer, and whether any of them is an estimate. */
export interface Metered {
  usage: Usage;
  source: UsageSource;
}

/** One authenticated generation on its way; what its settlement needs to know. */
export interface GenerationContext {
  readonly key: GatewayKey;
  readonly trace: RequestLogBuilder;
  /** Null until the name is resolved. */
  model: CatalogModel | null;
  /** Null until the limits are passed and the hold is made. */
  admission: Admission | null;
  /** Prompt tokens by the byte formula; 0 until known. */
  inputEstimate: number;
  settled: boolean;
  /** The validated body, for a count of its tokens where the upstream tells none. */
  body: JsonObject;
  /** The counts of a finished answer; null until it has ended. */
  metered: Metered | null;
}
