import { isIP } from "node:net";
import { isPrivateAddress } from "@/lib/upstream/address-guard";
import { DialError } from "@/lib/upstream/upstream-answer";
import { CredentialError } from "./credential-error";
import type { ExchangeContext } from "./exchange";
import { isMachineHost } from "./machine-host";
import type { TokenAnswer, TokenRequest } from "./send";

const MAX_ANSWER_BYTES = 64 * 1024;
const TIMEOUT_MS = 3_000;

/** A request of an exchange; what is missing has a default. */
export interface ExchangeRequest {
  method: TokenRequest["method"];
  url: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs?: number;
}

const codes: Readonly<Record<DialError["kind"], string>> = {
  connect: "unreachable",
  timeout: "timeout",
  broken: "connection_broken",
  aborted: "timeout",
};

/**
 * Sends a request of an exchange to an address that it may go to, and reads the whole answer. Public hosts are asked by
 * https only; those of the machine only with credentials that need them.
 *
 * Rejects: CredentialError without the cause's text, also for redirects and for answers of more than 64 KiB.
 * Source: docs/clouds.md#failures, #ambient.
 */
export async function sendChecked(context: ExchangeContext, request: ExchangeRequest): Promise<TokenAnswer> {
  if (!URL.canParse(request.url)) throw new CredentialError("address_refused");
  const url = new URL(request.url);
  const answer = await context
    .send({
      method: request.method,
      url,
      headers: request.headers ?? {},
      body: request.body ?? null,
      reach: reachOf(url, context.mayReachMachine),
      timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal: context.signal,
    })
    .catch((error: unknown) => {
      throw new CredentialError(error instanceof DialError ? codes[error.kind] : "unreachable");
    });
  if (answer.status >= 300 && answer.status < 400) throw new CredentialError("redirected");
  if (Buffer.byteLength(answer.body) > MAX_ANSWER_BYTES) throw new CredentialError("answer_too_large");
  return answer;
}

/** Throws: CredentialError for an address that must not be asked. */
function reachOf(url: URL, mayReachMachine: boolean): TokenRequest["reach"] {
  const isMachine = isMachineHost(url.hostname);
  const hasUser = url.username !== "" || url.password !== "";
  if (hasUser || (isMachine && !mayReachMachine)) throw new CredentialError("address_refused");
  if (isMachine) return "machine";
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  const isPrivate = isIP(literal) !== 0 && isPrivateAddress(literal);
  if (url.protocol !== "https:" || isPrivate) throw new CredentialError("address_refused");
  return "public";
}
