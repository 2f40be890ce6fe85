import { sha256Base32 } from "@/lib/kernel/hash";

const portable = /^[A-Za-z0-9_-]{1,40}$/;
// No id of a client holds it, so a derived id never meets another one.
const unusable = "\0";

/**
 * A tool call id that every protocol accepts: kept when legal, else hashed behind the protocol's prefix; replacing
 * characters could make two ids one. Pure, so that a call, its result and every later turn agree.
 * Source: docs/protocols.md#s7.
 */
export function portableId(id: string, prefix: string): string {
  return portable.test(id) ? id : prefix + sha256Base32(id, 24);
}

/** The id of a call on its way to a client; a node that gave none gets one of response id and ordinal. */
export function toolCallId(prefix: string, id: string, responseId: string, slot: number): string {
  return portableId(id === "" ? `${responseId}:${slot}` : id, prefix);
}

/**
 * The ids of one request: the n-th call of one and the same id gets an id of its own, because some servers
 * number every call alike and others demand uniqueness. Source: docs/protocols.md#s4-3, #s7.
 */
export class ToolIds {
  private readonly uses = new Map<string, number>();

  constructor(private readonly prefix: string) {}

  /** The id to send for the next call that the client calls `id`. */
  next(id: string): string {
    const use = (this.uses.get(id) ?? 0) + 1;
    this.uses.set(id, use);
    const first = portableId(id === "" ? unusable : id, this.prefix);
    return use === 1 ? first : portableId(`${id}${unusable}${use}`, this.prefix);
  }
}
