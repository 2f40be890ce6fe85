import type { Pools } from "@/lib/upstream/pools";
import { DialError, UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import type { Send, TokenAnswer, TokenRequest } from "./send";
import type { TokenSourceOptions } from "./token-source";

const CONNECT_MS = 3_000;

/**
 * Sends requests to token endpoints over the gateway's connections. The addresses of public hosts are checked when a
 * connection is made; services of the machine are reached without a proxy.
 * Source: docs/clouds.md#failures, docs/reliability.md#s3-9.
 */
export function tokenSender(pools: Pick<Pools, "get">, startTimer: TokenSourceOptions["startTimer"]): Send {
  return async (request) => {
    const { signal, timeoutMs } = request;
    if (signal.aborted) throw new DialError("aborted", "the exchange has ended");
    const call = openCall(pools, request);
    const onAbort = () => call.giveUp("aborted");
    const cancel = startTimer(timeoutMs, () => call.giveUp("timeout"));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await call.answer;
    } finally {
      cancel();
      signal.removeEventListener("abort", onAbort);
    }
  };
}

interface Call {
  answer: Promise<TokenAnswer>;
  /** Ends the call at once, also while it connects. */
  giveUp: (kind: "aborted" | "timeout") => void;
}

function openCall(pools: Pick<Pools, "get">, request: TokenRequest): Call {
  let giveUp: Call["giveUp"] = () => {};
  const answer = new Promise<TokenAnswer>((resolve, reject) => {
    const opening = {
      resolve: (opened: UpstreamAnswer) => void readWhole(opened, request.maxBytes).then(resolve, reject),
      reject,
    };
    const exchange = new UpstreamAnswer(opening);
    giveUp = (kind) => {
      exchange.abort(kind);
      reject(new DialError(kind, "the call was given up"));
    };
    dispatch(pools, request, exchange);
  });
  return { answer, giveUp };
}

async function readWhole(opened: UpstreamAnswer, maxBytes: number): Promise<TokenAnswer> {
  const body = await opened.text(maxBytes);
  return { status: opened.status, headers: textHeaders(opened.headers), body };
}

/** Throws: DialError when the address is refused. */
function dispatch(pools: Pick<Pools, "get">, request: TokenRequest, answer: UpstreamAnswer): void {
  const { url, reach, method, headers, body, timeoutMs } = request;
  const target = {
    id: `token endpoint ${reach} ${url.origin}`,
    origin: url.origin,
    connectMs: CONNECT_MS,
    proxy: null,
    ca: null,
    guarded: reach === "public",
    direct: reach === "machine",
  };
  const path = url.pathname + url.search;
  const times = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const call = { origin: url.origin, path, method, headers, body, ...times, call: answer };
  try {
    pools.get(target).dispatch(call, answer);
  } catch (error) {
    throw new DialError("connect", error);
  }
}

function textHeaders(headers: UpstreamAnswer["headers"]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") texts[name] = value;
  return texts;
}
