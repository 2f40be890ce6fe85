import type { CredentialOf } from "@/lib/shared/credentials/credential";
import { entraToken } from "./entra";
import type { Exchange } from "./exchange";

/** A token for an application with a secret. Source: docs/clouds.md#kinds. */
export function azureClientExchange(credential: CredentialOf<"azure_client">, scope: string): Exchange {
  const { cloud, tenantId, clientId, clientSecret } = credential;
  const application = { cloud, tenantId, clientId, proof: { client_secret: clientSecret } };
  return (context) => entraToken(context, application, scope);
}
