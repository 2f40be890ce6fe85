import type { CredentialOf } from "@/lib/shared/credentials/credential";
import { entraToken } from "./entra";
import type { Exchange } from "./exchange";
import { readTokenFile } from "./token-file";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** A token for an application that trusts the token in a file. Source: docs/clouds.md#kinds. */
export function azureWorkloadExchange(credential: CredentialOf<"azure_workload">, scope: string): Exchange {
  const { cloud, tenantId, clientId, tokenFile } = credential;
  return async (context) => {
    const assertion = await readTokenFile(context, tokenFile, "AZURE_FEDERATED_TOKEN_FILE");
    const proof = { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
    return entraToken(context, { cloud, tenantId, clientId, proof }, scope);
  };
}
