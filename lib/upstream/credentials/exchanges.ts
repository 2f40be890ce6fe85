import type { Credential } from "@/lib/shared/credentials/credential";
import { awsContainerExchange } from "./aws-container";
import { awsImdsExchange } from "./aws-imds";
import { awsRoleExchange } from "./aws-role";
import { awsStaticExchange } from "./aws-static";
import { awsTarget } from "./aws-target";
import { awsWebIdentityExchange } from "./aws-web-identity";
import { azureClientExchange } from "./azure-client";
import { azureManagedExchange } from "./azure-managed";
import { azureWorkloadExchange } from "./azure-workload";
import { entraScope } from "./entra-scope";
import type { Exchange } from "./exchange";
import { gcpExternalExchange } from "./gcp-external";
import { gcpMetadataExchange } from "./gcp-metadata";
import { gcpServiceAccountExchange } from "./gcp-service-account";
import { keyExchange } from "./key";

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

/** How access is had with a credential. `audience`: that of `audienceOf`. Source: docs/clouds.md#kinds. */
export function exchangeOf(credential: Credential, audience: string): Exchange {
  switch (credential.kind) {
    case "key":
      return keyExchange(credential);
    case "aws_static":
      return awsStaticExchange(credential);
    case "aws_role":
      return awsRoleExchange(credential, audience);
    case "aws_web_identity":
      return awsWebIdentityExchange(credential, audience);
    case "aws_container":
      return awsContainerExchange();
    case "aws_imds":
      return awsImdsExchange();
    case "gcp_service_account":
      return gcpServiceAccountExchange(credential);
    case "gcp_external":
      return gcpExternalExchange(credential);
    case "gcp_metadata":
      return gcpMetadataExchange(credential);
    case "azure_client":
      return azureClientExchange(credential, audience);
    case "azure_workload":
      return azureWorkloadExchange(credential, audience);
    case "azure_managed":
      return azureManagedExchange(credential, audience);
  }
}
