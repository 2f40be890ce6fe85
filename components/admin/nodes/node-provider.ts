import { providerOf } from "@/lib/protocols/profiles/provider";
import {
  otherProvider,
  type Provider,
  type ProviderApi,
  providers,
} from "@/lib/protocols/profiles/providers";
import type { NodeView } from "../../api/admin/types";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";

type NodeProtocol = NodeView["protocol"];

/** The fields of a node's form that a provider fills in. */
export interface ProvidedFields {
  /** Empty: found by the host. */
  provider: string;
  protocol: NodeProtocol;
  baseUrl: string;
}

/** The name of a provider in the words of the page. */
export function providerName({ id, label }: Provider, text: Messages["adminNodes"]): string {
  return id === otherProvider.id ? text.providerOther : label;
}

/** The provider of a stored node, and whether its host determines it. */
export function providerShown(node: NodeView, text: Messages["adminNodes"]): string {
  const provider = providerOf(node);
  const name = providerName(provider, text);
  return node.provider === null && provider !== otherProvider ? fill(text.providerFound, { name }) : name;
}

/** The provider that is known by the address as typed; null while none is. */
export function providerTyped({ provider, baseUrl }: ProvidedFields): Provider | null {
  const address = baseUrl.trim();
  if (provider !== "" || !URL.canParse(address)) return null;
  const found = providerOf({ provider: null, baseUrl: address });
  return found === otherProvider ? null : found;
}

/** What choosing a provider changes: its first protocol and its address, unless another address was typed. */
export function withProvider(fields: ProvidedFields, provider: string): Partial<ProvidedFields> {
  const chosen = providers.find(({ id }) => id === provider);
  if (chosen === undefined) return { provider: "" };
  const spoken = apisOf(chosen);
  const [first] = spoken;
  const keeps = !isPreset(fields.baseUrl) && spoken.some(([protocol]) => protocol === fields.protocol);
  const protocol = keeps || first === undefined ? fields.protocol : first[0];
  return { provider, ...withProtocol({ ...fields, provider }, protocol) };
}

/** The name of a node once a provider is chosen: its id over none and over that of the provider before. */
export function nameFor(provider: string, name: string, before: string): string {
  const isOwn = name.trim() !== "" && name !== before;
  return isOwn || provider === "" || provider === otherProvider.id ? name : provider;
}

/** Whether an address is replaced by one of another host, which must not get the key that was typed for the first. */
export function isOtherHost(before: string, after: string | undefined): boolean {
  const [from, to] = [before.trim(), after ?? ""];
  return URL.canParse(from) && URL.canParse(to) && new URL(from).host !== new URL(to).host;
}

/** What choosing a protocol changes: an address that came from a preset becomes that of the other protocol. */
export function withProtocol(fields: ProvidedFields, protocol: NodeProtocol): Partial<ProvidedFields> {
  const preset = presetOf(fields.provider, protocol);
  return isPreset(fields.baseUrl) && preset !== "" ? { protocol, baseUrl: preset } : { protocol };
}

/** The initial address of a form, or an empty text. */
export function presetOf(provider: string, protocol: NodeProtocol): string {
  return providers.find(({ id }) => id === provider)?.apis[protocol]?.baseUrl ?? "";
}

function isPreset(baseUrl: string): boolean {
  const address = baseUrl.trim();
  return (
    address === "" || providers.some(({ apis }) => Object.values(apis).some((api) => api.baseUrl === address))
  );
}

function apisOf({ apis }: Provider): [NodeProtocol, ProviderApi][] {
  return Object.entries(apis) as [NodeProtocol, ProviderApi][]; // the keys of `apis` are protocols
}
