import type { JsonObject } from "@/lib/kernel/json";

/** One tool call of an assistant turn, waiting for its result. */
interface PendingCall {
  /** The id the client uses, perhaps empty or not unique. */
  clientId: string;
  /** The id that goes to the upstream. */
  id: string;
  name: string;
  result: JsonObject | null;
}

/** What became of a result: taken, a second one for an answered call, or one nobody asked for. */
export type Answer = "taken" | "duplicate" | "orphan";

/** The calls of one assistant turn and the results that have arrived. Source: docs/protocols.md#s4-3 (tool pairing). */
export class ToolRun {
  readonly calls: PendingCall[] = [];
  /** Where the first calling message stands in the client's list. */
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }

  get hasResults(): boolean {
    return this.calls.some((call) => call.result !== null);
  }

  get unanswered(): PendingCall[] {
    return this.calls.filter((call) => call.result === null);
  }

  /** Takes a result by call id; of calls with one and the same id the first unanswered one. */
  answer(clientId: string, result: JsonObject): Answer {
    return this.take(
      this.calls.filter((call) => call.clientId === clientId),
      result,
    );
  }

  /** Takes the result of an older `function` message: it knows only the name. */
  answerByName(name: string, result: JsonObject): Answer {
    return this.take(
      this.calls.filter((call) => call.name === name),
      result,
    );
  }

  /** All results, in the order of the calls. */
  results(): JsonObject[] {
    return this.calls.flatMap((call) =>
      call.result === null ? [] : [{ ...call.result, tool_use_id: call.id }],
    );
  }

  private take(matching: PendingCall[], result: JsonObject): Answer {
    const open = matching.find((call) => call.result === null);
    if (open === undefined) return matching.length > 0 ? "duplicate" : "orphan";
    open.result = result;
    return "taken";
  }
}
