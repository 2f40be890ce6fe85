import { GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";

/**
 * Refuses a thread with the error code after which the official SDK sends the whole conversation: a thread is state of
 * one key in the operator's account. Throws: INVALID_REQUEST. Source: docs/protocols.md#s13-4.
 */
export function refuseThread({ thread }: JsonObject): void {
  if (thread == null) return;
  throw new GatewayError(
    "INVALID_REQUEST",
    "thread: message threads are not kept here; send the whole conversation in messages, without thread.",
    { param: "thread", vendorDetails: { error_code: "thread_unsupported_request" } },
  );
}
