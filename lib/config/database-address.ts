import { z } from "zod";
import { namesSeveralHosts, ONE_HOST } from "@/lib/db/database-url";
import { BLANKS_IN_ADDRESS, hasBlanks } from "@/lib/kernel/address-text";

const FORM = "an address such as postgres://user:password@host:5432/name";
const ENCODE =
  "in a user name or password, write % as %25, @ as %40, / as %2F, : as %3A, # as %23 and ? as %3F";
/** The modes that PostgreSQL's own programs accept. */
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/**
 * The URL of PostgreSQL. A password that is not percent-encoded ends the host name of a URL early, and a part of it
 * would be looked up as a host and written to the log. Source: docs/contract.md#database-url.
 */
export function databaseAddress() {
  return z
    .string()
    .refine((text) => /^postgres(ql)?:\/\//.test(text), {
      error: "must be an address beginning with postgres:// or postgresql://",
      abort: true,
    })
    .refine((text) => !namesSeveralHosts(text), { error: ONE_HOST, abort: true })
    .refine((text) => !hasBlanks(text), { error: `${BLANKS_IN_ADDRESS}; ${ENCODE}`, abort: true })
    .refine(isEncoded, { error: `must be ${FORM}; ${ENCODE}`, abort: true })
    .refine(
      (text) => {
        const mode = new URL(text).searchParams.get("sslmode");
        return mode === null || SSL_MODES.includes(mode);
      },
      `has an unknown sslmode; it must be one of ${SSL_MODES.join(", ")}`,
    );
}

function isEncoded(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  // The host follows the last @ of the text.
  if (`${pathname}${search}${hash}`.includes("@") || hash !== "") return false;
  return [username, password, pathname].every(isDecodable);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
