import type { JsonObject } from "@/lib/kernel/json";

/** One turn of a messages request. */
export interface Turn {
  role: "user" | "assistant" | "system";
  content: JsonObject[];
}

/**
 * Turns of alternating roles: neighbours of one role are one turn, and no turn is empty.
 * Source: docs/protocols.md#s4-3.
 */
export class TurnList {
  readonly turns: Turn[] = [];

  push(role: Turn["role"], content: JsonObject[]): void {
    if (content.length === 0) return;
    const last = this.turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else this.turns.push({ role, content: [...content] });
  }
}
