import { GatewayError } from "@/lib/kernel/errors";
import type { PathCall } from "@/lib/protocols/adapters/client-request";
import { clientProtocols, embeddingsPath } from "@/lib/protocols/protocol";
import { clientAdapters, protocolOfHeaders } from "@/lib/protocols/registry";
import { corsHeaders, preflight } from "./cors";
import { countTokens } from "./count-tokens";
import { asGatewayError, errorReply } from "./error-reply";
import type { GatewayRequest, RequestHead } from "./gateway-request";
import { embed, generate } from "./generate";
import { googlePaths, isGooglePath } from "./google-path";
import type { Reply } from "./reply";
import { compactConversation } from "./responses-state/compact";
import { countResponseInput, refuseWebSocket } from "./responses-state/endpoints";
import { cancelResponse, deleteResponse, showInputItems, showResponse } from "./responses-state/stored";
import type { Gateway } from "./runtime";
import { listGoogleModels, showGoogleModel } from "./show-google-models";
import { listModels, showModel } from "./show-models";
import { showReceipt, showUsage } from "./show-usage";

/** Answers one kind of request. */
export type Handler = (gateway: Gateway, call: GatewayRequest) => Promise<Reply>;

type Methods = Partial<Record<"GET" | "POST" | "DELETE" | "HEAD", Handler>>;

const statefulPaths = clientProtocols
  .map((id) => clientAdapters[id])
  .filter(({ stateful }) => stateful)
  .map(({ clientPath }) => clientPath);

/** The protocols whose paths name no model. */
const plainPaths = clientProtocols
  .map((id) => clientAdapters[id])
  .filter(({ readPath }) => readPath === undefined)
  .map(({ clientPath }) => clientPath);

const exact: Record<string, Methods> = {
  ...Object.fromEntries(plainPaths.map((path) => [path, { POST: generate }])),
  [embeddingsPath]: { POST: embed },
  ...Object.fromEntries(statefulPaths.flatMap(besideGeneration)),
  "/v1/messages/count_tokens": { POST: countTokens },
  "/v1/models": { GET: listModels, HEAD: listModels },
  "/v1beta/models": { GET: listGoogleModels, HEAD: listGoogleModels },
  "/v1/usage": { GET: showUsage },
  "/v1": { HEAD: async () => ({ status: 200, headers: {}, body: "" }) },
};

const callable = Object.keys(exact).filter((path) => path !== "/v1" && !isGooglePath(path));

/** What a path that names a model asks for. */
const namedOperations: Record<PathCall["operation"], Methods> = {
  generate: { POST: generate },
  count: { POST: countTokens },
  embed: { POST: embed },
};

