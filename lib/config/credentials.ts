import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyRing, NamedKey } from "./secrets";

const CIPHER = "aes-256-gcm";

const NONCE_BYTES = 12;

const TAG_BYTES = 16;

const HINT_CHARACTERS = 4;

/** The columns of `nodes` that hold the secret of an upstream credential. */
export interface StoredCredential {
  /** Nonce, ciphertext, tag. */
  credential: Buffer;
  credentialKeyId: string;
  /** The last four characters; empty for a secret shorter than 16 characters. */
  apiKeyHint: string;
}

/**
 * What a text says that is stored: a key, as it is sent, or the fields of another kind. Processes of versions that know
 * keys only cannot decrypt the others, and so never send their fields as a key. Source: docs/clouds.md#stored.
 */
export type CredentialForm = "key" | "fields";

const formNumbers: Readonly<Record<CredentialForm, number>> = { key: 1, fields: 2 };

/**
 * Encrypts an upstream credential and binds it to one row and one form: in another row it cannot be decrypted.
 * Source: docs/reliability.md#s3-8.
 */
export function encryptCredential(
  ring: KeyRing,
  nodeId: string,
  secret: string,
  form: CredentialForm = "key",
): StoredCredential {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, ring.current.key, nonce);
  cipher.setAAD(rowBinding(nodeId, form));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return {
    credential: Buffer.concat([nonce, sealed, cipher.getAuthTag()]),
    credentialKeyId: ring.current.id,
    apiKeyHint: form === "key" && secret.length >= 4 * HINT_CHARACTERS ? secret.slice(-HINT_CHARACTERS) : "",
  };
}

/**
 * Decrypts the credential of a row with the current or the previous key.
 * Throws: Error when the key is unknown, or the ciphertext was changed or belongs to another row or form; it contains
 * no secret.
 */
export function decryptCredential(
  ring: KeyRing,
  nodeId: string,
  stored: Pick<StoredCredential, "credential" | "credentialKeyId">,
  form: CredentialForm = "key",
): string {
  const { key } = keyOf(ring, stored.credentialKeyId);
  const sealed = stored.credential.subarray(NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, stored.credential.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(rowBinding(nodeId, form));
  decipher.setAuthTag(stored.credential.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
}

function keyOf(ring: KeyRing, id: string): NamedKey {
  const found = [ring.current, ring.previous].find((candidate) => candidate?.id === id);
  if (found) return found;
  throw new Error(
    `the credential was encrypted with key ${id}, which is neither ENCRYPTION_KEY nor its predecessor`,
  );
}

function rowBinding(nodeId: string, form: CredentialForm): Buffer {
  return Buffer.from(`nodes|${nodeId}|credential|${formNumbers[form]}`);
}
