import type { nodes } from "@/lib/db/schema/catalog";
import { type Credential, credentialText, readCredential } from "@/lib/shared/credentials/credential";
import { principalOf } from "@/lib/shared/credentials/principal";
import { withoutSecrets } from "@/lib/shared/credentials/secret-fields";
import { type CredentialForm, decryptCredential, encryptCredential } from "./credentials";
import type { KeyRing } from "./secrets";

/** The columns of a node that a credential decides. */
export type CredentialColumns = Pick<
  typeof nodes.$inferSelect,
  "credential" | "credentialKeyId" | "apiKeyHint" | "credentialKind" | "credentialFacts"
>;

/** The columns that a credential is read from. */
export type SealedCredential = Pick<
  CredentialColumns,
  "credential" | "credentialKeyId" | "credentialKind"
> & { id: string };

/** The columns for a credential, or for none. Source: docs/clouds.md#stored. */
export function credentialColumns(
  ring: KeyRing,
  nodeId: string,
  credential: Credential | null,
): CredentialColumns {
  if (credential === null)
    return {
      credential: null,
      credentialKeyId: null,
      apiKeyHint: null,
      credentialKind: "key",
      credentialFacts: {},
    };
  const { kind } = credential;
  const sealed = encryptCredential(ring, nodeId, credentialText(credential), formOf(kind));
  return { ...sealed, credentialKind: kind, credentialFacts: factsOf(credential) };
}

/** What may be read of a credential, beside its kind. */
function factsOf(credential: Credential): Record<string, unknown> {
  if (credential.kind === "key") return {};
  const { kind: _, ...facts } = withoutSecrets(credential);
  return { principal: principalOf(credential), ...facts };
}

/** The stored text of a node's credential; null for none. Throws: as `decryptCredential`. */
export function storedText(ring: KeyRing, row: SealedCredential): string | null {
  const { id, credential, credentialKeyId, credentialKind } = row;
  if (credential === null || credentialKeyId === null) return null;
  return decryptCredential(ring, id, { credential, credentialKeyId }, formOf(credentialKind));
}

/** A node's credential; null for none. Throws: as `decryptCredential`, and for a kind of a later version. */
export function storedCredential(ring: KeyRing, row: SealedCredential): Credential | null {
  const text = storedText(ring, row);
  if (text === null) return null;
  return formOf(row.credentialKind) === "key" ? { kind: "key", key: text } : readCredential(text);
}

/** The form in which credentials of a kind are stored. */
export function formOf(kind: string): CredentialForm {
  return kind === "key" ? "key" : "fields";
}
