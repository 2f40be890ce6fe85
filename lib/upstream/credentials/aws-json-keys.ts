import { lifeUntil, membersOf, secretOf } from "./answers";
import { CredentialError } from "./credential-error";
import type { ExchangeContext, Obtained } from "./exchange";
import type { TokenAnswer } from "./send";

/** Keys as the services of a machine or a container tell them. Throws: CredentialError. Source: docs/clouds.md#kinds. */
export function jsonKeysOf(answer: TokenAnswer, context: ExchangeContext, principal: string): Obtained {
  const members = membersOf(answer);
  const keys = {
    accessKeyId: secretOf(members.AccessKeyId),
    secretAccessKey: secretOf(members.SecretAccessKey),
    sessionToken: secretOf(members.Token),
  };
  if (typeof members.Expiration !== "string") throw new CredentialError("bad_answer");
  return { access: { type: "aws", keys }, principal, lifeMs: lifeUntil(members.Expiration, answer, context) };
}
