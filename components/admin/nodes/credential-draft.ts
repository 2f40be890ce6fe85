import { providerOf } from "@/lib/protocols/profiles/provider";
import type { Credential, CredentialKind } from "@/lib/shared/credentials/credential";
import { typedText, typedWhole } from "@/lib/shared/typed";
import type { NodeView } from "../../api/admin/types";

/** The members of each kind beside its name, in the order of the form; the source of a role is a form of its own. */
export const credentialFields = {
  key: [],
  aws_static: ["accessKeyId", "secretAccessKey", "sessionToken", "region", "service"],
  aws_role: ["roleArn", "externalId", "sessionName", "durationS", "region", "service"],
  aws_web_identity: ["roleArn", "tokenFile", "sessionName", "durationS", "region", "service"],
  aws_container: ["region", "service"],
  aws_imds: ["region", "service"],
  gcp_service_account: ["json"],
  gcp_external: ["json"],
  gcp_metadata: ["serviceAccount"],
  azure_client: ["tenantId", "clientId", "clientSecret", "cloud", "scope"],
  azure_workload: ["tenantId", "clientId", "tokenFile", "cloud", "scope"],
  azure_managed: ["clientId", "objectId", "resourceId", "cloud", "scope"],
} as const satisfies Record<CredentialKind, readonly string[]>;

/** The name of a member. */
export type CredentialField = (typeof credentialFields)[CredentialKind][number];

/** The kinds that may assume a role. */
export const sourceKinds = [
  "aws_static",
  "aws_web_identity",
  "aws_container",
  "aws_imds",
] as const satisfies readonly Extract<Credential, { kind: "aws_role" }>["source"]["kind"][];

/** All kinds, in the order of the form. */
export const credentialKinds = Object.keys(credentialFields) as CredentialKind[];

type Typed = Record<CredentialField, string>;

const nothingTyped: Typed = {
  accessKeyId: "",
  secretAccessKey: "",
  sessionToken: "",
  region: "",
  service: "",
  roleArn: "",
  externalId: "",
  sessionName: "",
  durationS: "",
  tokenFile: "",
  json: "",
  serviceAccount: "",
  tenantId: "",
  clientId: "",
  clientSecret: "",
  cloud: "public",
  scope: "",
  objectId: "",
  resourceId: "",
};

/** The credential in the form of a node, as typed. Stored secrets are never loaded. */
export interface CredentialDraft extends Typed {
  kind: CredentialKind;
  source: Typed & { kind: CredentialKind };
}

/** The form filled from what may be read of a credential; a key without one. */
export function credentialDraftOf(stored: NodeView["credential"]): CredentialDraft {
  const source = recordOf(stored?.source);
  return {
    ...typedOf(stored ?? {}),
    kind: kindNamed(stored?.kind) ?? "key",
    source: { ...typedOf(source), kind: kindNamed(source.kind) ?? "aws_static" },
  };
}

/** A credential as sent; undefined for a key, which is sent by itself. What is empty is left out. */
export function credentialBody({ source, ...typed }: CredentialDraft): object | undefined {
  if (typed.kind === "key") return undefined;
  return { ...membersOf(typed), ...(typed.kind === "aws_role" && { source: membersOf(source) }) };
}

function membersOf(typed: Typed & { kind: CredentialKind }): Record<string, unknown> {
  const members = credentialFields[typed.kind].map((name): [string, unknown] => [
    name,
    name === "durationS" ? typedWhole(typed[name]) : typedText(typed[name]),
  ]);
  return Object.fromEntries([["kind", typed.kind], ...members.filter(([, value]) => value !== undefined)]);
}

function typedOf(stored: Record<string, unknown>): Typed {
  const names = Object.keys(nothingTyped) as CredentialField[];
  const shown = names.flatMap((name) => {
    const value = stored[name];
    return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
  });
  return { ...nothingTyped, ...Object.fromEntries(shown) };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function kindNamed(name: unknown): CredentialKind | undefined {
  return credentialKinds.find((kind) => kind === name);
}

const cloudOfProvider: Readonly<Record<string, string>> = {
  bedrock: "aws_",
  vertex: "gcp_",
  azure: "azure_",
};

/**
 * The kinds that a node may have: those of its provider's cloud, all where nothing tells the provider, and what is
 * stored. Those that take what the machine lends only where the server allows them.
 */
export function kindsFor(
  node: { provider: string; baseUrl: string },
  stored: CredentialKind,
  lent: { allowed: boolean; kinds: ReadonlySet<string> },
): CredentialKind[] {
  const provider = node.provider || providerTypedId(node.baseUrl);
  const prefix = provider === "other" ? "" : cloudOfProvider[provider];
  return credentialKinds.filter((kind) => {
    if (kind === "key" || kind === stored) return true;
    return prefix !== undefined && kind.startsWith(prefix) && (lent.allowed || !lent.kinds.has(kind));
  });
}

function providerTypedId(baseUrl: string): string {
  const typed = baseUrl.trim();
  return URL.canParse(typed) ? providerOf({ provider: null, baseUrl: typed }).id : "other";
}
