import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import { embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import type { LiteralSecrets } from "@/lib/protocols/failures/literal-secrets";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import { providerOf } from "@/lib/protocols/profiles/provider";
import type { ModelKind } from "@/lib/protocols/protocol";
import { clientAdapters, nodeAdapterOf } from "@/lib/protocols/registry";
import { frameReader, isStreamType } from "@/lib/protocols/wire/frame-reader";
import type { CallableNode, NodeRequest } from "@/lib/upstream/call-node";

const MAX_TOKENS = 16;
const BYTES_PER_NUMBER = 4;
/** How many characters of an answer are cleaned, and how many of the cleaned ones are shown. */
const CLEANED = 500;
const SHOWN = 120;

/** The smallest request that an upstream model can answer. Units: milliseconds. */
export interface SmallRequest {
  upstreamModel: string;
  kind: ModelKind;
  stream: boolean;
  /** The time for its whole answer. */
  withinMs: number;
  provenanceKey: string;
}

/** The adapter for requests of this kind to a node. Throws: Error when its protocol has no embeddings. */
function adapterOf(node: CallableNode, kind: ModelKind): NodeAdapter {
  return kind === "generation" ? nodeAdapterOf(node) : embeddingAdapterOf(node);
}

function embeddingAdapterOf({ protocol }: CallableNode): ProtocolAdapter {
  const adapter = embeddingNodes[protocol];
  if (adapter === null) throw new Error(`nodes that speak ${protocol} have no embeddings`);
  return adapter;
}

/** The smallest request for an answer, or for one embedding. */
export function smallRequest(
  node: CallableNode,
  { upstreamModel, kind, stream, withinMs, provenanceKey }: SmallRequest,
): NodeRequest {
  const upstream = adapterOf(node, kind);
  const chatBody = {
    model: upstreamModel,
    max_tokens: MAX_TOKENS,
    messages: [{ role: "user", content: "Say OK." }],
    ...(stream && { stream }),
  };
  const prepared = prepareRequest(kind === "embedding" ? { model: upstreamModel, input: "OK" } : chatBody, {
    client: kind === "embedding" ? embeddingAdapterOf(node) : clientAdapters.chat,
    upstream,
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
    path: upstream.api.generation({ model: upstreamModel, stream }),
    body: JSON.stringify(prepared.body),
    headers: prepared.headers,
    stream,
    signal: AbortSignal.timeout(withinMs),
    headersWithinMs: withinMs,
  };
}

/** The shown part of an answer; `isAnswer` is false for anything else, such as an HTML page. */
export interface ShownAnswer {
  isAnswer: boolean;
  /** The beginning of the text, or of the reasoning when that used all tokens. */
  sample: string | null;
  dimensions: number | null;
}

const noAnswer: ShownAnswer = { isAnswer: false, sample: null, dimensions: null };

/** Reads the answer to a small request, whole or as a stream. */
export function answerOf(
  { bytes, contentType, kind }: { bytes: Buffer; contentType: string; kind: ModelKind },
  node: CallableNode,
  secrets: LiteralSecrets,
): ShownAnswer {
  if (kind === "embedding") return embeddingOf(bytes.toString(), embeddingAdapterOf(node));
  const events = isStreamType(contentType)
    ? streamed(bytes, contentType, node)
    : nodeAdapterOf(node).decodeWhole(parseJson(bytes.toString()), { id: "test" });
  if (events.some(({ type }) => type === "error")) return noAnswer;
  const textOf = (type: "text" | "reasoning") =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
  const words = (textOf("text") || textOf("reasoning")).trim();
  const sample = words === "" ? null : secrets.strike(words.slice(0, CLEANED)).slice(0, SHOWN);
  return { isAnswer: true, sample, dimensions: null };
}

function streamed(bytes: Buffer, contentType: string, node: CallableNode): GenerationEvent[] {
  const reader = frameReader(contentType);
  const decoder = nodeAdapterOf(node).decoder({ id: "test" });
  const frames = [...reader.push(bytes), ...reader.end()];
  const events = frames.flatMap((frame) => decoder.push(frame));
  const { failure } = reader;
  return failure === null ? [...events, ...decoder.end()] : [...events, { type: "error", failure }];
}

function embeddingOf(text: string, adapter: ProtocolAdapter): ShownAnswer {
  const body = parseJson(text);
  if (!isObject(body)) return noAnswer;
  const { events } = adapter.direct.passWhole(text, body, { id: "test", alias: "", request: {} });
  const [first] = Array.isArray(body.data) ? body.data : [];
  if (events.some(({ type }) => type === "error") || !isObject(first)) return noAnswer;
  return { isAnswer: true, sample: null, dimensions: dimensionsOf(first.embedding) };
}

function dimensionsOf(embedding: unknown): number | null {
  if (Array.isArray(embedding)) return embedding.length;
  return typeof embedding === "string" ? Buffer.from(embedding, "base64").length / BYTES_PER_NUMBER : null;
}
