/**
 * Why there is no access with a credential. The code is one of the gateway's own words, a status, or a word of a vendor
 * that is known: nothing of an answer's text and nothing of the credential is in it.
 * Source: docs/clouds.md#failures.
 */
export class CredentialError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`no access with the credential: ${code}`);
    this.name = "CredentialError";
    this.code = code;
  }
}
