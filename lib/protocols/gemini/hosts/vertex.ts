import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import { readVertexFailure } from "@/lib/protocols/failures/vertex-failure";
import { count } from "@/lib/protocols/generation/counts";
import { geminiDirect } from "../direct/adapter";
import { geminiNode } from "../node/adapter";
import { geminiApi, modelPath } from "../node/api";

const PUBLISHER = "/publishers/google";

/** Gemini on Vertex AI: its models belong to a publisher, counts have the request itself. Source: docs/gemini.md#nodes. */
export const vertexGemini: NodeAdapter = {
  ...geminiNode,
  direct: geminiDirect,
  api: {
    ...geminiApi,
    generation: (asked) => PUBLISHER + geminiApi.generation(asked),
    tokenCount: {
      path: (model) => PUBLISHER + modelPath(model, "countTokens"),
      body: ({ generationConfig: _config, toolConfig: _toolConfig, ...counted }) => counted,
      read: ({ totalTokens }) => count(totalTokens),
    },
    models: null,
  },
  readFailure: readVertexFailure,
};
