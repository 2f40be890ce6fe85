import type { CredentialOf } from "@/lib/shared/credentials/credential";
import { principalOf } from "@/lib/shared/credentials/principal";
import { lifeOfSeconds, lifeUntil, membersOf, refusalOf, secretOf } from "./answers";
import { CredentialError } from "./credential-error";
import type { Exchange, Machine } from "./exchange";
import { isMachineHost } from "./machine-host";
import { oauthCodes } from "./oauth";
import { type ExchangeRequest, sendChecked } from "./send-checked";

type Managed = CredentialOf<"azure_managed">;

const METADATA = "http://169.254.169.254/metadata/identity/oauth2/token";
/** A machine's service may take longer for the first token of an identity. */
const TIMEOUT_MS = 2_500;

/**
 * A token of the identity of the machine, by its metadata service, or of the service that runs the gateway, by the
 * endpoint in the environment. Source: docs/clouds.md#kinds.
 */
export function azureManagedExchange(credential: Managed, scope: string): Exchange {
  const resource = scope.replace(/\/\.default$/, "");
  const principal = principalOf(credential);
  return async (context) => {
    const answer = await sendChecked(context, requestOf(credential, resource, context));
    const { access_token, expires_in, expires_on, error, error_description } = membersOf(answer);
    if (answer.status === 400 && /\bidentity not found\b/i.test(String(error_description))) {
      throw new CredentialError("identity_not_found");
    }
    if (answer.status !== 200) throw refusalOf(answer, error, oauthCodes);
    const access = { type: "bearer", token: secretOf(access_token) } as const;
    const lifeMs =
      expires_in === undefined
        ? lifeUntil(secondsOf(expires_on), answer, context)
        : lifeOfSeconds(expires_in);
    return { access, principal, lifeMs };
  };
}

/** Throws: CredentialError for an endpoint that must not be asked. */
function requestOf(credential: Managed, resource: string, { environment }: Machine): ExchangeRequest {
  const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: secret } = environment;
  if (!endpoint || !secret) {
    const url = addressOf(
      METADATA,
      { "api-version": "2018-02-01", resource },
      idOf(credential, "msi_res_id"),
    );
    return { method: "GET", url, headers: { metadata: "true" }, timeoutMs: TIMEOUT_MS };
  }
  if (!URL.canParse(endpoint) || !isMachineHost(new URL(endpoint).hostname)) {
    throw new CredentialError("address_refused");
  }
  const url = addressOf(endpoint, { "api-version": "2019-08-01", resource }, idOf(credential, "mi_res_id"));
  return { method: "GET", url, headers: { "x-identity-header": secret }, timeoutMs: TIMEOUT_MS };
}

/** The parameter that names a user-assigned identity. */
function idOf(credential: Managed, resourceParameter: string): [string, string] | null {
  const { clientId, objectId, resourceId } = credential;
  if (clientId !== undefined) return ["client_id", clientId];
  if (objectId !== undefined) return ["object_id", objectId];
  return resourceId === undefined ? null : [resourceParameter, resourceId];
}

function addressOf(base: string, query: Record<string, string>, id: [string, string] | null): string {
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (id !== null) url.searchParams.set(id[0], id[1]);
  return url.href;
}

/** Seconds since 1970, a number or its text. */
function secondsOf(value: unknown): number {
  return typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value))
    ? Number(value)
    : Number.NaN;
}
