import { embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import type { ModelKind, NodeProtocol } from "@/lib/protocols/protocol";
import { isStreamType } from "@/lib/protocols/wire/frame-reader";
import type { CallableNode } from "@/lib/upstream/call-node";
import { nodeSecrets } from "@/lib/upstream/node-secrets";
import type { Pools } from "@/lib/upstream/pools";
import { type AccessReport, accessReport, askToken } from "./access-report";
import { type Exchange, exchange, kindByName } from "./node-exchange";
import { listNodeModels, type NodeModels } from "./node-models";
import { answerOf, type SmallRequest, smallRequest } from "./small-request";

const MAX_ANSWER_BYTES = 1024 * 1024;

/** The result of one small test request to a node. */
export interface NodeTestResult extends Exchange {
  ok: boolean;
  upstreamModel: string;
  /** The kind of request that was sent. */
  kind: ModelKind;
  /** The node was asked for a stream, because it gave no whole answer, or it sent one unasked. */
  streamed: boolean;
  /** The beginning of the answer; null without one. */
  sample: string | null;
  /** The number of dimensions of the embedding; null for any other answer. */
  dimensions: number | null;
}

/** What a test asks a model for. */
export interface TestOf {
  upstreamModel: string;
  /** Null: derived from the model's entry in the node's list, else from its name. */
  kind: ModelKind | null;
  provenanceKey: string;
}

/** The result of testing a node that is not saved. */
export interface DraftTest extends NodeModels {
  /** Null: the node is called with a key, or with nothing. */
  access: AccessReport | null;
  reachable: boolean;
  /** Whether the node accepts the key; null: not known, because it answers without a key too. */
  authenticated: boolean | null;
  /** Null: no model was named, or the node is not reachable. */
  test: NodeTestResult | null;
}

/** Problems with which a node that supports only streams may answer a request for a whole answer. */
const mayWantStream: ReadonlySet<Exchange["problem"]> = new Set(["refused", "server", "broken", "timeout"]);

/** Time limits of a test: for a whole answer before a stream is tried, and in total. Units: milliseconds. */
const testTimes = { wholeMs: 20_000, totalMs: 30_000 };

/**
 * Sends a small test request to a node; it does not count for limits, billing or health. A node that gives no whole
 * answer is asked once more for a stream, in the time that is left. Source: docs/contract.md#node-tests.
 */
export async function testNode(
  pools: Pools,
  node: CallableNode,
  asked: TestOf,
  { wholeMs, totalMs } = testTimes,
): Promise<NodeTestResult> {
  const start = performance.now();
  const kind = asked.kind ?? guessedKind(node.protocol, asked.upstreamModel);
  if (kind === "embedding")
    return testOnce(pools, node, { ...asked, kind, stream: false, withinMs: totalMs });
  const whole = await testOnce(pools, node, { ...asked, kind, stream: false, withinMs: wholeMs });
  const leftMs = Math.floor(totalMs - (performance.now() - start));
  if (!mayWantStream.has(whole.problem) || leftMs <= 0) return whole;
  const streamed = await testOnce(pools, node, { ...asked, kind, stream: true, withinMs: leftMs });
  return streamed.ok ? streamed : whole;
}

async function testOnce(pools: Pools, node: CallableNode, asked: SmallRequest): Promise<NodeTestResult> {
  const { upstreamModel, kind, stream } = asked;
  const { bytes, contentType, ...received } = await exchange(
    pools,
    node,
    smallRequest(node, asked),
    MAX_ANSWER_BYTES,
  );
  const result = { upstreamModel, kind, ...received, streamed: stream || isStreamType(contentType) };
  if (received.problem !== null) return { ok: false, ...result, sample: null, dimensions: null };
  const secrets = nodeSecrets(node, pools.outboundProxy.all);
  const { isAnswer, ...shown } = answerOf({ bytes, contentType, kind }, node, secrets);
  return { ok: isAnswer, ...result, problem: isAnswer ? null : "broken", ...shown };
}

/** The kind that the name of an upstream model suggests, if the protocol supports it. */
export function guessedKind(protocol: NodeProtocol, upstreamModel: string): ModelKind {
  return embeddingNodes[protocol] === null ? "generation" : kindByName(upstreamModel);
}

/** Tests a node that is not saved: lists its models and, with a model, asks for a few tokens. */
export async function testDraft(pools: Pools, node: CallableNode, asked: TestOf | null): Promise<DraftTest> {
  try {
    const token = await askToken(node);
    const list = await listNodeModels(pools, node);
    const reachable = list.status !== null;
    const listed = list.models.find(({ id }) => id === asked?.upstreamModel);
    const test =
      reachable && asked !== null
        ? await testNode(pools, node, { ...asked, kind: asked.kind ?? listed?.kind ?? null })
        : null;
    const authenticated = await takesKey(pools, node, list, test);
    const access = token === null ? null : accessReport(token, [list, test]);
    return { ...list, reachable, authenticated, access, test };
  } finally {
    pools.forget(node.id);
  }
}

/** A list that the node also gives without the key does not prove that the key is valid. */
async function takesKey(
  pools: Pools,
  node: CallableNode,
  list: NodeModels,
  test: NodeTestResult | null,
): Promise<boolean | null> {
  const isOpen = node.apiKey === null && node.access === null;
  if (test?.ok) return isOpen ? null : true;
  if (list.problem === "credential" || test?.problem === "credential") return false;
  if (list.problem !== null || isOpen) return null;
  const { problem } = await listNodeModels(pools, { ...node, apiKey: null, access: null });
  return problem === "credential" || problem === "forbidden" ? true : null;
}
