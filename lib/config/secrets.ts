import { hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "@/lib/kernel/parse-json";
import type { Settings } from "./env";
import { StartupError } from "./startup-error";

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
  /** Makes pseudonyms of the user ids that clients send. */
  provenance: KeyRing;
  /** Derives the secrets of console keys. */
  consoleKeys: KeyRing;
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
 * Throws: StartupError when that file cannot be understood, the system's error when it cannot be read or written.
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
    consoleKeys: ring(auth, "tollgate console keys"),
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
    current: deriveNamedKey(master.current, label),
    previous: master.previous && deriveNamedKey(master.previous, label),
  };
}

function deriveNamedKey(master: Buffer, label: string): NamedKey {
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

const secretsFile = z.object({
  authSecret: z.string().min(32),
  encryptionKey: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
});

/** The generated master keys: a text, and 32 bytes in base64. */
export type SecretsFile = z.infer<typeof secretsFile>;

/**
 * Reads `secrets.json` in the data directory; creates it with random keys (0600, its directory 0700) when it is missing.
 * Processes that start at once get the same keys.
 * Throws: StartupError when its content is damaged, the system's error when it cannot be read or written.
 */
async function readOrCreateSecretsFile(dataDir: string): Promise<SecretsFile> {
  const file = path.join(dataDir, "secrets.json");
  return (await read(file)) ?? (await create(file));
}

async function read(file: string): Promise<SecretsFile | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : parse(file, text);
}

function parse(file: string, text: string): SecretsFile {
  const parsed = secretsFile.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new StartupError("The keys of this installation cannot be read or made:", [
    `${file} is damaged; restore it from a backup, or set AUTH_SECRET and ENCRYPTION_KEY. Without its keys, stored upstream credentials cannot be decrypted`,
  ]);
}

async function create(file: string): Promise<SecretsFile> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh: SecretsFile = {
    authSecret: randomBytes(48).toString("base64"),
    encryptionKey: randomBytes(32).toString("base64"),
  };
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(temporary, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    await link(temporary, file);
    return fresh;
  } catch {
    const existing = await read(file);
    if (existing !== null) return existing;
    await rename(temporary, file); // a file system without hard links
    return fresh;
  } finally {
    await rm(temporary, { force: true });
  }
}
