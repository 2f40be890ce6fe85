import { lifeOfSeconds, membersOf, refusalOf, secretOf } from "./answers";
import type { Obtained } from "./exchange";
import type { TokenAnswer } from "./send";

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

/** The token of an answer to a form. Throws: CredentialError. */
export function bearerOf(answer: TokenAnswer, principal: string): Obtained {
  const { access_token, expires_in, error } = membersOf(answer);
  if (answer.status !== 200) throw refusalOf(answer, error, oauthCodes);
  const access = { type: "bearer", token: secretOf(access_token) } as const;
  return { access, principal, lifeMs: lifeOfSeconds(expires_in) };
}
