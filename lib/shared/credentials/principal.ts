import type { Credential } from "./credential";
import { readExternalAccount } from "./external-account";
import { readServiceAccount } from "./service-account";

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
