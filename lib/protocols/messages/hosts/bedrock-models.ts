import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ModelList } from "@/lib/protocols/adapters/node-api";

const PROFILES = "/inference-profiles?maxResults=1000";
const runtime = /^bedrock-runtime(-fips)?(\.[a-z0-9-]+\.(?:amazonaws\.com(?:\.cn)?|api\.aws))$/;

/**
 * The models and inference profiles of Bedrock's control plane, which is another host; an interface endpoint of a private
 * network does not tell it. Source: docs/clouds.md#forms.
 */
export const bedrockModels: ModelList = {
  path: "/foundation-models?byProvider=anthropic",
  next: (page) => {
    if (!isObject(page)) return null;
    if (Array.isArray(page.modelSummaries)) return PROFILES;
    const { nextToken } = page;
    if (typeof nextToken !== "string" || nextToken === "") return null;
    return `${PROFILES}&nextToken=${encodeURIComponent(nextToken.toWellFormed())}`;
  },
  entries: (page) => {
    if (!isObject(page)) return null;
    const list = page.modelSummaries ?? page.inferenceProfileSummaries;
    return Array.isArray(list) ? list.filter(isObject).flatMap(entryOf) : null;
  },
  baseUrl: ({ hostname, port }) => {
    const [, fips = "", rest] = runtime.exec(hostname) ?? [];
    return rest === undefined || port !== "" ? null : `https://bedrock${fips}${rest}`;
  },
};

/** An entry with the id that calls name; none for a model that is called by its profiles only. */
function entryOf(entry: JsonObject): JsonObject[] {
  const { modelId, modelName, inferenceTypesSupported: types } = entry;
  if (typeof modelId === "string") {
    const isCalled = !Array.isArray(types) || types.includes("ON_DEMAND");
    return isCalled ? [{ id: modelId, display_name: modelName }] : [];
  }
  if (!servesClaude(entry)) return [];
  const id = entry.type === "APPLICATION" ? entry.inferenceProfileArn : entry.inferenceProfileId;
  return [{ id, display_name: entry.inferenceProfileName }];
}

function servesClaude({ inferenceProfileId, models }: JsonObject): boolean {
  const arns = Array.isArray(models) ? models.map((model) => (isObject(model) ? model.modelArn : null)) : [];
  return [inferenceProfileId, ...arns].some(
    (name) => typeof name === "string" && name.includes("anthropic."),
  );
}
