import { type ProvidedNode, type ProviderProblem, providerProblem } from "./profiles/provider";
import { clientPaths, embeddingsPath } from "./protocol";
import { nodeAdapters } from "./registry";

/** Stands for a model in a path; no path has it otherwise. */
const MODEL = "0model0";

/** The paths of generations at nodes. */
const generations = Object.values(nodeAdapters).flatMap(({ api }) =>
  [true, false].map((stream) => api.generation({ model: MODEL, stream }).replace(/\?.*/, "")),
);

/** The ends of base URLs that were copied with the path of an operation, without `/v1`, the longest first. */
const operations = [
  ...Object.values(clientPaths),
  ...generations,
  embeddingsPath,
  "/v1/messages/count_tokens",
  "/v1/completions",
]
  .map((path) => path.replace(/^\/v1(?=\/)/, ""))
  .sort((a, b) => b.length - a.length)
  .map((path) => ({ path: path.replace(MODEL, "{model}"), pattern: patternOf(path) }));

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`${literal.replace(MODEL, "[^/]+")}$`, "i");
}

/**
 * The problem of a node's address, or null. The address must not end in the path of an operation, which the gateway
 * adds, and must fit the node's provider. Source: docs/contract.md#base-urls.
 */
export function nodeProblem(node: ProvidedNode): ProviderProblem | null {
  return pathProblem(node) ?? providerProblem(node);
}

function pathProblem({ protocol, baseUrl }: ProvidedNode): ProviderProblem | null {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, "");
  const copied = operations.find(({ pattern }) => pattern.test(path));
  if (copied === undefined) return null;
  const base = path.replace(copied.pattern, "");
  // The gateway adds a path with /v1 where the protocol's own path begins with it.
  url.pathname = nodeAdapters[protocol].api.generation({ model: "", stream: false }).startsWith("/v1/")
    ? base.replace(/\/v1$/, "")
    : base;
  const right = url.href.replace(/\/+(?=\?|$)/, "");
  return {
    field: "baseUrl",
    message: `must end before ${copied.path}, which the gateway adds: ${right}`,
  };
}
