import { hkdfSync } from "node:crypto";
import type { Settings } from "./env";
import { readOrCreateSecretsFile, type SecretsFile } from "./secrets-file";

/** A key and the short name it is stored under beside what it protects. */
export interface NamedKey {
  id: string;
  key: Buffer;
}

/** The newest key, and the one before it while a rotation lasts. */
export interface KeyRing {
  current: NamedKey;
  previous: NamedKey | null;
}

/**
 * Every key of the process, each derived for one purpose. Source: docs/contract.md#s2, docs/reliability.md#s3-5, #s3-8.
 */
export interface Secrets {
  /** Signs and verifies bearer tokens; `id` goes into `kid`. */
  jwt: KeyRing;
  /** Encrypts the browser's session cookie. */
  session: KeyRing;
  /** Marks reasoning and salts that the gateway itself issued. */
  provenance: KeyRing;
  /** Encrypts upstream credentials at rest. */
  credentials: KeyRing;
  /** What a database remembers of the two master keys; tells nothing about them. */
  fingerprints: Readonly<Record<MasterKey, { current: string; previous: string | null }>>;
}

/** The two master keys that everything is derived from. */
export type MasterKey = "auth" | "encryption";

/**
 * Keys from the environment or, where it has none, from `DATA_DIR/secrets.json`, which is made on the first start.
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
