import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { Losses } from "@/lib/protocols/generation/losses";
import { protocols } from "@/lib/protocols/registry";
import { inForm } from "./vector-form";
import { vectorEvents } from "./vectors";

/** The most inputs of one call of a node. */
const MAX_INPUTS = 100;

/** The list of numbers of each vector. */
const vectors = /"values"\s*:\s*(\[[-+.,\deE\s]*\])/g;

/**
 * Embeddings of a Gemini node, for requests and answers in the form of `/v1/embeddings`.
 * Source: docs/embeddings.md#gemini.
 */
export const geminiEmbeddings: Pick<ProtocolAdapter, "api" | "direct"> = {
  api: {
    ...protocols.gemini.api,
    generation: ({ model }) =>
      protocols.gemini.api.generation({ model, stream: false }).replace(/\w+$/, "batchEmbedContents"),
  },
  direct: { ...protocols.gemini.direct, patch, passWhole },
};

/** Throws: INVALID_REQUEST for token ids and for more inputs than one call takes. */
function patch(received: JsonObject, target: Target): Rendered {
  const inputs = textsOf(received.input);
  const model = `models/${target.upstreamModel.replace(/^models\//, "")}`;
  const { dimensions } = received;
  const losses = new Losses();
  if (received.user != null) losses.dropped("user");
  const requests = inputs.map((text) => ({
    model,
    content: { parts: [{ text }] },
    ...(dimensions != null && { outputDimensionality: dimensions }),
  }));
  return {
    body: { requests },
    headers: {},
    losses: losses.list(),
    stream: false,
    clientStream: false,
    choices: inputs.length,
    maxTokens: 0,
    limitChosen: false,
    toolNames: new Map(),
    wrappedTools: new Set(),
    hideReasoning: false,
    singleToolCall: false,
  };
}

function textsOf(input: unknown): string[] {
  const inputs: unknown[] = Array.isArray(input) ? input : [input];
  const texts = inputs.filter((text) => typeof text === "string");
  if (texts.length < inputs.length)
    throw invalid("input", "input must be text for this model, not token ids.");
  if (texts.length > MAX_INPUTS)
    throw invalid("input", `input must have at most ${MAX_INPUTS} entries for this model.`);
  return texts;
}

/** The vectors are copied as text: those of a large answer would take long to parse. */
function passWhole(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const data = Array.isArray(body.embeddings) ? body.embeddings.map(entryOf) : undefined;
  const { usageMetadata } = body;
  const prompt_tokens = isObject(usageMetadata) ? usageMetadata.promptTokenCount : undefined;
  const events = vectorEvents({ ...body, data, usage: { prompt_tokens } }, options.choices ?? 1);
  return {
    events,
    wire(usage) {
      const tokens = usage?.inputUncached ?? prompt_tokens ?? 0;
      const entries = [...json.matchAll(vectors)].map(
        ([, list = "[]"], index) => `{"object":"embedding","index":${index},"embedding":${list}}`,
      );
      const told = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens });
      const model = JSON.stringify(options.alias);
      const wire = `{"object":"list","data":[${entries.join(",")}],"model":${model},"usage":${told}}`;
      return inForm(options.request.encoding_format, { data }, wire);
    },
  };
}

function entryOf(entry: unknown): JsonObject {
  return { embedding: isObject(entry) ? entry.values : undefined };
}