/** Paths with an id in them; the id of a model may have slashes. */
const patterns: [pattern: RegExp, methods: Methods][] = [
  [/^\/v1\/models\//, { GET: showModel }],
  [/^\/v1beta\/models\//, { GET: showGoogleModel }],
  [/^\/v1\/usage\//, { GET: showReceipt }],
  ...statefulPaths.flatMap((path): [RegExp, Methods][] => [
    [new RegExp(`^${path}/[^/]+$`), { GET: showResponse, DELETE: deleteResponse }],
    [new RegExp(`^${path}/[^/]+/input_items$`), { GET: showInputItems }],
    [new RegExp(`^${path}/[^/]+/cancel$`), { POST: cancelResponse }],
  ]),
];

function besideGeneration(path: string): [path: string, methods: Methods][] {
  return [
    [path, { POST: generate, GET: refuseWebSocket }],
    [`${path}/input_tokens`, { POST: countResponseInput }],
    [`${path}/compact`, { POST: compactConversation }],
  ];
}

/**
 * Every request under `/v1`: finds the handler, answers every failure as JSON, adds the ids and CORS headers. Calls
 * `send` once; `failed` gets what that throws. `handler`: default: that of method and path.
 * Source: docs/contract.md#s6, #s7.
 */
export function dispatch(
  gateway: Gateway,
  call: GatewayRequest,
  send: (reply: Reply) => void,
  failed: (error: unknown) => void,
  handler = handlerFor(call),
): void {
  const finish = (reply: Reply | null, thrown?: unknown): void => {
    try {
      const sent = reply ?? failureReply(gateway, call, thrown);
      Object.assign(sent.headers, call.replyHeaders);
      send(complete(gateway, sent, call));
    } catch (error) {
      failed(error);
    }
  };
  handler(gateway, call).then(finish, (thrown: unknown) => finish(null, thrown));
}

function failureReply({ log, refusals }: Gateway, call: GatewayRequest, thrown: unknown): Reply {
  const error = asGatewayError(thrown);
  refusals.sent(error);
  // A log line for each refusal would increase the overload; one line a second counts them.
  const level = error.code === "NO_AVAILABLE_NODE" ? "debug" : "error";
  if (error.status >= 500 && !call.signal.aborted)
    log[level]({ requestId: call.requestId, code: error.code, err: error.details.cause }, error.message);
  const reply = errorReply(error, call.protocol, call.requestId, call.replyHeaders);
  const adapter = clientAdapters[call.protocol];
  const form =
    adapter.readPath?.(call.path)?.fields.stream === true ? adapter.streamForm?.(call.query) : null;
  if (form != null && typeof reply.body === "string") reply.body = form.whole(reply.body);
  return reply;
}

const billed: ReadonlySet<Handler> = new Set([generate, embed, compactConversation]);

/**
 * The refusal of a billed call when this process is overloaded or shuts down. It is checked before anything else,
 * because a burst of refusals must leave time for admitted calls. Null: the call may begin.
 */
export function refuseAtArrival(gateway: Gateway, arrival: RequestHead): Reply | null {
  const handler = methodsOf(arrival)?.POST;
  if (handler === undefined || !billed.has(handler) || arrival.method !== "POST") return null;
  const refusal = gateway.admission.atArrival();
  if (refusal === null) return null;
  gateway.refusals.sent(refusal);
  return complete(gateway, errorReply(refusal, arrival.protocol, arrival.requestId), arrival);
}

/**
 * Adds to every reply the ids, CORS headers, headers against caching and content sniffing; counts it in the metrics.
 */
export function complete(gateway: Gateway, reply: Reply, arrival: RequestHead): Reply {
  const { headers } = reply;
  Object.assign(headers, corsHeaders(gateway, arrival));
  headers["x-request-id"] = arrival.requestId;
  headers["request-id"] = arrival.requestId;
  headers["cache-control"] ??= "no-store";
  headers["x-content-type-options"] = "nosniff";
  gateway.metrics.replied(arrival, reply.status);
  return reply;
}

function handlerFor(call: GatewayRequest): Handler {
  if (call.method === "OPTIONS") return async (gateway) => preflight(gateway, call);
  const methods = methodsOf(call) ?? patterns.find(([pattern]) => pattern.test(call.path))?.[1];
  if (methods === undefined) return async () => unknownPath(call);
  const handler = methods[call.method as keyof Methods]; // an unknown method finds nothing
  if (handler !== undefined) return handler;
  return async () => (asksUnknownMethod(call) ? unknownPath(call) : refuseMethod(call, methods));
}

/** True for a method of Google's API that is not served; any other path with the colon of one names a model. */
function asksUnknownMethod({ path, protocol }: RequestHead): boolean {
  const { readPath } = clientAdapters[protocol];
  return readPath !== undefined && readPath(path) === null && /:[A-Za-z]+$/.test(path);
}

/** The methods of a path without ids of its own. */
function methodsOf({ path, protocol }: RequestHead): Methods | undefined {
  const named = clientAdapters[protocol].readPath?.(path);
  return named == null ? exact[path] : namedOperations[named.operation];
}

/** A GET handler that only refuses WebSockets does not count as an allowed method. Throws: METHOD_NOT_ALLOWED. */
function refuseMethod({ method, path }: GatewayRequest, methods: Methods): never {
  const allow = Object.entries(methods).flatMap(([name, found]) => (found === refuseWebSocket ? [] : [name]));
  throw new GatewayError("METHOD_NOT_ALLOWED", `${method} is not allowed on ${path}.`, { allow });
}

/** An unknown path does not show the protocol; the headers of the client's library do. Source: docs/contract.md#b11. */
function unknownPath(call: GatewayRequest): Reply {
  const { path, headers, requestId, protocol } = call;
  const isGoogles = isGooglePath(path);
  const served = isGoogles ? googlePaths : callable;
  const hint = /\\|\/\//.test(path)
    ? "Give the base URL without a slash at its end."
    : `Use ${served.slice(0, -1).join(", ")} or ${served.at(-1)}.`;
  const error = new GatewayError("NOT_FOUND", `${path} does not exist. ${hint}`);
  return errorReply(error, isGoogles ? protocol : protocolOfHeaders(headers), requestId);
}
