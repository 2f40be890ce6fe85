import type { ExchangeContext } from "./exchange";
import type { TokenAnswer } from "./send";
import { sendChecked } from "./send-checked";

/** Posts a form to a token endpoint. Rejects: CredentialError. */
export function postForm(
  context: ExchangeContext,
  url: string,
  form: Record<string, string>,
): Promise<TokenAnswer> {
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  return sendChecked(context, { method: "POST", url, headers, body: new URLSearchParams(form).toString() });
}
