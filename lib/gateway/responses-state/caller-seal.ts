import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what is stored for a caller with keys that are derived from the secret of the caller's API key. The gateway
 * has that secret only while a request with it runs. Source: docs/responses.md#s4-2.
 */
export class CallerSeal {
  #secret: string;
  #contentsKey: Buffer | null = null;
  #idsKey: Buffer | null = null;

  /** `secret`: the whole API key. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The key of contents, for a worker; derived at its first use, because most requests read and write nothing. */
  get contentsKey(): Uint8Array {
    this.#contentsKey ??= derive(this.#secret, "tollgate stored responses: contents");
    return this.#contentsKey;
  }

  get #ids(): Buffer {
    this.#idsKey ??= derive(this.#secret, "tollgate stored responses: ids");
    return this.#idsKey;
  }

  /** Derives both keys now and forgets the secret; returns this seal. */
  withoutSecret(): this {
    void this.contentsKey;
    void this.#ids;
    this.#secret = "";
    return this;
  }

  /** Encrypts a text. `binding` identifies its place; with another binding it cannot be decrypted. */
  seal(text: string, binding: string): Buffer {
    return sealWith(this.contentsKey, text, binding);
  }

  /** The text; null when it was sealed under another secret or binding, or was changed. */
  open(sealed: Uint8Array, binding: string): string | null {
    return openWith(this.contentsKey, sealed, binding);
  }

  /** A digest of an id under the caller's secret. Shape: a signed 64-bit integer in decimal digits. */
  tag(id: string): string {
    return String(createHmac("sha256", this.#ids).update(id).digest().readBigInt64BE());
  }
}

/** As `CallerSeal.seal`, with the key that it gives a worker. */
export function sealWith(contentsKey: Uint8Array, text: string, binding: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, contentsKey, nonce);
  cipher.setAAD(Buffer.from(binding));
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** As `CallerSeal.open`, with the key that it gives a worker. */
export function openWith(contentsKey: Uint8Array, sealed: Uint8Array, binding: string): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, contentsKey, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([opened, decipher.final()]).toString("utf8");
  } catch {
    return null; // the only error of `final`: the tag does not match
  }
}

function derive(secret: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", label, KEY_BYTES));
}

/** What the sealed text of a compaction item of ours begins with. */
const MARK = "tgc1.";
const BINDING = "compaction|1";

/** A compaction item with a summary that only the caller's key opens. Source: docs/responses.md#s5-3. */
export function compactionItem(id: string, summary: string, seal: CallerSeal): JsonObject {
  const sealed = seal.seal(summary, BINDING).toString("base64url");
  return { type: "compaction", id, encrypted_content: `${MARK}${sealed}` };
}

/**
 * The message that replaces a compaction item of ours; any other item unchanged. Throws: INVALID_REQUEST for one of
 * ours that was made for another key. Source: docs/responses.md#s5-3.
 */
export function openCompaction(item: JsonObject, seal: CallerSeal, param: string): JsonObject {
  const { type, encrypted_content: sealed } = item;
  if (type !== "compaction" || typeof sealed !== "string" || !sealed.startsWith(MARK)) return item;
  const summary = seal.open(Buffer.from(sealed.slice(MARK.length), "base64url"), BINDING);
  if (summary === null) throw invalid(param, `${param} was made for another API key and cannot be opened.`);
  const text = `Summary of the conversation so far:\n\n${summary}`;
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
