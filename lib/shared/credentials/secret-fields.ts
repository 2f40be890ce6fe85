import type { Credential, CredentialKind } from "./credential";
import { readExternalAccount } from "./external-account";
import { readServiceAccount } from "./service-account";

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
