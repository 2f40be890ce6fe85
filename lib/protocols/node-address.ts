import { type ProvidedNode, type ProviderProblem, providerProblem } from "./profiles/provider";
import { clientPaths, embeddingsPath } from "./protocol";
import { nodeAdapters } from "./registry";

/** The paths of operations without `/v1`, the longest first; a base URL that was copied whole ends in one of them. */
const operations = [
  ...Object.values(clientPaths),
  embeddingsPath,
  "/v1/messages/count_tokens",
  "/v1/completions",
]
  .map((path) => path.slice("/v1".length))
  .sort((a, b) => b.length - a.length);

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
  const found = operations.find((operation) => path.toLowerCase().endsWith(operation));
  if (found === undefined) return null;
  const base = path.slice(0, -found.length);
  // The gateway adds a path with /v1 where the protocol's own path begins with it.
  url.pathname = nodeAdapters[protocol].api.generation({ model: "", stream: false }).startsWith("/v1/")
    ? base.replace(/\/v1$/, "")
    : base;
  const right = url.href.replace(/\/+(?=\?|$)/, "");
  return {
    field: "baseUrl",
    message: `must end before ${found}, which the gateway adds: ${right}`,
  };
}
