import { hkdfSync } from "node:crypto";
import type { Settings } from "./env";
import { readOrCreateSecretsFile, type SecretsFile } from "./secrets-file";

/** A key and its short id, which is stored next to the data it protects. */
export interface NamedKey {
  id: string;
  key: Buffer;
}

/** The current key, and the previous one during a rotation. */
export interface KeyRing {
  current: NamedKey;
  previous: NamedKey | null;
}

/**
 * All keys of the process, each derived for one purpose. Source: docs/contract.md#s2, docs/reliability.md#s3-5, #s3-8.
 */
export interface Secrets {
  /** Signs and verifies bearer tokens; `id` goes into `kid`. */
  jwt: KeyRing;
  /** Encrypts the browser's session cookie. */
  session: KeyRing;
  /** Makes pseudonyms of what clients say about their users. */
  provenance: KeyRing;
  /** Seals reasoning that clients keep. */
  reasoning: KeyRing;
  /** Encrypts upstream credentials at rest. */
  credentials: KeyRing;
  /** Fingerprints of the two master keys, which databases store; they do not reveal the keys. */
  fingerprints: Readonly<Record<MasterKey, { current: string; previous: string | null }>>;
}

/** The two master keys that everything is derived from. */
export type MasterKey = "auth" | "encryption";

/**
 * Loads the keys from the environment or else from `DATA_DIR/secrets.json`, which the first start creates.
 * Throws: StartupError when that file cannot be read, written or understood.
 */
export async function loadSecrets(settings: Settings): Promise<Secrets> {
  const complete = settings.authSecret !== null && settings.encryptionKey !== null;
  const file: SecretsFile | null = complete ? null : await readOrCreateSecretsFile(settings.dataDir);
  const auth = {
    current: Buffer.from(settings.authSecret ?? file?.authSecret ?? ""),
    previous: textKey(settings),
  };
  const encryption = {
    current: settings.encryptionKey ?? Buffer.from(file?.encryptionKey ?? "", "base64"),
    previous: settings.encryptionKeyPrevious,
  };
  return {
    jwt: ring(auth, "tollgate jwt"),
    session: ring(auth, "tollgate session"),
    provenance: ring(auth, "tollgate provenance"),
    reasoning: ring(encryption, "tollgate reasoning"),
    credentials: ring(encryption, "tollgate upstream credentials"),
    fingerprints: { auth: fingerprints(auth), encryption: fingerprints(encryption) },
  };
}

interface Master {
  current: Buffer;
  previous: Buffer | null;
}

function textKey(settings: Settings): Buffer | null {
  return settings.authSecretPrevious === null ? null : Buffer.from(settings.authSecretPrevious);
}

function ring(master: Master, label: string): KeyRing {
  return {
    current: named(master.current, label),
    previous: master.previous && named(master.previous, label),
  };
}

function named(master: Buffer, label: string): NamedKey {
  return { id: derive(master, `${label} id`).toString("hex", 0, 4), key: derive(master, label) };
}

function fingerprints(master: Master): { current: string; previous: string | null } {
  return { current: fingerprint(master.current), previous: master.previous && fingerprint(master.previous) };
}

function fingerprint(master: Buffer): string {
  return derive(master, "tollgate fingerprint").toString("hex", 0, 8);
}

function derive(master: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", master, "", label, 32));
}
