import type { Credential } from "@/lib/shared/credentials/credential";

/** What the fields of a node say about its credential. */
export interface CredentialFields {
  apiKey?: string | null;
  credential?: Credential | null;
}

/** The credential that fields ask for; null: none, undefined: they do not say. */
export function askedCredential({ apiKey, credential }: CredentialFields): Credential | null | undefined {
  if (credential) return credential;
  if (apiKey) return { kind: "key", key: apiKey };
  return apiKey === undefined && credential === undefined ? undefined : null;
}
