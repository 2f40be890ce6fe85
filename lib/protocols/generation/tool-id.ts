import { createHash } from "node:crypto";
import type { Protocol } from "@/lib/protocols/protocol";

const legalId = /^[A-Za-z0-9_-]{1,40}$/;
const prefixes: Readonly<Record<Protocol, string>> = { chat: "call_", messages: "toolu_" };
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * A tool call id that a client of the protocol takes: the upstream's own where it is legal, else a hash of it,
 * and a hash of response id and ordinal where the upstream gave none. Source: docs/protocols.md#s7.
 */
export function toolCallId(protocol: Protocol, id: string, responseId: string, slot: number): string {
  if (legalId.test(id)) return id;
  return prefixes[protocol] + base32(id === "" ? `${responseId}:${slot}` : id);
}

function base32(text: string): string {
  const digest = createHash("sha256").update(text).digest();
  let out = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of digest.subarray(0, 15)) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += alphabet.charAt((buffer >> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return out;
}
