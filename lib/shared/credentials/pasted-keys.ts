/** Keys of AWS that were pasted as one text. */
export interface PastedKeys {
  accessKeyId: string;
  secretAccessKey: string;
  region?: string;
  sessionToken?: string;
}

/**
 * The fields in a text `access key|secret|region`, as people paste it; the region may be left out, a session token may
 * follow. Null for any other text. Source: docs/clouds.md#kinds.
 */
export function pastedKeys(text: string): PastedKeys | null {
  const parts = text.split("|").map((part) => part.trim());
  const [accessKeyId = "", secretAccessKey, region, sessionToken, ...rest] = parts;
  if (secretAccessKey === undefined || rest.length > 0 || !/^A[KS]IA/.test(accessKeyId)) return null;
  const keys: PastedKeys = { accessKeyId, secretAccessKey };
  if (region) keys.region = region;
  if (sessionToken) keys.sessionToken = sessionToken;
  return keys;
}
