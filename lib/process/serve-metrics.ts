import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isLoopback } from "@/lib/config/hosts";
import { addressIn } from "@/lib/kernel/client-address";
import type { Metrics } from "@/lib/ops/metrics";
import { sendError } from "./http-server";

/** Headers that proxies and CDNs add. Names are compared in lower case, with `-` for `_`. */
const ADDED_BY_PROXIES =
  /(^|-)(forwarded(-|$)|(client-?|connecting-|remote-|originating-)(ip|addr)$)|^(via$|cf-|cdn-|x-(real|original|envoy|amzn|azure|appengine|proxyuser)(-|$))/;

/**
 * Serves `/metrics` to requests with the token; without a configured token, to direct requests from loopback to it.
 * Source: docs/contract.md#s9, #b20.
 */
export async function serveMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
  token: string | null,
): Promise<void> {
  if (!isAuthorized(request, token)) {
    const remedy = token === null ? WITHOUT_TOKEN : "Send METRICS_TOKEN as bearer token.";
    return sendError(response, 401, "UNAUTHORIZED", remedy);
  }
  const text = await metrics.text();
  response.writeHead(200, { "content-type": metrics.registry.contentType, "cache-control": "no-store" });
  response.end(text);
}

const WITHOUT_TOKEN =
  "Without METRICS_TOKEN only direct requests to localhost or a loopback address are answered; set it and send it as bearer token.";

function isAuthorized(request: IncomingMessage, token: string | null): boolean {
  if (token === null) return isLocal(request) && !Object.keys(request.headers).some(isAddedByProxy);
  const given = Buffer.from(request.headers.authorization ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isAddedByProxy(name: string): boolean {
  return ADDED_BY_PROXIES.test(name.replaceAll("_", "-"));
}

/**
 * True for a request from this machine with a `Host` of this machine: a web page whose name was made to resolve to
 * loopback (DNS rebinding) sends its own name as `Host`.
 */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const asked = `http://${headers.host ?? ""}/`;
  if (!URL.canParse(asked)) return false;
  return isLoopback(addressIn(socket.remoteAddress ?? "") ?? "") && isLoopback(new URL(asked).hostname);
}
