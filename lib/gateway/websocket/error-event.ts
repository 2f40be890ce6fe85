import { errorReply } from "@/lib/gateway/error-reply";
import type { Reply } from "@/lib/gateway/reply";
import type { GatewayError } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { newRequestId } from "@/lib/kernel/request-id";
import type { ClientProtocol } from "@/lib/protocols/protocol";

/** Headers of an error reply that clients act on. */
const TOLD = /^(?:retry-after|x-should-retry|x-ratelimit|x-codex|x-tollgate|x-request-id$)/;

/** What POST would answer, as an event. Source: docs/websocket.md#errors. */
export function errorEvent({ status, headers, body }: Reply, lane: string | null): string {
  const parsed = typeof body === "string" ? parseJson(body) : null;
  const { error = null, request_id = null } = isObject(parsed) ? parsed : {};
  const told = Object.fromEntries(Object.entries(headers).filter(([name]) => TOLD.test(name)));
  const event = { type: "error", status, error, request_id, headers: told };
  return JSON.stringify(lane === null ? event : { ...event, stream_id: lane });
}

/** The event for an error that no call made. */
export function errorEventOf(error: GatewayError, protocol: ClientProtocol, lane: string | null): string {
  const requestId = newRequestId();
  const reply = errorReply(error, protocol, requestId);
  reply.headers["x-request-id"] = requestId;
  return errorEvent(reply, lane);
}
