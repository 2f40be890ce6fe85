import type { NodeProtocol } from "@/lib/protocols/protocol";
import { otherProvider, type Provider, type ProviderId, providers } from "./providers";

/** As much of a node as says who runs it. A null `provider` is found by its host. */
export interface ProvidedNode {
  provider: string | null;
  protocol: NodeProtocol;
  baseUrl: string;
}

/** What is wrong with a node, in the field that has to change. */
export interface ProviderProblem {
  field: "protocol" | "baseUrl";
  message: string;
}

/** The ids of all providers. */
export const providerIds: readonly ProviderId[] = providers.map(({ id }) => id);

/** The names of query parameters that some provider's base URL may carry. */
export const queryNames: ReadonlySet<string> = new Set(
  providers.flatMap(({ query }) => Object.keys(query ?? {})),
);

const byId: ReadonlyMap<string, Provider> = new Map(providers.map((provider) => [provider.id, provider]));
const patterns = providers.flatMap((provider) =>
  provider.hosts.map((host) => ({ provider, pattern: patternOf(host) })),
);

/** Who runs a node: as it says, else by its host, else `other`. Source: docs/protocols.md#s3-1. */
export function providerOf({ provider, baseUrl }: Pick<ProvidedNode, "provider" | "baseUrl">): Provider {
  const named = provider === null ? undefined : byId.get(provider);
  return named ?? providerAt(baseUrl) ?? otherProvider;
}

/** A base URL as nodes of a protocol have it: that of the first provider whose address is the same for everybody. */
export function exampleBaseUrl(protocol: NodeProtocol): string {
  const urls = providers.map(({ apis }) => apis[protocol]?.baseUrl ?? "");
  return urls.find((url) => url !== "" && !url.includes("{")) ?? "";
}

/** What a base URL lacks, or null. Source: docs/protocols.md#s3-1. */
export function providerProblem(node: ProvidedNode): ProviderProblem | null {
  const { protocol, baseUrl } = node;
  const { label, apis, query = {} } = providerOf(node);
  const spoken = Object.keys(apis);
  if (node.provider !== null && apis[protocol] === undefined)
    return { field: "protocol", message: `must be ${spoken.join(" or ")}: ${label} speaks no other` };
  const gap = /\{(\w+)\}/.exec(baseUrl)?.[0];
  if (gap !== undefined) return { field: "baseUrl", message: `must have your own value in place of ${gap}` };
  const { pathname, searchParams } = new URL(baseUrl);
  const unknown = [...searchParams.keys()].find((name) => query[name] === undefined);
  if (unknown !== undefined)
    return { field: "baseUrl", message: `must be without the query parameter ${unknown}` };
  for (const [name, { neededBelow, example }] of Object.entries(query)) {
    if (`${pathname}/`.includes(neededBelow) && !searchParams.get(name))
      return {
        field: "baseUrl",
        message: `must end with ?${name}=, such as ?${name}=${example}: ${label} wants it below ${neededBelow}`,
      };
  }
  return null;
}

function providerAt(baseUrl: string): Provider | undefined {
  const { protocol, hostname, port } = new URL(baseUrl);
  const place = `${protocol}//${hostname}:${port}`;
  return patterns.find(({ pattern }) => pattern.test(place))?.provider;
}

/** Names are those of public hosts, which are spoken to under TLS only; ports are those of private ones. */
function patternOf(host: string): RegExp {
  if (host.startsWith(":")) return new RegExp(`^https?://.*${host}$`);
  const name = host.replaceAll(".", "\\.").replaceAll("*", "[\\w.-]+");
  return new RegExp(`^https://${name}:\\d*$`, "i");
}
