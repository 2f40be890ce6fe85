/** How each header that can carry a node's credential writes the secret. */
const forms = {
  authorization: (secret: string) => `Bearer ${secret}`,
  "x-api-key": (secret: string) => secret,
  "api-key": (secret: string) => secret,
  "x-goog-api-key": (secret: string) => secret,
};

/** The header that carries a node's credential; in `authorization` it is a bearer token. */
export type CredentialHeader = keyof typeof forms;

/** The headers that carry a credential. */
export function credentialHeaders(header: CredentialHeader, secret: string): Record<string, string> {
  return { [header]: forms[header](secret) };
}
