import { lifeOfSeconds, membersOf, refusalOf, secretOf } from "./answers";
import type { ExchangeContext, Obtained } from "./exchange";
import type { TokenAnswer } from "./send";
import { sendChecked } from "./send-checked";

/** Codes of OAuth 2.0 and its token exchange, and some that vendors add. */
export const oauthCodes: ReadonlySet<string> = new Set([
  "access_denied",
  "admin_policy_enforced",
  "deleted_client",
  "disabled_client",
  "internal_failure",
  "invalid_client",
  "invalid_grant",
  "invalid_request",
  "invalid_resource",
  "invalid_scope",
  "invalid_target",
  "org_internal",
  "rate_limit_exceeded",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_token_type",
]);

/** Posts a form to a token endpoint. Rejects: CredentialError. */
export function postForm(
  context: ExchangeContext,
  url: string,
  form: Record<string, string>,
): Promise<TokenAnswer> {
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  return sendChecked(context, { method: "POST", url, headers, body: new URLSearchParams(form).toString() });
}

/** The token of an answer to a form. Throws: CredentialError. */
export function bearerOf(answer: TokenAnswer, principal: string): Obtained {
  const { access_token, expires_in, error } = membersOf(answer);
  if (answer.status !== 200) throw refusalOf(answer, error, oauthCodes);
  const access = { type: "bearer", token: secretOf(access_token) } as const;
  return { access, principal, lifeMs: lifeOfSeconds(expires_in) };
}
