import { type ProvidedNode, type ProviderProblem, providerProblem } from "./profiles/provider";
import { clientPaths, embeddingsPath } from "./protocol";
import { nodeAdapters } from "./registry";

/** The paths of operations without `/v1`, the longest first: one of them is what a copied address ends in. */
const operations = [
  ...Object.values(clientPaths),
  embeddingsPath,
  "/v1/messages/count_tokens",
  "/v1/completions",
]
  .map((path) => path.slice("/v1".length))
  .sort((a, b) => b.length - a.length);

/**
 * What is wrong with the address of a node, or null: it ends in the path of an operation, which the gateway adds to it,
 * or does not fit who runs the node. Source: docs/contract.md#base-urls.
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
  // Where the path of the protocol begins with /v1, so does what is added.
  url.pathname = nodeAdapters[protocol].api.generation({ model: "", stream: false }).startsWith("/v1/")
    ? base.replace(/\/v1$/, "")
    : base;
  const right = url.href.replace(/\/+(?=\?|$)/, "");
  return {
    field: "baseUrl",
    message: `must end before ${found}, which the gateway adds: ${right}`,
  };
}
