import type { JsonObject } from "@/lib/kernel/json-object";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import type { GeminiRequest } from "@/lib/protocols/gemini/client/schema";
import { standIn } from "@/lib/protocols/gemini/node/stand-in";
import { Losses } from "@/lib/protocols/generation/losses";
import { outputLimit } from "@/lib/protocols/passes/rendering";
import { keepModalities } from "./keep-modalities";
import { patchContents } from "./patch-contents";
import { keepGeminiTools } from "./patch-tools";

const sameNames: ReadonlyMap<string, string> = new Map();
const noTools: ReadonlySet<string> = new Set();

/**
 * A Gemini request for a Gemini node: the client's own body with the changes that this node needs. Throws:
 * INVALID_REQUEST for what this node cannot express. Source: docs/gemini.md#to-nodes.
 */
export function patchGemini(received: JsonObject, target: Target): Rendered {
  const request = received as GeminiRequest; // the body has passed the schema
  const losses = new Losses();
  const { model: _model, stream: asked, ...own } = request;
  const body: JsonObject = { ...own };
  const stream = asked === true;
  const config = request.generationConfig ?? {};
  const choices = config.candidateCount ?? 1;
  const limit = outputLimit(config.maxOutputTokens, target, losses, { choices, longAnswers: false });
  body.generationConfig = keepModalities({ ...config, maxOutputTokens: limit }, target, losses);
  const offeredCalls = keepGeminiTools(body, request, target, losses);
  const contents = patchContents(request.contents, target, losses);
  if (target.profile.signedCalls && standIn(contents)) losses.add("signature:dummy");
  body.contents = contents;
  const rendered: Rendered = {
    body,
    headers: {},
    losses: losses.list(),
    stream,
    clientStream: stream,
    choices,
    maxTokens: limit * choices,
    limitChosen: config.maxOutputTokens == null,
    toolNames: sameNames,
    wrappedTools: noTools,
    hideReasoning: false,
    singleToolCall: false,
  };
  if (offeredCalls !== undefined) rendered.offeredCalls = offeredCalls;
  return rendered;
}
