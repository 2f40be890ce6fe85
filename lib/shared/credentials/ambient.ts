import type { Credential, CredentialKind } from "./credential";

/** The kinds that take what the gateway's own machine lends. Source: docs/clouds.md#ambient. */
export const ambientKinds: ReadonlySet<CredentialKind> = new Set([
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
