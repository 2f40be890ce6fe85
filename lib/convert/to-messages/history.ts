import type { Conversion } from "@/lib/convert/conversion";
import { systemMarker } from "@/lib/convert/system-marker";
import {
  cacheMarker,
  textBlocks,
  toolResultContent,
  userBlocks,
  withMessageMarker,
} from "@/lib/convert/to-messages/content";
import { thinkingBlocks } from "@/lib/convert/to-messages/reasoning";
import { toolInput } from "@/lib/convert/to-messages/tool-input";
import { ToolRun } from "@/lib/convert/to-messages/tool-run";
import { type Turn, TurnList } from "@/lib/convert/to-messages/turns";
import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import type { ChatMessage, ChatToolCall } from "@/lib/protocols/chat/schema";
import { refusedHere } from "@/lib/protocols/generation/compatibility";

/** A chat history in messages terms. */
export interface History {
  system: JsonObject[];
  turns: Turn[];
}

const alternative = "tool histories are repaired";

/**
 * Walks a chat history once: pairs tool calls with their results, gathers each turn's results in one user
 * turn before anything else the user said, and places system messages.
 * Throws: INVALID_REQUEST naming the message. Source: docs/protocols.md#s4-3, #d4.
 */
export function convertHistory(messages: ChatMessage[], conversion: Conversion): History {
  const walker = new HistoryWalker(conversion);
  messages.forEach((message, index) => {
    walker.visit(message, index);
  });
  walker.finish();
  return { system: walker.system, turns: walker.list.turns };
}

class HistoryWalker {
  readonly system: JsonObject[] = [];
  readonly list = new TurnList();
  private run: ToolRun | null = null;
  // What arrived between calls and their results, and therefore has to come after them.
  private postponed: Turn[] = [];

  constructor(private readonly conversion: Conversion) {}

  visit(message: ChatMessage, index: number): void {
    const at = `messages[${index}]`;
    switch (message.role) {
      case "system":
      case "developer":
        this.visitSystem(message, at);
        break;
      case "user":
        this.visitUser(message, at);
        break;
      case "assistant":
        this.visitAssistant(message, index);
        break;
      case "tool":
      case "function":
        this.visitResult(message, at);
    }
  }

  finish(): void {
    const run = this.run;
    if (run !== null && !run.hasResults) {
      throw invalid(
        "messages",
        `messages: tool_calls at index ${run.index} have no results; add a tool message for each call.`,
      );
    }
    this.closeRun();
  }

  private visitSystem(message: ChatMessage, at: string): void {
    const blocks = withMessageMarker(message, textBlocks(message.content, at, this.conversion));
    const { midSystem } = this.conversion.profile;
    const leads = this.list.turns.length === 0 && this.run === null;
    if (leads || midSystem === "merge") {
      this.system.push(...blocks);
      return;
    }
    if (this.run !== null && this.run.unanswered.length === 0) this.closeRun();
    const placed =
      midSystem === "native" ? { role: "system" as const, content: blocks } : this.asUserText(blocks);
    if (this.run === null) this.list.push(placed.role, placed.content);
    else this.postponed.push(placed);
  }

  private asUserText(blocks: JsonObject[]): Turn {
    const marked = blocks.map((block) => ({ ...block, text: `${systemMarker}\n${String(block.text)}` }));
    return { role: "user", content: marked };
  }

  private visitUser(message: ChatMessage, at: string): void {
    this.closeRun();
    this.list.push("user", withMessageMarker(message, userBlocks(message.content, at, this.conversion)));
  }

  private visitAssistant(message: ChatMessage, index: number): void {
    const at = `messages[${index}]`;
    // Consecutive assistant messages are one turn as long as no result has arrived.
    if (this.run?.hasResults === true) this.closeRun();
    if (message.audio != null)
      throw invalid(`${at}.audio`, `${at}.audio: this model takes no audio; send the transcript as content.`);
    const thinking = thinkingBlocks(message, this.conversion);
    const text = [...textBlocks(message.content, at, this.conversion), ...refusalBlocks(message)];
    const calls = this.callBlocks(message, index);
    this.list.push("assistant", withMessageMarker(message, [...thinking, ...text, ...calls]));
  }

