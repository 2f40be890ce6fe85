import { GatewayError } from "./errors";

/** Refuses a body that is not declared as JSON. Throws: UNSUPPORTED_MEDIA_TYPE. */
export function requireJsonType(contentType: string | null | undefined): void {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json.");
}

/** The bearer token of an `Authorization` header; null when there is none. */
export function bearerToken(authorization: string | null | undefined): string | null {
  if (authorization == null) return null;
  if (USUAL_TOKEN.test(authorization)) return authorization.slice("Bearer ".length);
  return /^bearer\s+(\S.*)$/i.exec(authorization.trim())?.[1] ?? null;
}

/** The form that most clients send. */
const USUAL_TOKEN = /^Bearer [\w.-]+$/;

/** Whether the client has this representation, by its `If-None-Match` header. See RFC 9110 13.1.2. */
export function isKnown(header: string | null | undefined, etag: string): boolean {
  if (header == null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag));
}
