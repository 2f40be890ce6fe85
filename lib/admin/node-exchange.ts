import { certificateTrouble } from "@/lib/config/certificate-trouble";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { statusOfAwsType } from "@/lib/protocols/failures/aws-error-type";
import type { LiteralSecrets } from "@/lib/protocols/failures/literal-secrets";
import { sanitise } from "@/lib/protocols/failures/sanitise";
import type { ModelKind } from "@/lib/protocols/protocol";
import { nodeAdapterOf } from "@/lib/protocols/registry";
import { type CallableNode, callNode, type NodeRequest } from "@/lib/upstream/call-node";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import { awsErrorType } from "@/lib/upstream/credentials/vendor-refusal";
import { nodeSecrets } from "@/lib/upstream/node-secrets";
import type { Pools } from "@/lib/upstream/pools";
import { readBytes } from "@/lib/upstream/read-bytes";
import { DialError } from "@/lib/upstream/upstream-answer";
import { hintOfRefusal, type NodeHint } from "./node-hint";

const SHOWN = 500;
const MAX_ID = 256;
const MAX_NAME = 120;
const MAX_WINDOW = 2_000_000_000;

/** Why a node did not do what it was asked for, as far as it can be derived from its answer or a missing answer. */
type NodeProblem =
  | "address"
  | "unreachable"
  | "closed"
  | "private"
  | "certificate"
  | "timeout"
  | "credential"
  | "forbidden"
  | "credit"
  | "limited"
  | "missing"
  | "page"
  | "redirect"
  | "server"
  | "refused"
  | "broken";

/** The result of one exchange with a node, without the node's secrets. Units: milliseconds. */
export interface Exchange {
  /** Null: the node answered as expected. */
  problem: NodeProblem | null;
  /** Null: no response. */
  status: number | null;
  headersMs: number | null;
  totalMs: number;
  /** The error message, or null. */
  error: string | null;
  /** What an admin may have to change; null: nothing tells it. */
  hint: NodeHint | null;
}

/** An exchange with the body of its answer as it came, and what the answer says that this is; empty without one. */
export interface Exchanged extends Exchange {
  bytes: Buffer;
  contentType: string;
}

/** One exchange with a node. */
export async function exchange(
  pools: Pools,
  node: CallableNode,
  request: NodeRequest,
  maxBytes: number,
): Promise<Exchanged> {
  const start = performance.now();
  const elapsed = () => Math.round(performance.now() - start);
  const clean = (words: string) =>
    sanitise(words, {
      alias: "",
      upstreamModel: "",
      secrets: nodeSecrets(node, pools.outboundProxy.all),
    }).slice(0, SHOWN);
  let status: number | null = null;
  let headersMs: number | null = null;
  try {
    const answer = await callNode(pools, node, request);
    status = answer.status;
    headersMs = elapsed();
    const bytes = await readBytes(answer, maxBytes);
    const text = bytes.toString();
    const failure = nodeAdapterOf(node).readFailure(status, text);
    const type = awsErrorType(answer.headers) ?? failure.type;
    const isWrongPage = isPage(text) && (status === 200 || status === 404);
    const problem = isWrongPage ? "page" : problemOfStatus(statusOf(status, type));
    const words = isWrongPage ? text : failure.message;
    const error = problem && clean(words);
    const contentType = String(answer.headers["content-type"] ?? "");
    const hint = problem && hintOfRefusal(node, status, failure);
    return { problem, status, headersMs, totalMs: elapsed(), error, hint, bytes, contentType };
  } catch (failure) {
    const empty = { hint: null, bytes: Buffer.alloc(0), contentType: "" };
    const ended = { status, headersMs, totalMs: elapsed(), ...empty };
    if (failure instanceof CredentialError)
      return { problem: "credential", error: failure.message, ...ended };
    if (!(failure instanceof DialError)) throw failure;
    const error = clean(certificateTrouble(codeOf(failure.cause)) ?? failure.message);
    const proxied = node.proxy !== null || (!node.direct && pools.outboundProxy.for(node.baseUrl) !== null);
    return { problem: problemOfDial(failure, proxied), error, ...ended };
  }
}

