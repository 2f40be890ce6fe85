import { parseJson } from "@/lib/kernel/json";
import { prepareRequest } from "@/lib/protocols/conversion";
import type { LiteralSecrets } from "@/lib/protocols/failures/literal-secrets";
import { sanitise } from "@/lib/protocols/failures/sanitise";
import { profileFor } from "@/lib/protocols/profiles/families";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { protocols } from "@/lib/protocols/registry";
import { type CallableNode, callNode } from "@/lib/upstream/call-node";
import { nodeSecrets } from "@/lib/upstream/node-secrets";
import type { Pools } from "@/lib/upstream/pools";
import { DialError } from "@/lib/upstream/upstream-answer";

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_WAIT_MS = 30_000;
const MAX_TOKENS = 16;
const SHOWN = 500;
const SAMPLE = 120;

/** The result of one small test request to a node, without its secrets. Units: milliseconds. */
export interface NodeTestResult {
  ok: boolean;
  upstreamModel: string;
  /** Null: no response. */
  status: number | null;
  headersMs: number | null;
  totalMs: number;
  /** The beginning of the answer; null without one. */
  sample: string | null;
  /** The error message, or null. */
  error: string | null;
}

/** Sends a small test request to a node; it does not count for limits, billing or health. */
export async function testNode(
  pools: Pools,
  node: CallableNode,
  upstreamModel: string,
  provenanceKey: string,
): Promise<NodeTestResult> {
  const start = performance.now();
  const elapsed = () => Math.round(performance.now() - start);
  const base = { upstreamModel, status: null, headersMs: null, sample: null };
  const secrets = nodeSecrets(node, pools.outboundProxy);
  const clean = (words: string) =>
    sanitise(words, { alias: upstreamModel, upstreamModel, secrets }).slice(0, SHOWN);
  try {
    const answer = await callNode(pools, node, requestFor(node, upstreamModel, provenanceKey));
    const headersMs = elapsed();
    const text = await answer.text(MAX_ANSWER_BYTES);
    const { status } = answer;
    const ok = status === 200;
    const error = ok ? null : clean(protocols[node.protocol].readFailure(status, text).message);
    const sample = ok ? sampleOf(text, node, secrets) : null;
    return { ok, upstreamModel, status, headersMs, totalMs: elapsed(), sample, error };
  } catch (error) {
    if (!(error instanceof DialError)) throw error;
    return { ...base, ok: false, totalMs: elapsed(), error: clean(`${error.kind}: ${error.message}`) };
  }
}

function requestFor(node: CallableNode, upstreamModel: string, provenanceKey: string) {
  const body = {
    model: upstreamModel,
    max_tokens: MAX_TOKENS,
    messages: [{ role: "user", content: "Say OK." }],
  };
  const prepared = prepareRequest(body, {
    client: protocols.chat,
    upstream: protocols[node.protocol],
    headers: {},
    alias: upstreamModel,
    upstreamModel,
    profile: profileFor(upstreamModel, node.protocol, {}, providerOf(node).facts),
    compatibility: "lenient",
    defaultMaxTokens: MAX_TOKENS,
    affordableOutput: MAX_TOKENS,
    contextLeft: MAX_TOKENS,
    maxOutputTokens: null,
    version: "2023-06-01",
    perCall: {},
    provenanceKey,
    openReasoning: () => null,
  });
  return {
    path: protocols[node.protocol].node.path,
    body: JSON.stringify(prepared.body),
    headers: prepared.headers,
    stream: false,
    signal: AbortSignal.timeout(MAX_WAIT_MS),
    headersWithinMs: MAX_WAIT_MS,
  };
}

/** The beginning of the answer: its text, or its reasoning when that used all tokens. */
function sampleOf(body: string, node: CallableNode, secrets: LiteralSecrets): string | null {
  const events = protocols[node.protocol].decodeWhole(parseJson(body), { id: "test" });
  const textOf = (type: "text" | "reasoning") =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
  const words = (textOf("text") || textOf("reasoning")).trim();
  return words === "" ? null : secrets.strike(words.slice(0, SHOWN)).slice(0, SAMPLE);
}
