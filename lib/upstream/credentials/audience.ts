import type { Credential } from "@/lib/shared/credentials/credential";
import { awsTarget } from "./aws-target";
import { entraScope } from "./entra-scope";

/** Where roles are asked for when neither the credential nor the node's host tells a region. */
const DEFAULT_REGION = "us-east-1";

/**
 * What an exchange depends on besides its credential: the scope of a token of Microsoft, the region that is asked for a
 * role of AWS; "" for the others. Nodes with the same one share a token. Source: docs/clouds.md#refresh.
 */
export function audienceOf(credential: Credential, hostname: string): string {
  switch (credential.kind) {
    case "azure_client":
    case "azure_workload":
    case "azure_managed":
      return entraScope(credential, hostname);
    case "aws_role":
    case "aws_web_identity":
      return credential.region ?? awsTarget(hostname, {})?.region ?? DEFAULT_REGION;
    case "key":
    case "aws_static":
    case "aws_container":
    case "aws_imds":
    case "gcp_service_account":
    case "gcp_external":
    case "gcp_metadata":
      return "";
  }
}
