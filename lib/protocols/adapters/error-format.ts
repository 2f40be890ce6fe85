import type { ErrorCode, GatewayError } from "@/lib/kernel/errors";
import type { RateLimits } from "./rate-limits";

/** How errors and limits are reported to clients of a protocol. */
export interface ErrorFormat {
  /** The `type` word of each code. Source: docs/protocols.md#s13-2. */
  readonly types: Readonly<Record<ErrorCode, string>>;
  /** What the protocol's clients get otherwise than others. Default: the error as it is. */
  refusal?(error: GatewayError): Refusal;
  /** The protocol's SDK reads the vendor's own `details` of an error. Source: docs/protocols.md#s13-4. */
  readonly vendorDetails?: true;
  /** The frame that breaks a stream visibly; nothing may follow it. Source: docs/protocols.md#s12-7. */
  frame(failure: StreamFailure): string;
  /**
   * The headers that report a caller's limits; a reset may be a point in time: `wallMs` is the wall clock.
   * Source: docs/contract.md#s6.
   */
  limitHeaders(limits: RateLimits, wallMs: number): Record<string, string>;
  /** The headers that report a caller's quota. Units: `used` in percent, from 0 to 100. Source: docs/responses.md#s2-8. */
  quotaHeaders?(used: number): Record<string, string>;
}

/** A refusal in a protocol's own words. Shape: without `type` that of the error's code. */
export interface Refusal {
  status: number;
  type?: string;
  code: string;
  message: string;
  /** The same request must not be sent again. */
  final?: boolean;
}

/** What is reported to a client when its stream breaks. */
export interface StreamFailure {
  code: ErrorCode;
  message: string;
  requestId: string;
  /** The reason, where the code does not give it. */
  reason?: string;
  /** See `ErrorDetails.vendorCode`. */
  vendorCode?: string;
}
