/** The most characters of the certificates of one node. */
export const MAX_PEM_CHARACTERS = 65_536;
const MAX_CERTIFICATES = 50;
const BLOCK = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]*-----END CERTIFICATE-----/g;

/** The certificates in a text, unchanged. */
export function certificateBlocks(text: string): string[] {
  return text.match(BLOCK) ?? [];
}

/**
 * What is wrong with the form of certificates in a text; null: nothing. It runs in browsers too, so it uses nothing of
 * Node.js. Source: docs/contract.md#own-ca.
 */
export function certificateProblem(text: string): string | null {
  if (text.length > MAX_PEM_CHARACTERS) return "is too long";
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    return "must have certificates only, not a private key";
  const { length } = certificateBlocks(text);
  if (length === 0)
    return "must be certificates in PEM form, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----";
  return length > MAX_CERTIFICATES ? `must have at most ${MAX_CERTIFICATES} certificates` : null;
}
