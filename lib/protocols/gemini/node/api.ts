import { isObject } from "@/lib/kernel/json-object";
import type { NodeApi } from "@/lib/protocols/adapters/node-api";
import { count } from "@/lib/protocols/generation/counts";

const FIRST_MODELS = "/models?pageSize=1000";

/** The path of a model below the version; a name with a slash is a resource, such as `tunedModels/x`. */
export function modelPath(model: string, method: string): string {
  const name = model.toWellFormed().replace(/^models\//, "");
  const path = name.split("/").map(encodeURIComponent).join("/");
  return `${name.includes("/") ? "" : "/models"}/${path}:${method}`;
}

/**
 * The endpoints of Gemini nodes. The base URL includes the version; at Vertex it ends in `/publishers/google`.
 * Source: docs/gemini.md#nodes.
 */
export const geminiApi: NodeApi = {
  generation: ({ model, stream }) =>
    modelPath(model, stream ? "streamGenerateContent?alt=sse" : "generateContent"),
  tokenCount: {
    path: (model) => modelPath(model, "countTokens"),
    body: (generation, model) => ({
      generateContentRequest: { ...generation, model: `models/${model.replace(/^models\//, "")}` },
    }),
    read: ({ totalTokens }) => count(totalTokens),
  },
  models: { path: FIRST_MODELS, next: nextModels },
  credential: "x-goog-api-key",
  headers: {},
  portableReasoning: /gemini/i,
  reasoningIsSummary: true,
};

function nextModels(page: unknown): string | null {
  if (!isObject(page) || typeof page.nextPageToken !== "string" || page.nextPageToken === "") return null;
  return `${FIRST_MODELS}&pageToken=${encodeURIComponent(page.nextPageToken.toWellFormed())}`;
}
