import { X509Certificate } from "node:crypto";
import { certificateBlocks } from "@/lib/kernel/certificates";

/** What is wrong with certificates that have the form of PEM; null: each can be read. */
export function unreadableCertificate(pem: string | null | undefined): string | null {
  return certificateBlocks(pem ?? "").every(isCertificate) ? null : "has a certificate that cannot be read";
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).subject !== null;
  } catch {
    return false;
  }
}

/** What is wrong with a certificate, by the error code of Node.js, and what to do. Null: another code. */
export function certificateTrouble(code: string): string | null {
  const known = troubles[code];
  if (known !== undefined) return known;
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)
    ? `the TLS certificate is not valid (${code})`
    : null;
}

const UNKNOWN_CA =
  "the certificate is signed by no authority that is trusted here: set `ca` to the certificate of its CA";

const troubles: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed certificate: set `ca` to this certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "self-signed certificate in the chain: set `ca` to the certificate of its CA",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  CERT_HAS_EXPIRED: "the certificate has expired: renew it on the node",
  CERT_NOT_YET_VALID: "the certificate is not valid yet: check the clocks of the node and of this server",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host name than that of the base URL",
  ERR_SSL_WRONG_VERSION_NUMBER: "the node does not speak TLS at this port: use http in the base URL",
};
