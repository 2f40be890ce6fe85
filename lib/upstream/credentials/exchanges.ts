import type { Credential } from "@/lib/shared/credentials/credential";
import { awsContainerExchange } from "./aws-container";
import { awsImdsExchange } from "./aws-imds";
import { awsRoleExchange } from "./aws-role";
import { awsStaticExchange } from "./aws-static";
import { awsWebIdentityExchange } from "./aws-web-identity";
import { azureClientExchange } from "./azure-client";
import { azureManagedExchange } from "./azure-managed";
import { azureWorkloadExchange } from "./azure-workload";
import type { Exchange } from "./exchange";
import { gcpExternalExchange } from "./gcp-external";
import { gcpMetadataExchange } from "./gcp-metadata";
import { gcpServiceAccountExchange } from "./gcp-service-account";
import { keyExchange } from "./key";

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