  private callBlocks(message: ChatMessage, index: number): JsonObject[] {
    const calls = message.tool_calls ?? [];
    // Some servers leave an empty stub of the older field beside tool_calls.
    const older = calls.length === 0 && message.function_call?.name ? message.function_call : null;
    if (calls.length === 0 && older === null) return [];
    this.run ??= new ToolRun(index);
    if (older !== null) return [this.addCall(`function#${index}`, older.name, older.arguments)];
    return calls.map((call, ordinal) => this.callBlock(call, `messages[${index}].tool_calls[${ordinal}]`));
  }

  private callBlock(call: ChatToolCall, at: string): JsonObject {
    if (call.type != null && call.type !== "function" && call.type !== "") {
      throw invalid(`${at}.type`, `${at}.type must be function.`);
    }
    if (call.function == null)
      throw invalid(`${at}.function`, `${at}.function must name the function that was called.`);
    return this.addCall(call.id ?? "", call.function.name, call.function.arguments);
  }

  private addCall(clientId: string, name: string, args: unknown): JsonObject {
    const id = this.conversion.ids.next(clientId);
    this.run?.calls.push({ clientId, id, name, result: null });
    return {
      type: "tool_use",
      id,
      name: this.conversion.names.send(name),
      input: toolInput(args, this.conversion.warnings),
    };
  }

  private visitResult(message: ChatMessage, at: string): void {
    const content = toolResultContent(message.content, at, this.conversion);
    const result = { type: "tool_result", content, ...cacheMarker(message) };
    const answer = this.match(message, at, result);
    if (answer === "duplicate") this.conversion.warnings.dropped("duplicate_tool_result");
    if (answer === "orphan") this.keepOrphan(message, at, content);
  }

  private match(message: ChatMessage, at: string, result: JsonObject) {
    if (message.role === "function") return this.run?.answerByName(message.name ?? "", result) ?? "orphan";
    if (message.tool_call_id == null && this.conversion.context.compatibility !== "lenient") {
      throw refusedHere(
        `${at}.tool_call_id`,
        `${at}.tool_call_id must be the id of the call it answers.`,
        alternative,
      );
    }
    const next = this.run?.unanswered[0]?.clientId ?? "";
    return this.run?.answer(message.tool_call_id ?? next, result) ?? "orphan";
  }

  private keepOrphan(message: ChatMessage, at: string, content: string | JsonObject[]): void {
    const field = message.role === "function" ? "name" : "tool_call_id";
    if (this.conversion.context.compatibility !== "lenient") {
      throw refusedHere(
        `${at}.${field}`,
        `${at}.${field} must belong to a call of the assistant message before it.`,
        alternative,
      );
    }
    this.conversion.warnings.add("changed:orphan_tool_result");
    const note = {
      type: "text",
      text: `[result of an earlier tool call]${typeof content === "string" ? `\n${content}` : ""}`,
    };
    const turn: Turn = { role: "user", content: typeof content === "string" ? [note] : [note, ...content] };
    if (this.run === null) this.list.push("user", turn.content);
    else this.postponed.push(turn);
  }

  private closeRun(): void {
    const run = this.run;
    if (run === null) return;
    this.run = null;
    if (run.unanswered.length > 0) this.fillGaps(run);
    this.list.push("user", run.results());
    for (const turn of this.postponed) this.list.push(turn.role, turn.content);
    this.postponed = [];
  }

  private fillGaps(run: ToolRun): void {
    const ids = run.unanswered.map((call) => call.clientId || call.name).join(", ");
    if (this.conversion.context.compatibility !== "lenient") {
      const at = `messages[${run.index}].tool_calls`;
      throw refusedHere(at, `${at}: no tool message answers ${ids}; add one for each call.`, alternative);
    }
    this.conversion.warnings.add("added:tool_result");
    for (const call of run.unanswered) {
      call.result = { type: "tool_result", content: "no result provided", is_error: true };
    }
  }
}

function refusalBlocks(message: ChatMessage): JsonObject[] {
  const refusal = message.refusal;
  return typeof refusal === "string" && refusal.trim() !== "" ? [{ type: "text", text: refusal }] : [];
}
