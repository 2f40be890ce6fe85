import type { NodeProtocol } from "@/lib/protocols/protocol";
import {
  type HostForm,
  type HostFormId,
  otherProvider,
  type Provider,
  type ProviderId,
  providers,
} from "./providers";

/** The members of a node that identify its provider. Null `provider`: the host identifies it. */
export interface ProvidedNode {
  provider: string | null;
  protocol: NodeProtocol;
  baseUrl: string;
}

/** The problem of a node, in the field that must change. */
export interface ProviderProblem {
  field: "protocol" | "baseUrl";
  message: string;
}

export const providerIds: readonly ProviderId[] = providers.map(({ id }) => id);

/** The names of query parameters that any provider's base URL may have. */
export const queryNames: ReadonlySet<string> = new Set(
  providers.flatMap(({ query }) => Object.keys(query ?? {})),
);

const byId: ReadonlyMap<string, Provider> = new Map(providers.map((provider) => [provider.id, provider]));
const patterns = providers.flatMap((provider) =>
  provider.hosts.map((host) => ({ provider, pattern: patternOf(host) })),
);

/** The provider of a node: the configured one, else by its host, else `other`. Source: docs/protocols.md#s3-1. */
export function providerOf({ provider, baseUrl }: Pick<ProvidedNode, "provider" | "baseUrl">): Provider {
  const named = provider === null ? undefined : byId.get(provider);
  return named ?? providerAt(baseUrl) ?? otherProvider;
}

/** The form of a node's calls where it differs from its protocol's; null: it does not. Source: docs/clouds.md#forms. */
export function hostFormOf(node: ProvidedNode): HostFormId | null {
  const form = providerOf(node).apis[node.protocol]?.form;
  return form !== undefined && isPlaceOf(form, node.baseUrl) ? form.id : null;
}

function isPlaceOf({ places }: HostForm, baseUrl: string): boolean {
  const { hostname, pathname } = new URL(baseUrl);
  return places.test(hostname + pathname);
}

/** An example of a base URL of a protocol: that of the first provider with one address for all customers. */
export function exampleBaseUrl(protocol: NodeProtocol): string {
  const urls = providers.map(({ apis }) => apis[protocol]?.baseUrl ?? "");
  return urls.find((url) => url !== "" && !url.includes("{")) ?? "";
}

/** The problem of a base URL, or null. Source: docs/protocols.md#s3-1. */
export function providerProblem(node: ProvidedNode): ProviderProblem | null {
  const { protocol, baseUrl } = node;
  const { label, apis, query = {} } = providerOf(node);
  const spoken = Object.keys(apis);
  if (node.provider !== null && apis[protocol] === undefined)
    return { field: "protocol", message: `must be ${spoken.join(" or ")}: ${label} speaks no other` };
  const gap = /\{(\w+)\}/.exec(baseUrl)?.[0];
  if (gap !== undefined) return { field: "baseUrl", message: `must have your own value in place of ${gap}` };
  const form = apis[protocol]?.form;
  const misplaced = form === undefined ? null : formProblem(form, baseUrl);
  if (misplaced !== null) return misplaced;
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

/** The problem of a base URL that has too much or too little before what its form adds. */
function formProblem(form: HostForm, baseUrl: string): ProviderProblem | null {
  const url = new URL(baseUrl);
  const at = url.pathname.indexOf(form.adds);
  if (at !== -1) {
    url.pathname = url.pathname.slice(0, at);
    const right = url.href.replace(/\/+$/, "");
    return {
      field: "baseUrl",
      message: `must end before ${form.adds}, which the gateway adds: ${right}`,
    };
  }
  if (form.endsWith === undefined || isPlaceOf(form, baseUrl)) return null;
  return { field: "baseUrl", message: `must end with ${form.endsWith}` };
}

function providerAt(baseUrl: string): Provider | undefined {
  const { protocol, hostname, port } = new URL(baseUrl);
  const place = `${protocol}//${hostname}:${port}`;
  return patterns.find(({ pattern }) => pattern.test(place))?.provider;
}

/** A name is a public host, which is called over TLS only; a port is that of a private host. */
function patternOf(host: string): RegExp {
  if (host.startsWith(":")) return new RegExp(`^https?://.*${host}$`);
  const name = host.replaceAll(".", "\\.").replaceAll("*", "[\\w.-]+");
  return new RegExp(`^https://${name}:\\d*$`, "i");
}
