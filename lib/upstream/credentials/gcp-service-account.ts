import { createPrivateKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { CredentialOf } from "@/lib/shared/credentials/credential";
import { readServiceAccount } from "@/lib/shared/credentials/service-account";
import { CredentialError } from "./credential-error";
import type { Exchange } from "./exchange";
import { bearerOf } from "./oauth";
import { postForm } from "./post-form";

/** What tokens of Google are for. */
export const GOOGLE_SCOPE = "https://www.googleapis.com/auth/cloud-platform";

const ASSERTION_LIFE_S = 3_600;
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** A token for an assertion that the service account's key signs. Source: docs/clouds.md#kinds. */
export function gcpServiceAccountExchange({ json }: CredentialOf<"gcp_service_account">): Exchange {
  const account = readServiceAccount(json);
  return async (context) => {
    const nowS = Math.floor(context.clock.date().getTime() / 1_000);
    const kid = account.private_key_id;
    const assertion = await new SignJWT({ scope: GOOGLE_SCOPE })
      .setProtectedHeader(
        kid === undefined ? { alg: "RS256", typ: "JWT" } : { alg: "RS256", typ: "JWT", kid },
      )
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + ASSERTION_LIFE_S)
      .sign(rsaKeyOf(account.private_key));
    const answer = await postForm(context, account.token_uri, { grant_type: GRANT_TYPE, assertion });
    return bearerOf(answer, account.client_email);
  };
}

/** The key in a PEM text. Throws: CredentialError for any other text and for keys of other kinds. */
export function rsaKeyOf(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "rsa") return key;
  } catch {
    // The reason may quote the text.
  }
  throw new CredentialError("private_key_invalid");
}
