import type { AzureCloud } from "@/lib/shared/credentials/azure-clouds";
import { membersOf, refusalOf } from "./answers";
import { CredentialError } from "./credential-error";
import type { ExchangeContext, Obtained } from "./exchange";
import { bearerOf, oauthCodes } from "./oauth";
import { postForm } from "./post-form";

const loginHosts: Readonly<Record<AzureCloud, string>> = {
  public: "login.microsoftonline.com",
  us_government: "login.microsoftonline.us",
  china: "login.chinacloudapi.cn",
};

/** An application of a tenant. Shape: `proof` is the secret or the assertion, as members of the form. */
interface Application {
  cloud: AzureCloud;
  tenantId: string;
  clientId: string;
  proof: Record<string, string>;
}

/**
 * A token for an application. Rejects: CredentialError, with the number of the vendor's error where it has one.
 * Source: docs/clouds.md#kinds.
 */
export async function entraToken(
  context: ExchangeContext,
  { cloud, tenantId, clientId, proof }: Application,
  scope: string,
): Promise<Obtained> {
  const url = `https://${loginHosts[cloud]}/${tenantId}/oauth2/v2.0/token`;
  const form = { grant_type: "client_credentials", client_id: clientId, scope, ...proof };
  const answer = await postForm(context, url, form);
  if (answer.status === 200) return bearerOf(answer, clientId);
  const { error, error_codes } = membersOf(answer);
  const number: unknown = Array.isArray(error_codes) ? error_codes[0] : null;
  if (typeof number === "number" && Number.isInteger(number) && number > 0 && number < 1e8) {
    throw new CredentialError(`AADSTS${number}`);
  }
  throw refusalOf(answer, error, oauthCodes);
}
