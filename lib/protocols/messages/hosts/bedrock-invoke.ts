import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { NodeApi } from "@/lib/protocols/adapters/node-api";
import type { Rendered } from "@/lib/protocols/adapters/rendered";
import { count } from "@/lib/protocols/generation/counts";
import { Losses } from "@/lib/protocols/generation/losses";
import { withoutGeography } from "@/lib/protocols/profiles/model-name";
import { messagesDirect } from "../direct/adapter";
import { messagesNode } from "../node/adapter";
import { messagesApi } from "../node/api";
import { withoutScopes } from "../node/cache-control";
import { bedrockBetas } from "./bedrock-betas";
import { bedrockModels } from "./bedrock-models";

/** Members of a body that InvokeModel refuses although the vendor's own API takes them. */
const refused = ["container", "fallbacks", "inference_geo", "mcp_servers", "service_tier", "speed"];

const api: NodeApi = {
  ...messagesApi,
  generation: ({ model, stream }) => `${modelPath(model)}/invoke${stream ? "-with-response-stream" : ""}`,
  tokenCount: {
    path: (model) => `${modelPath(withoutGeography(model))}/count-tokens`,
    body: (generation) => ({
      input: { invokeModel: { body: Buffer.from(printJson(withLimit(generation))).toString("base64") } },
    }),
    read: ({ inputTokens }) => count(inputTokens),
  },
  models: bedrockModels,
  credential: "authorization",
  headers: {},
};

/** Claude by InvokeModel: the body of Messages under a path of Bedrock. Source: docs/clouds.md#forms. */
export const bedrockInvoke: NodeAdapter = { ...messagesNode, direct: messagesDirect, api, forHost };

function modelPath(model: string): string {
  return `/model/${encodeURIComponent(model.toWellFormed())}`;
}

/** The path says the model and whether to stream, the body the version and the beta flags. */
function forHost(rendered: Rendered): Rendered {
  const losses = new Losses(rendered.losses);
  const { model: _model, stream: _stream, ...members } = rendered.body;
  for (const name of refused) {
    if (members[name] === undefined) continue;
    delete members[name];
    losses.dropped(name);
  }
  const { kept, dropped } = bedrockBetas(rendered.headers["anthropic-beta"]);
  for (const flag of dropped) losses.dropped(`anthropic-beta.${flag}`);
  const body: JsonObject = { ...withoutScopes(members, losses), anthropic_version: "bedrock-2023-05-31" };
  if (kept.length > 0) body.anthropic_beta = kept;
  return { ...rendered, body, headers: headersOf(rendered), losses: losses.list() };
}

function headersOf({ headers }: Rendered): Record<string, string> {
  const { "anthropic-version": _version, "anthropic-beta": _beta, ...others } = headers;
  return { ...others, accept: "application/json" };
}

/** The body with an output limit, without which InvokeModel counts nothing. */
function withLimit(body: JsonObject): JsonObject {
  if (body.max_tokens !== undefined) return body;
  const budget = isObject(body.thinking) ? count(body.thinking.budget_tokens) : undefined;
  return { ...body, max_tokens: (budget ?? 0) + 1 };
}
