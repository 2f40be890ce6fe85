import { z } from "zod";
import { geminiRequest } from "@/lib/protocols/gemini/client/schema";
import { clientPaths } from "@/lib/protocols/protocol";
import type { ApiOperation } from "./operation";

const whole = z.int().min(0);

/** The body of a call; the path says the rest. */
export const geminiBody = geminiRequest.omit({ model: true, stream: true });

/** A whole answer. Source: docs/gemini.md#answer. */
export const geminiAnswer = z.looseObject({
  candidates: z.array(
    z.looseObject({
      content: z.looseObject({ role: z.string(), parts: z.array(z.looseObject({})) }),
      finishReason: z.string(),
      index: whole,
    }),
  ),
  usageMetadata: z.looseObject({
    promptTokenCount: whole,
    candidatesTokenCount: whole,
    totalTokenCount: whole,
  }),
  modelVersion: z.string(),
  responseId: z.string(),
});

/** An example of a whole answer. */
export const geminiExample = {
  candidates: [{ content: { parts: [{ text: "Hello!" }], role: "model" }, finishReason: "STOP", index: 0 }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
  modelVersion: "demo-chat",
  responseId: "019aa3f2c1d87e4b9f0a6c5d4e3b2a10",
};

const content = z.looseObject({ parts: z.array(z.looseObject({ text: z.string() })).min(1) });
const vector = z.object({ values: z.array(z.number()) });
const model = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  supportedGenerationMethods: z.array(z.string()),
});

const own = { tag: "Model API", caller: "key" } as const;
const generation = clientPaths.gemini;
const pathOf = (method: string) => generation.replace(":generateContent", `:${method}`) as `/${string}`;
const hello = { parts: [{ text: "Say hello." }] };
const modelErrors = [
  "INVALID_REQUEST",
  "FORBIDDEN",
  "MODEL_NOT_FOUND",
  "RATE_LIMITED",
  "NO_AVAILABLE_NODE",
] as const;
const billedErrors = [
  ...modelErrors,
  "QUOTA_EXCEEDED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "UPSTREAM_ERROR",
] as const;

const listQuery = z.object({
  pageSize: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional()
    .describe("At most this many, up to 1000; 50 without it"),
  pageToken: z.string().optional().describe("`nextPageToken` of the page before"),
});

/** What a Gemini client calls besides the generation. Source: docs/gemini.md#paths. */
export const geminiOperations: ApiOperation[] = [
  {
    ...own,
    method: "post",
    path: pathOf("streamGenerateContent"),
    id: "streamGenerateContent",
    summary: "Stream an answer, in the Gemini protocol",
    description:
      "With `?alt=sse` server-sent events of one `data` line each, else one JSON array. A broken stream is an `error` and a reset connection.",
    body: { schema: geminiBody, example: { contents: [{ role: "user", ...hello }] } },
    success: {
      status: 200,
      description: "Chunks of the answer, of the same form as the whole one",
      schema: z.array(z.looseObject({})),
      other: { mediaType: "text/event-stream", description: "chunks" },
    },
    errors: billedErrors,
  },
  {
    ...own,
    method: "post",
    path: pathOf("countTokens"),
    id: "countGeminiTokens",
    summary: "Count the tokens of contents",
    description: "Not billed; 60 a minute per key. Takes `contents`, or a whole `generateContentRequest`.",
    body: { schema: geminiBody, example: { contents: [{ role: "user", ...hello }] } },
    success: {
      status: 200,
      description: "The count",
      schema: z.object({ totalTokens: whole }),
      example: { totalTokens: 10 },
    },
    errors: modelErrors,
  },
  {
    ...own,
    method: "post",
    path: pathOf("embedContent"),
    id: "embedContent",
    summary: "Embed one content",
    description: "For aliases of kind `embedding`.",
    body: {
      schema: z.looseObject({ content, outputDimensionality: z.int().min(1).optional() }),
      example: { content: hello },
    },
    success: {
      status: 200,
      description: "The vector",
      schema: z.object({ embedding: vector }),
      example: { embedding: { values: [0.1, -0.2] } },
    },
    errors: billedErrors,
  },
  {
    ...own,
    method: "post",
    path: pathOf("batchEmbedContents"),
    id: "batchEmbedContents",
    summary: "Embed up to 100 contents",
    description: "For aliases of kind `embedding`.",
    body: {
      schema: z.looseObject({ requests: z.array(z.looseObject({ content })).min(1).max(100) }),
      example: { requests: [{ content: hello }] },
    },
    success: {
      status: 200,
      description: "The vectors, in the order of the contents",
      schema: z.object({ embeddings: z.array(vector) }),
      example: { embeddings: [{ values: [0.1, -0.2] }] },
    },
    errors: billedErrors,
  },
  {
    ...own,
    method: "get",
    path: "/v1beta/models",
    id: "listGeminiModels",
    summary: "List the models of the key, in Google's form",
    description:
      "`GET /v1/models` answers like this to calls with `x-goog-api-key`, `x-goog-api-client` or `?key=`.",
    query: listQuery,
    success: {
      status: 200,
      description: "A page of models",
      schema: z.object({ models: z.array(model), nextPageToken: z.string().optional() }),
      example: {
        models: [
          {
            name: "models/demo-chat",
            displayName: "Demo chat",
            supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
          },
        ],
      },
    },
    errors: ["INVALID_REQUEST", "NO_AVAILABLE_NODE"],
  },
  {
    ...own,
    method: "get",
    path: "/v1beta/models/{model}",
    id: "getGeminiModel",
    summary: "Show a model, in Google's form",
    success: { status: 200, description: "The model", schema: model },
    errors: ["MODEL_NOT_FOUND", "NO_AVAILABLE_NODE"],
  },
];
