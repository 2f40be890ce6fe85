import { isIP } from "node:net";
import { z } from "zod";
import { isSentinelAddress, sentinelAddress } from "@/lib/config/redis-address";
import { BLANKS_IN_ADDRESS, hasBlanks } from "@/lib/kernel/address-text";

/** An absolute URL with one of the given schemes, e.g. `https:`. */
function addressOf(...schemes: string[]) {
  const wanted = schemes.map((scheme) => `${scheme}//`).join(" or ");
  return z
    .string()
    .refine((text) => schemes.includes(schemeOf(text)), {
      error: `must be an address beginning with ${wanted}`,
      abort: true,
    })
    .refine((text) => !hasBlanks(text), { error: BLANKS_IN_ADDRESS, abort: true });
}

function schemeOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : "";
}

/** The address of a Redis server, or of the Sentinels that name it. Source: docs/contract.md#redis. */
export function redisUrl() {
  return z.string().superRefine((text, context) => {
    if (isSentinelAddress(text)) {
      if (sentinelAddress(text) === null)
        context.addIssue(
          "must be redis+sentinel://user:password@host:26379,host:26379/name, with special characters percent-encoded",
        );
    } else if (!["redis:", "rediss:"].includes(schemeOf(text)))
      context.addIssue(
        "must be an address beginning with redis:// or rediss://, or with redis+sentinel:// or rediss+sentinel:// and a name at its end",
      );
  });
}

/**
 * The address that browsers and clients use. Pages and cookies need the root of a host name.
 * Source: docs/contract.md#public-url.
 */
export function publicAddress() {
  return addressOf("http:", "https:")
    .refine((text) => {
      const { username, password, search, hash } = new URL(text);
      return [username, password, search, hash].every((part) => part === "") && !/[?#]/.test(text);
    }, "must have no user name, password, query or fragment")
    .refine(
      (text) => /^\/*$/.test(new URL(text).pathname),
      "must have no path: the pages need a host name of their own, such as https://gateway.example.com. Below a path a reverse proxy can serve the model API alone: docs/contract.md#public-url",
    );
}

/** Where to listen: an address or a host name. */
export function listenHost() {
  return (
    z
      .string()
      // A listener needs an IPv6 address without the brackets of a URL.
      .transform((host) => host.replace(/^\[(.*)\]$/, "$1"))
      .refine(
        (host) => isIP(host) !== 0 || /^[A-Za-z0-9._-]+$/.test(host),
        "must be an address or a host name such as 127.0.0.1 or 0.0.0.0, without scheme, port and path",
      )
  );
}

/** Comma-separated browser origins without a path. */
export function origins() {
  return z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(
      z.array(
        z
          .string()
          .regex(/^[a-z][a-z0-9+.-]*:\/\/[^/\s?#@*]+$/i, "must be origins such as https://chat.example.org"),
      ),
    );
}