const problemsOfStatus: Readonly<Record<number, NodeProblem>> = {
  401: "credential",
  402: "credit",
  403: "forbidden",
  404: "missing",
  405: "missing",
  410: "missing",
  429: "limited",
  501: "missing",
};

/** The status whose meaning a refusal has: that of its type at AWS, but "forbidden" stays that. */
function statusOf(status: number, type: string | null): number {
  const meant = status === 200 ? null : statusOfAwsType(type);
  return meant === null || (status === 403 && meant === 404) ? status : meant;
}

function problemOfStatus(status: number): NodeProblem | null {
  if (status === 200) return null;
  const own = problemsOfStatus[status];
  if (own !== undefined) return own;
  if (status >= 500) return "server";
  if (status >= 400) return "refused";
  return status >= 300 ? "redirect" : "broken";
}

/** True for HTML, which no API sends. */
function isPage(text: string): boolean {
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(text);
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

/** Why a call got no answer. With a proxy, the wrong address may be the proxy's. */
export function problemOfDial({ kind, cause }: DialError, proxied: boolean): NodeProblem {
  // Only the time limit aborts such a call.
  if (kind === "timeout" || kind === "aborted") return "timeout";
  if (kind === "broken") return "broken";
  const code = codeOf(cause);
  if (code === "EPRIVATEADDRESS") return "private";
  if (!proxied && (code === "ENOTFOUND" || code === "EAI_AGAIN")) return "address";
  if (!proxied && code === "ECONNREFUSED") return "closed";
  return certificateTrouble(code) === null ? "unreachable" : "certificate";
}

/** One model of a node's own list. */
export interface ListedModel {
  id: string;
  name: string | null;
  kind: ModelKind;
  /** Null: the list does not contain it. Units: tokens. */
  contextWindow: number | null;
}

/** The entries of a page of a list of models; null for anything else. Some providers send the bare array. */
export function entriesOf(body: unknown): readonly unknown[] | null {
  const list = isObject(body) ? (body.data ?? body.models) : body;
  return Array.isArray(list) ? list : null;
}

/** Fields in which providers report the context window. */
const windowFields = [
  "context_length",
  "context_window",
  "max_context_length",
  "max_model_len",
  "max_input_tokens",
  "inputTokenLimit",
];

/** An entry of a list as it may be shown; null for one without a usable id. */
export function listedModel(entry: unknown, secrets: LiteralSecrets): ListedModel | null {
  if (!isObject(entry)) return null;
  const id = typeof entry.id === "string" ? entry.id : withoutPrefix(entry.name);
  if (typeof id !== "string" || !/^[^\p{C}\s]+$/u.test(id) || [...id].length > MAX_ID) return null;
  if (secrets.strike(id) !== id) return null;
  const named = [entry.display_name, entry.displayName, entry.name].find(
    (name) => typeof name === "string" && name !== id,
  );
  const name = typeof named === "string" ? plainName(secrets.strike(named.slice(0, SHOWN))) : "";
  const contextWindow = windowFields.map((field) => entry[field]).find(isWindow) ?? null;
  const kind = entry.type === "embedding" || onlyEmbeds(entry) ? "embedding" : kindByName(id);
  return { id, name: name === "" ? null : name, kind, contextWindow };
}

/** Google's lists name a model by its path. */
function withoutPrefix(name: unknown): unknown {
  return typeof name === "string" ? name.replace(/^models\//, "") : name;
}

/** True for a model of Google's lists that makes embeddings and no answers. */
function onlyEmbeds({ supportedGenerationMethods: methods }: JsonObject): boolean {
  return Array.isArray(methods) && methods.includes("embedContent") && !methods.includes("generateContent");
}

/** The kind of a model by its name: most models that make embeddings have one of these words in it. */
export function kindByName(upstreamModel: string): ModelKind {
  return /embed|\b(bge|gte|e5)-/i.test(upstreamModel) ? "embedding" : "generation";
}

function plainName(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME);
}

function isWindow(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_WINDOW;
}
