import type { Credential, CredentialKind } from "./credential";
import { readExternalAccount, readServiceAccount } from "./google";

/** The fields that are written and never read again. Those of a source are named by its own kind. */
export const secretFields: Readonly<Record<CredentialKind, readonly string[]>> = {
  key: ["key"],
  aws_static: ["secretAccessKey", "sessionToken"],
  aws_role: [],
  aws_web_identity: [],
  aws_container: [],
  aws_imds: [],
  gcp_service_account: ["json"],
  gcp_external: ["json"],
  gcp_metadata: [],
  azure_client: ["clientSecret"],
  azure_workload: [],
  azure_managed: [],
};

/** The kinds that take what the gateway's own machine lends. Source: docs/clouds.md#ambient. */
const ambientKinds: ReadonlySet<CredentialKind> = new Set([
  "aws_web_identity",
  "aws_container",
  "aws_imds",
  "gcp_external",
  "gcp_metadata",
  "azure_workload",
  "azure_managed",
]);

/** True for a credential that needs what the gateway's own machine lends. Source: docs/clouds.md#ambient. */
export function isAmbient(value: Credential): boolean {
  return ambientKinds.has(value.kind === "aws_role" ? value.source.kind : value.kind);
}

/**
 * Who a credential is, for records and messages: never a secret. Null for a key, which names nobody. A machine's own
 * role is known by its name only once a token was had. Source: docs/clouds.md#kinds.
 */
export function principalOf(value: Credential): string | null {
  switch (value.kind) {
    case "key":
      return null;
    case "aws_static":
      return value.accessKeyId;
    case "aws_role":
    case "aws_web_identity":
      return value.roleArn;
    case "aws_container":
      return "role of the container";
    case "aws_imds":
      return "role of the machine";
    case "gcp_service_account":
      return readServiceAccount(value.json).client_email;
    case "gcp_external":
      return externalPrincipal(value.json);
    case "gcp_metadata":
      return value.serviceAccount;
    case "azure_client":
    case "azure_workload":
      return value.clientId;
    case "azure_managed":
      return value.clientId ?? value.objectId ?? value.resourceId ?? "identity of the machine";
  }
}

/** The mail of the service account that is impersonated; without one, the pool that is trusted. */
function externalPrincipal(json: string): string {
  const { audience, service_account_impersonation_url: url } = readExternalAccount(json);
  const mail = /\/serviceAccounts\/([^/]+):generateAccessToken$/.exec(url ?? "")?.[1];
  return mail === undefined ? audience : decodeURIComponent(mail);
}

/** A credential without its secrets, as it may be read. Shape: members that are secret are missing. */
export function withoutSecrets(value: Credential): Record<string, unknown> {
  const shown = Object.entries(value).filter(([name]) => !secretFields[value.kind].includes(name));
  const result: Record<string, unknown> = Object.fromEntries(shown);
  if (value.kind === "aws_role") result.source = withoutSecrets(value.source);
  return result;
}

/** The secret texts of a credential, which nobody may see. */
export function secretsOf(value: Credential): string[] {
  const own = secretFields[value.kind].map((name) => (value as Record<string, unknown>)[name]); // all are texts
  const secrets = own.filter((secret) => typeof secret === "string");
  if (value.kind === "aws_role") secrets.push(...secretsOf(value.source));
  if (value.kind === "gcp_service_account") secrets.push(readServiceAccount(value.json).private_key);
  if (value.kind === "gcp_external") {
    secrets.push(...Object.values(readExternalAccount(value.json).credential_source.headers));
  }
  return secrets;
}
