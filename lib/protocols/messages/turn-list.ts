import type { JsonObject } from "@/lib/kernel/json";

/** One turn of a messages request. */
export interface RenderedTurn {
  role: "user" | "assistant" | "system";
  content: JsonObject[];
}

/** Turns of alternating roles: neighbours of one role are one turn, and no turn is empty. Source: docs/protocols.md#s4-3. */
export class TurnList {
  readonly turns: RenderedTurn[] = [];

  /** Takes a turn; `content` is the list's own from now on. */
  push(role: RenderedTurn["role"], content: JsonObject[]): void {
    if (content.length === 0) return;
    const last = this.turns.at(-1);
    if (last?.role === role) for (const block of content) last.content.push(block);
    else this.turns.push({ role, content });
  }
}
