import { badField, GatewayError } from "@/lib/kernel/errors";
import { checkJsonShape } from "@/lib/kernel/read-json";
import { requireJsonType } from "@/lib/kernel/request-headers";

/** Bodies of `/api` are forms and much smaller. Units: bytes. */
const MAX_BYTES = 1024 * 1024;

/** Characters that PostgreSQL cannot store in text: NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The JSON object of a request. Throws: UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_REQUEST.
 * Source: docs/reliability.md#s3-10.
 */
export async function readJson(request: Request): Promise<unknown> {
  refuseEncoding(request.headers.get("content-encoding"));
  requireJsonType(request.headers.get("content-type"));
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BYTES) throw tooLarge();
  const raw = await readAll(request.body);
  if (raw.length === 0) throw badField("body", "is empty; a JSON object is wanted");
  const text = readable(() => utf8.decode(raw));
  checkJsonShape(text);
  const value: unknown = readable(() => JSON.parse(text));
  refuseUnstorable(value);
  return value;
}

/** Refuses texts that the database cannot store, including member names. Throws: INVALID_REQUEST. */
export function refuseUnstorable(value: unknown): void {
  const unstorable = findUnstorable(value, "");
  if (unstorable !== null) throw badField(unstorable, "holds a NUL or half a surrogate pair");
}

function refuseEncoding(encoding: string | null): void {
  if (encoding === null || encoding === "identity") return;
  throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", "Send the body without Content-Encoding.");
}

async function readAll(body: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new GatewayError("INVALID_REQUEST", "The body is not valid JSON.", {
      fields: { body: ["is not valid JSON"] },
      cause,
    });
  }
}

function findUnstorable(value: unknown, path: string): string | null {
  if (typeof value === "string") return UNSTORABLE.test(value) ? path || "body" : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, part] of Object.entries(value)) {
    if (UNSTORABLE.test(name)) return path || "body";
    const found = findUnstorable(part, path === "" ? name : `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

function tooLarge(): GatewayError {
  return new GatewayError("PAYLOAD_TOO_LARGE", `The body is larger than ${MAX_BYTES} bytes.`);
}
