import { sha256Base32 } from "@/lib/kernel/hash";

const legalId = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * A tool call id that every client takes: the upstream's own where it is legal, else a hash of it,
 * and a hash of response id and ordinal where the upstream gave none. Source: docs/protocols.md#s7.
 */
export function toolCallId(prefix: string, id: string, responseId: string, slot: number): string {
  if (legalId.test(id)) return id;
  return prefix + sha256Base32(id === "" ? `${responseId}:${slot}` : id, 24);
}
