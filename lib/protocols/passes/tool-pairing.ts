import type { JsonObject } from "@/lib/kernel/json-object";
import type { Part, ToolCallPart, ToolResultPart, Turn } from "@/lib/protocols/generation/parts";
import { refusal, refusedHere, type UnansweredCalls } from "@/lib/protocols/generation/problems";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import type { Rendering } from "./rendering";

/** A call of a history and its result. */
export interface PairedCall {
  readonly part: ToolCallPart;
  /** The id that is sent to the node. */
  readonly id: string;
  /** The result in the node's form; null: not found yet. */
  result: JsonObject | null;
}

/** The writer of one protocol's history. */
export interface HistoryWriter {
  /** The content of an instruction inside the history. */
  systemContent(turn: Turn): JsonObject[];
  userContent(parts: readonly Part[], turn: Turn): JsonObject[];
  /** Writes a turn of the model; `calls` gives the id of each call. */
  assistant(turn: Turn, calls: HistoryWalk): void;
  result(id: string, part: ToolResultPart): JsonObject;
  /** Replaces a result that is missing. */
  missingResult(id: string): JsonObject;
  /** Writes the results of the calls of the model's last turn. */
  results(calls: readonly PairedCall[], inOrderOfArrival: readonly PairedCall[]): void;
  /** A result without a call, as content of a user turn. */
  orphanContent(part: ToolResultPart): JsonObject[];
  /** Adds content that the writer made before. */
  add(role: "system" | "user", content: JsonObject[]): void;
}

const alternative = "tool histories are repaired";

/**
 * Walks a history once: pairs tool calls with their results and writes the results directly after their calls, before
 * other content between them. A call without a result and a result without a call are refused, or repaired in lenient
 * mode. Throws: INVALID_REQUEST in the words of the client's protocol.
 * Source: docs/protocols.md#s4-3, #s5-2, #d4.
 */
export function walkHistory(rendering: Rendering, writer: HistoryWriter): void {
  const walk = new HistoryWalk(rendering, writer);
  for (const turn of rendering.request.turns) walk.visit(turn);
  walk.finish();
}

/** One walk through a history. */
export class HistoryWalk {
  readonly #rendering: Rendering;
  readonly #request: GenerationRequest;
  readonly #writer: HistoryWriter;
  #turn: Turn | null = null;
  #open: OpenCalls | null = null;
  // Content between calls and their results; it is written after the results.
  #postponed: { role: "system" | "user"; content: JsonObject[] }[] = [];

  constructor(rendering: Rendering, writer: HistoryWriter) {
    this.#rendering = rendering;
    this.#request = rendering.request;
    this.#writer = writer;
  }

  /** The id of a call for the node; the walk expects its result from then on. */
  open(part: ToolCallPart): string {
    this.#open ??= new OpenCalls(this.#turn?.source ?? part.source);
    const id = this.#rendering.ids.next(part.callId);
    this.#open.calls.push({ part, id, result: null });
    return id;
  }

  visit(turn: Turn): void {
    this.#turn = turn;
    switch (turn.role) {
      case "system":
      case "developer":
        this.#visitSystem(turn);
        return;
      case "user":
      case "tool":
        if (turn.parts.some(isResult)) this.#visitResults(turn);
        else {
          this.#close();
          this.#writer.add("user", this.#writer.userContent(turn.parts, turn));
        }
        return;
      case "assistant":
        // Adjacent turns of the model are one until a result has arrived.
        if (this.#request.answersFollowCalls || this.#open?.hasResults === true) this.#close();
        this.#writer.assistant(turn, this);
    }
  }

  finish(): void {
    const open = this.#open;
    if (open !== null && !open.hasResults) {
      throw refusal(this.#rendering.words.neverAnswered(open.missing()));
    }
    this.#close();
  }

  #visitSystem(turn: Turn): void {
    if (this.#request.answersFollowCalls) this.#close();
    const content = this.#writer.systemContent(turn);
    const merges = this.#rendering.profile.midSystem === "merge";
    if (!merges && this.#open?.isAnswered === true) this.#close();
    if (merges || this.#open === null) this.#writer.add("system", content);
    else this.#postponed.push({ role: "system", content });
  }

  #visitResults(turn: Turn): void {
    const rest: Part[] = [];
    const orphans: JsonObject[] = [];
    for (const part of turn.parts) {
      if (part.kind !== "tool_result") rest.push(part);
      else if (!this.#take(part)) for (const piece of this.#orphan(part)) orphans.push(piece);
    }
    if (this.#request.answersFollowCalls) {
      this.#close();
      this.#writer.add("user", orphans);
      this.#writer.add("user", this.#writer.userContent(rest, turn));
    } else if (this.#open === null) this.#writer.add("user", orphans);
    else if (orphans.length > 0) this.#postponed.push({ role: "user", content: orphans });
  }

  /** False: the result belongs to no call. */
  #take(part: ToolResultPart): boolean {
    const { target, words, losses } = this.#rendering;
    if (part.callId === null && part.name === null && target.compatibility !== "lenient") {
      throw refusedHere(words.resultWithoutCallId(part), alternative);
    }
    const call = this.#open?.callOf(part) ?? null;
    if (call === null) return false;
    if (call.result === null) {
      call.result = this.#writer.result(call.id, part);
      this.#open?.arrived.push(call);
    } else losses.dropped("duplicate_tool_result");
    return true;
  }

  #orphan(part: ToolResultPart): JsonObject[] {
    const { target, words, losses } = this.#rendering;
    if (target.compatibility !== "lenient") throw refusedHere(words.orphanResult(part), alternative);
    losses.add("changed:orphan_tool_result");
    return this.#writer.orphanContent(part);
  }

  #close(): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    if (!open.isAnswered) this.#fillGaps(open);
    this.#writer.results(open.calls, open.arrived);
    for (const { role, content } of this.#postponed) this.#writer.add(role, content);
    this.#postponed = [];
  }

  #fillGaps(open: OpenCalls): void {
    const { target, words, losses } = this.#rendering;
    if (target.compatibility !== "lenient") throw refusedHere(words.unanswered(open.missing()), alternative);
    losses.add("added:tool_result");
    for (const call of open.calls) {
      if (call.result !== null) continue;
      call.result = this.#writer.missingResult(call.id);
      open.arrived.push(call);
    }
  }
}

/** The calls of one turn of the model, or of adjacent ones. */
class OpenCalls {
  readonly calls: PairedCall[] = [];
  readonly arrived: PairedCall[] = [];
  /** The path of the first turn with calls. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  get hasResults(): boolean {
    return this.arrived.length > 0;
  }

  get isAnswered(): boolean {
    return this.arrived.length === this.calls.length;
  }

  /**
   * The call that a result belongs to: by id, by the tool's name, or the next one for a result with neither. Of several
   * with the same id the first one without a result, else one with a result.
   */
  callOf({ callId, name }: ToolResultPart): PairedCall | null {
    const id = callId ?? (name === null ? this.#nextId : null);
    let answered: PairedCall | null = null;
    for (const call of this.calls) {
      if (id === null ? call.part.name !== name : call.part.callId !== id) continue;
      if (call.result === null) return call;
      answered = call;
    }
    return answered;
  }

  get #nextId(): string {
    return this.calls.find(({ result }) => result === null)?.part.callId ?? "";
  }

  missing(): UnansweredCalls {
    const calls = this.calls.filter(({ result }) => result === null).map(({ part }) => part);
    return { source: this.source, calls };
  }
}

function isResult(part: Part): boolean {
  return part.kind === "tool_result";
}
