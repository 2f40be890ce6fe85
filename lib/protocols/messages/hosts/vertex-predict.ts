import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { NodeApi } from "@/lib/protocols/adapters/node-api";
import type { Rendered } from "@/lib/protocols/adapters/rendered";
import { readVertexFailure } from "@/lib/protocols/failures/vertex-failure";
import { messagesDirect } from "../direct/adapter";
import { messagesNode } from "../node/adapter";
import { messagesApi, messagesCount } from "../node/api";

const VERSION = "vertex-2023-10-16";

const api: NodeApi = {
  ...messagesApi,
  generation: ({ model, stream }) => modelPath(model, stream ? "streamRawPredict" : "rawPredict"),
  tokenCount: {
    ...messagesCount,
    path: () => modelPath("count-tokens", "rawPredict"),
    body: (generation, model) => ({
      ...messagesCount.body(generation, model),
      model: model.replace(/@(?:default|latest)$/, ""),
    }),
  },
  models: null,
  credential: "authorization",
  headers: {},
};

/** Claude on Vertex AI: the body of Messages under a path of Google. Source: docs/clouds.md#forms. */
export const vertexPredict: NodeAdapter = {
  ...messagesNode,
  direct: messagesDirect,
  api,
  forHost,
  readFailure: readVertexFailure,
};

function modelPath(model: string, method: string): string {
  const name = encodeURIComponent(model.toWellFormed()).replaceAll("%40", "@");
  return `/publishers/anthropic/models/${name}:${method}`;
}

/** The path says the model, the body the version; beta flags stay a header. */
function forHost(rendered: Rendered): Rendered {
  const { model: _model, ...body } = rendered.body;
  const { "anthropic-version": _version, ...headers } = rendered.headers;
  return { ...rendered, body: { ...body, anthropic_version: VERSION }, headers };
}
