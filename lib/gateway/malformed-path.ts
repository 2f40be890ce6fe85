import { GatewayError } from "@/lib/kernel/errors";
import { newRequestId } from "@/lib/kernel/request-id";
import { protocolOfPath } from "@/lib/protocols/registry";
import { errorReply } from "./error-reply";
import type { Reply } from "./reply";

/** The reply to a path under `/v1` that cannot be decoded, in the form of the protocol that the path is for. */
export function malformedPath(pathname: string): Reply {
  const requestId = newRequestId();
  const error = new GatewayError("INVALID_REQUEST", "The path of the URL is malformed.");
  return errorReply(error, protocolOfPath(pathname), requestId, {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    "request-id": requestId,
  });
}
