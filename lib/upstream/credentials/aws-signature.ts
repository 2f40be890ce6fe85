import { createHash, createHmac } from "node:crypto";
import type { AwsKeys } from "./aws-keys";
import type { AwsTarget } from "./aws-target";
import { SigningKeys } from "./signing-keys";

/**
 * A request as it is sent. Shape: `url` is the one that is dialled, so that its path and host are those on the wire;
 * `contentType` is null for a request without a body.
 */
export interface UnsignedRequest {
  method: string;
  url: URL;
  contentType: string | null;
  body: Uint8Array | string;
}

/** The headers to add to a request. Shape: lower-case names. */
export type SignedHeaders = Record<string, string>;

const MAX_SIGNING_KEYS = 256;
const signingKeys = new SigningKeys(MAX_SIGNING_KEYS);

/**
 * The headers that sign a request by AWS Signature Version 4. Signed are the host, the type, the hash of the body, the
 * time and the session token, nothing else: what a proxy adds or changes breaks no signature. Each sending of a request
 * is signed anew. The path is encoded once more than on the wire and not normalised.
 *
 * Units: `at` is the time of the host that checks, which is the own one plus the host's skew.
 * Source: docs/clouds.md#signing.
 */
export function signAwsRequest(
  request: UnsignedRequest,
  keys: AwsKeys,
  target: AwsTarget,
  at: Date,
): SignedHeaders {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const bodyHash = createHash("sha256").update(request.body).digest("hex");
  const added: SignedHeaders = { "x-amz-content-sha256": bodyHash, "x-amz-date": time };
  if (keys.sessionToken !== null) added["x-amz-security-token"] = keys.sessionToken;

  const signed: SignedHeaders = { host: request.url.host, ...added };
  if (request.contentType !== null) signed["content-type"] = request.contentType;
  const names = Object.keys(signed).sort();
  const canonical = [
    request.method.toUpperCase(),
    canonicalPath(request.url.pathname),
    canonicalQuery(request.url.search),
    ...names.map((name) => `${name}:${(signed[name] ?? "").trim().replace(/\s+/g, " ")}`),
    "",
    names.join(";"),
    bodyHash,
  ].join("\n");

  const scope = `${day}/${target.region}/${target.service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const signature = createHmac("sha256", signingKeys.get(keys, target, day))
    .update(toSign)
    .digest("hex");
  const credential = `Credential=${keys.accessKeyId}/${scope}`;
  added.authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return added;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Each segment of the path on the wire, encoded again: `%2F` becomes `%252F`, `:` becomes `%3A`. */
function canonicalPath(pathname: string): string {
  return pathname.split("/").map(encode).join("/");
}

/** The parameters sorted by their encoded names, then values. A plus sign is a blank, as `URLSearchParams` writes it. */
function canonicalQuery(search: string): string {
  if (search.length < 2) return "";
  const pairs = search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      const name = at === -1 ? pair : pair.slice(0, at);
      const value = at === -1 ? "" : pair.slice(at + 1);
      return [encode(decode(name)), encode(decode(value))] as const;
    });
  pairs.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  return pairs.map(([name, value]) => `${name}=${value}`).join("&");
}

/** By code units, which for ASCII are the bytes. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The text of a part of a query; a percent sign without two digits stands for itself. */
function decode(part: string): string {
  const text = part.replaceAll("+", " ");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes all but letters, digits and `-_.~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
