import type { ErrorCode, GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { RateLimits } from "./rate-limits";

/** How errors and limits are reported to clients of a protocol. */
export interface ErrorFormat {
  /** The `type` value of each error code. Source: docs/protocols.md#s13-2. */
  readonly types: Readonly<Record<ErrorCode, string>>;
  /** The reply to an error where it differs in this protocol. Default: the error as it is. */
  refusal?(error: GatewayError): Refusal;
  /** The body of an error where the protocol has its own. Default: one body that the other SDKs read. */
  body?(error: GatewayError, requestId: string): JsonObject;
  /** The connection is reset after the frame of a failure: clients take a stream that ends for a complete one. */
  readonly resets?: true;
  /** The protocol's SDK reads the vendor's own `details` of an error. Source: docs/protocols.md#s13-4. */
  readonly vendorDetails?: true;
  /** The frame that breaks a stream visibly; nothing may follow it. Source: docs/protocols.md#s12-7. */
  frame(failure: StreamFailure): string;
  /**
   * The headers that report a caller's limits; `wallMs`: the wall clock, for resets that are a point in time.
   * Source: docs/contract.md#s6.
   */
  limitHeaders(limits: RateLimits, wallMs: number): Record<string, string>;
  /**
   * The headers that report a caller's quota, or its fullest windows when there are any.
   * Units: `used` in percent, from 0 to 100. Source: docs/responses.md#s2-8.
   */
  quotaHeaders?(used: number, windows: readonly UsedWindow[]): Record<string, string>;
}

/** A window of a limit, the fullest first. Units: percent from 0 to 100, minutes, seconds since 1970. */
export interface UsedWindow {
  readonly usedPercent: number;
  readonly minutes: number;
  readonly resetsAtSeconds: number;
}

/** A refusal in the form of one protocol. Shape: without `type` it has the type of the error's code. */
export interface Refusal {
  status: number;
  type?: string;
  code: string;
  message: string;
  /** The client must not repeat the same request. */
  final?: boolean;
}

/** The failure that is reported to a client when its stream breaks. */
export interface StreamFailure {
  code: ErrorCode;
  message: string;
  requestId: string;
  /** The reason, if the code does not express it. */
  reason?: string;
  /** See `ErrorDetails.vendorCode`. */
  vendorCode?: string;
}
