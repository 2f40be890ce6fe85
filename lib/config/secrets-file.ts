import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { messageOf } from "@/lib/kernel/errors";
import { parseJson } from "@/lib/kernel/json";
import { StartupError } from "./startup-error";

const secretsFile = z.object({
  authSecret: z.string().min(32),
  encryptionKey: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
});

/** The generated master keys: a text, and 32 bytes in base64. */
export type SecretsFile = z.infer<typeof secretsFile>;

/**
 * Reads `secrets.json` in the data directory; creates it with random keys (0600, its directory 0700) when it is missing.
 * Processes that start at once get the same keys.
 * Throws: StartupError.
 */
export async function readOrCreateSecretsFile(dataDir: string): Promise<SecretsFile> {
  const file = path.join(dataDir, "secrets.json");
  try {
    return (await read(file)) ?? (await create(file));
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError("The keys of this installation cannot be read or made:", [
      `${file}: ${messageOf(error)}`,
    ]);
  }
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
