import { z } from "zod";
import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { withModelName } from "@/lib/kernel/model-name";
import type { Decoder } from "@/lib/protocols/adapters/decoder";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import { type ClientProtocol, embeddingsPath, type NodeProtocol } from "@/lib/protocols/protocol";
import { clientAdapters, protocols } from "@/lib/protocols/registry";
import { fromGemini } from "./from-gemini";
import { geminiEmbeddings } from "./gemini-node";
import { toGemini } from "./to-gemini";
import { inForm } from "./vector-form";
import { inputsOf, noEmbeddings, vectorEvents } from "./vectors";

/** The most inputs of one request, as at OpenAI. Source: docs/embeddings.md#request. */
const MAX_INPUTS = 2_048;

const tokenIds = z.array(z.int().min(0)).min(1);

/** The schema of a request; `checkInput` checks the input itself, because its errors name the entry. */
const embeddingsRequest = z.looseObject({
  model: z.string(),
  dimensions: z.int().min(1).nullish(),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  user: z.string().nullish(),
});

/** The body of POST /v1/embeddings in the API reference. */
export const embeddingsBody = embeddingsRequest.extend({
  input: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(1).max(MAX_INPUTS),
    tokenIds,
    z.array(tokenIds).min(1).max(MAX_INPUTS),
  ]),
});

const noTools: ReadonlySet<string> = new Set();

const noNames: ReadonlyMap<string, string> = new Map();

/**
 * Embeddings: one request, one whole answer, no conversion. Errors, limits and failures have the form of chat, because
 * the endpoint belongs to the same API; the other members of that adapter are for streams and other protocols, which do
 * not occur here. Source: docs/embeddings.md#aliases
 */
const embeddingsAdapter: ProtocolAdapter = {
  ...protocols.chat,
  id: "embeddings",
  clientPath: embeddingsPath,
  api: { ...protocols.chat.api, generation: () => "/embeddings" },

  schema: embeddingsRequest,
  countSchema: embeddingsRequest,
  promptFields: { turns: "input", content: ["input"], json: [] },
  isPlain: () => false,
  check: checkInput,
  conversation: () => "",
  ownForm: () => null,
  withoutReasoning: () => null,

  maxWholeBytes: 64 * 1024 * 1024,
  parseWhole: (json) => JSON.parse(json.replace(numberList, "[0]")),
  decodeWhole: () => [noEmbeddings],
  decoder: () => noStream,
  direct: { ...protocols.chat.direct, patch: patchEmbeddings, passWhole: passEmbeddings },
};

/** The client adapter of embeddings for callers of each protocol: the path has one form only, but for Gemini. */
export const embeddingClients: Readonly<Record<ClientProtocol, ProtocolAdapter>> = {
  chat: embeddingsAdapter,
  messages: embeddingsAdapter,
  responses: embeddingsAdapter,
  gemini: {
    ...embeddingsAdapter,
    readPath: (path) => clientAdapters.gemini.readPath?.(path) ?? null,
    ownForm: (body) => fromGemini(clientAdapters.gemini.ownForm?.(body)?.body ?? body),
    wholeForm: toGemini,
  },
};

/** The node adapter of embeddings for each protocol; null: the protocol has no embeddings. */
export const embeddingNodes: Readonly<Record<NodeProtocol, ProtocolAdapter | null>> = {
  chat: embeddingsAdapter,
  messages: null,
  responses: embeddingsAdapter,
  gemini: { ...embeddingsAdapter, ...geminiEmbeddings },
};

/**
 * Lists of numbers are not parsed: those of a large answer would block the process for a second, and nothing here reads
 * them.
 */
const numberList = /\[[-+.,\deE\s]+\]/g;

/** Reports a failure of a node that streams. */
const noStream: Decoder = { finishSeen: false, push: () => [noEmbeddings], end: () => [noEmbeddings] };

function checkInput({ input, stream }: JsonObject): void {
  if (stream != null && stream !== false)
    throw invalid("stream", "stream must be false: embeddings come as a whole.");
  if (typeof input === "string") checkText(input, "input");
  else if (!Array.isArray(input)) throw invalid("input", `input must be ${forms}.`);
  else if (typeof input[0] === "number") checkTokens(input, "input");
  else checkList(input);
}

function checkList(entries: readonly unknown[]): void {
  if (entries.length === 0) throw invalid("input", "input must not be empty.");
  if (entries.length > MAX_INPUTS) throw invalid("input", `input must have at most ${MAX_INPUTS} entries.`);
  const isText = typeof entries[0] === "string";
  if (!isText && !Array.isArray(entries[0])) throw invalid("input[0]", `input must be ${forms}.`);
  for (const [index, entry] of entries.entries()) {
    const param = `input[${index}]`;
    if (isText && typeof entry === "string") checkText(entry, param);
    else if (!isText && Array.isArray(entry)) checkTokens(entry, param);
    else
      throw invalid(
        param,
        `${param} must be ${isText ? "a string" : "a list of token ids"}, as input[0] is.`,
      );
  }
}

const forms = "a string, a list of strings, a list of token ids, or a list of such lists";

function checkText(text: string, param: string): void {
  if (text === "") throw invalid(param, `${param} must not be empty.`);
}

function checkTokens(ids: readonly unknown[], param: string): void {
  if (ids.length === 0) throw invalid(param, `${param} must not be empty.`);
  const wrong = ids.findIndex((id) => !Number.isSafeInteger(id) || Number(id) < 0);
  if (wrong === -1) return;
  throw invalid(`${param}[${wrong}]`, `${param}[${wrong}] must be a token id: a whole number from 0.`);
}

/** The client's own body with the node's model name. `choices`: the number of inputs, each of which gets a vector. */
function patchEmbeddings(received: JsonObject, target: Target): Rendered {
  return {
    body: { ...received, model: target.upstreamModel },
    headers: {},
    losses: [],
    stream: false,
    clientStream: false,
    choices: inputsOf(received.input),
    maxTokens: 0,
    limitChosen: false,
    toolNames: noNames,
    wrappedTools: noTools,
    hideReasoning: false,
    singleToolCall: false,
  };
}

/** Passes on the node's own bytes with another model name; vectors are not changed. */
function passEmbeddings(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  return {
    events: vectorEvents(body, options.choices ?? 1),
    wire: (usage) => inForm(options.request.encoding_format, body, wireOf(json, body, options.alias, usage)),
  };
}

function wireOf(json: string, body: JsonObject, alias: string, usage?: PartialUsage): string {
  const named = withModelName(json, body.model, alias);
  if (named !== null && !usage) return named;
  const tokens = usage?.inputUncached ?? 0;
  const told = { prompt_tokens: tokens, total_tokens: tokens };
  if (named !== null && !("usage" in body))
    return `${named.slice(0, named.lastIndexOf("}"))},"usage":${JSON.stringify(told)}}`;
  return JSON.stringify({ ...JSON.parse(json), model: alias, ...(usage ? { usage: told } : {}) });
}
