import { sha256Hex } from "@/lib/kernel/hash";

const illegal = /[^A-Za-z0-9_-]/g;

/**
 * Tool names of one request. A name the upstream would refuse gets an alias that is a pure function of it;
 * the answer is translated back with `aliases`. Source: docs/protocols.md#s7.
 */
export class ToolNames {
  /** Upstream name to the client's name, for changed names only. */
  readonly aliases = new Map<string, string>();
  private readonly taken = new Map<string, string>();

  constructor(private readonly maxLength: number) {}

  /** The name to send for the client's `name`; the same for the same name. */
  send(name: string): string {
    if (this.isLegal(name) && this.isFree(name, name)) return this.take(name, name);
    const short = this.alias(name, 8);
    return this.take(this.isFree(short, name) ? short : this.alias(name, 16), name);
  }

  private isLegal(name: string): boolean {
    return name.length > 0 && name.length <= this.maxLength && !name.match(illegal);
  }

  private isFree(sent: string, name: string): boolean {
    const owner = this.taken.get(sent);
    return owner === undefined || owner === name;
  }

  private alias(name: string, hexDigits: number): string {
    const room = Math.min(55, this.maxLength - 1 - hexDigits);
    return `${name.replace(illegal, "_").slice(0, room)}_${sha256Hex(name).slice(0, hexDigits)}`;
  }

  private take(sent: string, name: string): string {
    this.taken.set(sent, name);
    if (sent !== name) this.aliases.set(sent, name);
    return sent;
  }
}
