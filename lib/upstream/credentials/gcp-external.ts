import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { CredentialOf } from "@/lib/shared/credentials/credential";
import { type ExternalAccount, readExternalAccount } from "@/lib/shared/credentials/external-account";
import { principalOf } from "@/lib/shared/credentials/principal";
import { lifeUntil, membersOf, refusalOf, secretOf } from "./answers";
import { CredentialError } from "./credential-error";
import type { Exchange, ExchangeContext, Obtained } from "./exchange";
import { GOOGLE_SCOPE } from "./gcp-service-account";
import { bearerOf, oauthCodes } from "./oauth";
import { postForm } from "./post-form";
import { sendChecked } from "./send-checked";
import { readTokenFile } from "./token-file";

const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:token-exchange";

const knownStatuses: ReadonlySet<string> = new Set([
  "FAILED_PRECONDITION",
  "INTERNAL",
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "UNAUTHENTICATED",
  "UNAVAILABLE",
]);

/**
 * A token of Google for one of another identity provider; with an address for it, that of a service account which the
 * identity may impersonate. Source: docs/clouds.md#kinds.
 */
export function gcpExternalExchange(credential: CredentialOf<"gcp_external">): Exchange {
  const account = readExternalAccount(credential.json);
  const principal = principalOf(credential) ?? account.audience;
  return async (context) => {
    const answer = await postForm(context, account.token_url, {
      grant_type: GRANT_TYPE,
      audience: account.audience,
      scope: GOOGLE_SCOPE,
      requested_token_type: ACCESS_TOKEN,
      subject_token_type: account.subject_token_type,
      subject_token: await subjectToken(account, context),
    });
    if (account.service_account_impersonation_url === undefined) return bearerOf(answer, principal);
    const { access_token, error } = membersOf(answer);
    if (answer.status !== 200) throw refusalOf(answer, error, oauthCodes);
    return impersonate(account, secretOf(access_token), principal, context);
  };
}

/** Rejects: CredentialError when there is no token at its place. */
async function subjectToken(account: ExternalAccount, context: ExchangeContext): Promise<string> {
  const { file, url, headers, format } = account.credential_source;
  const text =
    url === undefined
      ? await readTokenFile(jsonSafe(context), file, "")
      : await fetchText(context, url, headers);
  if (format.type === "text") return text;
  const value = parseJson(text);
  const token = isObject(value) ? value[format.subject_token_field_name ?? ""] : undefined;
  if (typeof token !== "string" || token === "") throw new CredentialError("subject_token_missing");
  return token;
}

/** A file of JSON may have several lines, which a token may not. */
function jsonSafe(context: ExchangeContext) {
  const readFile = async (path: string) => (await context.readFile(path)).replace(/\s+/g, " ");
  return { environment: context.environment, readFile };
}

async function fetchText(
  context: ExchangeContext,
  url: string,
  headers: Record<string, string>,
): Promise<string> {
  const answer = await sendChecked(context, { method: "GET", url, headers });
  if (answer.status !== 200) throw new CredentialError(`subject_token_http_${answer.status}`);
  const text = answer.body.trim();
  if (text === "") throw new CredentialError("subject_token_missing");
  return text;
}

async function impersonate(
  account: ExternalAccount,
  token: string,
  principal: string,
  context: ExchangeContext,
): Promise<Obtained> {
  const lifeS = account.service_account_impersonation.token_lifetime_seconds;
  const answer = await sendChecked(context, {
    method: "POST",
    url: account.service_account_impersonation_url ?? "",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ scope: [GOOGLE_SCOPE], lifetime: `${lifeS}s` }),
  });
  const { accessToken, expireTime, error } = membersOf(answer);
  if (answer.status !== 200) throw refusalOf(answer, isObject(error) ? error.status : null, knownStatuses);
  if (typeof expireTime !== "string") throw new CredentialError("bad_answer");
  const access = { type: "bearer", token: secretOf(accessToken) } as const;
  return { access, principal, lifeMs: lifeUntil(expireTime, answer, context) };
}
