import { credential } from "@/lib/shared/credentials/credential";
import type { CloudAccess } from "@/lib/upstream/credentials/cloud-access";

const id = "11111111-aaaa-4bbb-8ccc-222222222222";

/** A node that is called with a token of Entra, as far as a hint reads it. */
export function azureNode(baseUrl: string) {
  const client = { kind: "azure_client", tenantId: id, clientId: id, clientSecret: "x" };
  // Only the credential is read.
  const access = { credential: credential.parse(client) } as CloudAccess;
  return { provider: null, baseUrl, access: access as CloudAccess | null };
}
