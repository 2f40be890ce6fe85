import { createCipheriv, createDecipheriv, timingSafeEqual } from "node:crypto";
import { keyedHash } from "@/lib/kernel/hash";
import { parseJson } from "@/lib/kernel/parse-json";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";

/** The beginning of an envelope: the base64url characters of `tg1.` that do not depend on the next byte. */
const envelopePrefix = "dGcxL";
const mark = Buffer.from("tg1.");
/** The beginning of the tags of former versions. */
const tagPrefix = "gw1.";

const CIPHER = "aes-256-gcm";
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = mark.length + ID_BYTES + NONCE_BYTES;

/** A key of 32 bytes, and its id: 8 hex digits. */
export interface SealKey {
  id: string;
  key: Buffer;
}

/** The content of an envelope. `origin` identifies the nodes that can read the reasoning inside. */
export interface Envelope {
  origin: string;
  reasoning: NodeReasoning;
}

/**
 * Seals reasoning of a node as text that only the gateway can read; the client stores it and sends it back.
 * Shape: base64url of `tg1.`, the key's id, the nonce, the ciphertext and its tag; `nonce` has 12 bytes and is never
 * used twice. Source: docs/protocols.md#s8-3.
 */
export function sealReasoning({ origin, reasoning }: Envelope, { id, key }: SealKey, nonce: Buffer): string {
  const cipher = createCipheriv(CIPHER, key, nonce);
  const head = Buffer.concat([mark, Buffer.from(id, "hex"), nonce]);
  cipher.setAAD(head);
  const { text, signature, opaque, id: item = null } = reasoning;
  const content = JSON.stringify([origin, text, signature, opaque, item]);
  const sealed = Buffer.concat([head, cipher.update(content, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString("base64url");
}

/** Opens what `sealReasoning` sealed with one of the keys; null for anything else. Throws: nothing. */
export function openReasoning(sealed: string, keys: readonly SealKey[]): Envelope | null {
  if (!sealed.startsWith(envelopePrefix)) return null;
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < HEAD_BYTES + TAG_BYTES) return null;
  const id = bytes.toString("hex", mark.length, mark.length + ID_BYTES);
  const found = keys.find((candidate) => candidate.id === id);
  const content = found === undefined ? null : decrypted(bytes, found.key);
  return content === null ? null : envelopeOf(parseJson(content));
}

function decrypted(bytes: Buffer, key: Buffer): string | null {
  const nonce = bytes.subarray(HEAD_BYTES - NONCE_BYTES, HEAD_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bytes.subarray(0, HEAD_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const content = decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([content, decipher.final()]).toString("utf8");
  } catch {
    return null; // the text was changed
  }
}

function envelopeOf(content: unknown): Envelope | null {
  if (!Array.isArray(content)) return null;
  const [origin, text, signature, opaque, id] = content.map((value: unknown) =>
    typeof value === "string" ? value : null,
  );
  if (origin == null) return null;
  const reasoning: NodeReasoning = {
    text: text ?? "",
    signature: signature ?? null,
    opaque: opaque ?? null,
  };
  return { origin, reasoning: id == null ? reasoning : { ...reasoning, id } };
}

/** True for anything that the gateway sealed or tagged, for any purpose. */
export function isGatewayTag(value: unknown): boolean {
  return typeof value === "string" && (value.startsWith(envelopePrefix) || value.startsWith(tagPrefix));
}

/**
 * The opaque reasoning in a tag of a former version; null when the gateway did not issue the tag for this alias.
 * Source: docs/protocols.md#s8-3.
 */
export function openTag(tagged: string, alias: string, key: string): string | null {
  const end = tagged.startsWith(tagPrefix) ? tagged.indexOf(".", tagPrefix.length) : -1;
  if (end < 0) return null;
  const data = tagged.slice(end + 1);
  const made = `${tagPrefix}${keyedHash(key, "opaque", `${alias}\n${data}`)}.${data}`;
  return sameText(tagged, made) ? data : null;
}

function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
