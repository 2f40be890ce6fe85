import type { Conversion } from "@/lib/convert/conversion";
import { assistantMessage, type OpenCall } from "@/lib/convert/to-chat/assistant";
import { userParts } from "@/lib/convert/to-chat/parts";
import { markedSystemText, systemMessage, systemParts, systemTurnParts } from "@/lib/convert/to-chat/system";
import { ToolMessages } from "@/lib/convert/to-chat/tool-results";
import { type MergedTurn, mergeTurns, type PlacedBlock } from "@/lib/convert/to-chat/turns";
import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import { refusedHere } from "@/lib/protocols/generation/compatibility";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";

const alternative = "tool histories are repaired";

/**
 * A messages history as chat messages. Throws: INVALID_REQUEST naming the place. Source: docs/protocols.md#s5-2, #s5-3,
 * #d4, #d8.
 */
export function convertHistory(request: MessagesRequest, conversion: Conversion): JsonObject[] {
  const writer = new HistoryWriter(conversion, systemParts(request.system, conversion));
  for (const turn of mergeTurns(request.messages)) writer.write(turn);
  return writer.finish();
}

class HistoryWriter {
  private readonly messages: JsonObject[] = [];
  private readonly userBuffer: JsonObject[] = [];
  private open: OpenCall[] = [];
  private openAt = "";

  constructor(
    private readonly conversion: Conversion,
    private readonly system: JsonObject[],
  ) {}

  write(turn: MergedTurn): void {
    switch (turn.role) {
      case "system":
        this.writeSystem(turn);
        break;
      case "user":
        this.writeUser(turn);
        break;
      case "assistant":
        this.writeAssistant(turn);
    }
  }

  finish(): JsonObject[] {
    const missing = this.unanswered();
    if (missing.length > 0) {
      const { param, message } = this.unanswerable(missing);
      throw invalid(param, message);
    }
    this.flushUser();
    this.markPrefill();
    if (this.messages.length === 0) {
      throw invalid("messages", "messages must hold at least one user or assistant message with content.");
    }
    const first = systemMessage(this.system, this.conversion);
    return first === null ? this.messages : [first, ...this.messages];
  }

  private writeSystem(turn: MergedTurn): void {
    this.closeCalls(new ToolMessages(this.conversion), turn.at);
    const parts = systemTurnParts(turn.source, turn.at, this.conversion);
    switch (this.conversion.profile.midSystem) {
      case "merge":
        this.system.push(...parts);
        return;
      case "user":
        this.userBuffer.push(...markedSystemText(parts));
        return;
      case "native": {
        this.flushUser();
        const message = systemMessage(parts, this.conversion);
        if (message !== null) this.messages.push(message);
      }
    }
  }

  private writeUser(turn: MergedTurn): void {
    const tools = new ToolMessages(this.conversion);
    const rest: PlacedBlock[] = [];
    const orphans: JsonObject[] = [];
    for (const placed of turn.blocks) {
      if (placed.block.type === "tool_result") orphans.push(...this.writeResult(placed, tools));
      else rest.push(placed);
    }
    this.closeCalls(tools, turn.at);
    this.userBuffer.push(...tools.media, ...orphans);
    for (const { block, at } of rest) this.userBuffer.push(...userParts(block, at, this.conversion));
  }

  private writeResult({ block, at }: PlacedBlock, tools: ToolMessages): JsonObject[] {
    const clientId = block.tool_use_id;
    const call = this.open.find((open) => open.clientId === clientId && !open.answered);
    if (call !== undefined) {
      call.answered = true;
      tools.add(call.id, block, at);
      return [];
    }
    if (this.open.some((open) => open.clientId === clientId)) {
      this.conversion.warnings.dropped("duplicate_tool_result");
      return [];
    }
    return this.orphan(block, at);
  }

  private orphan(block: JsonObject, at: string): JsonObject[] {
    if (this.conversion.context.compatibility !== "lenient") {
      throw refusedHere(
        `${at}.tool_use_id`,
        `${at}.tool_use_id: unexpected id ${String(block.tool_use_id)}; each tool_result block must have a tool_use block in the previous message.`,
        alternative,
      );
    }
    this.conversion.warnings.add("changed:orphan_tool_result");
    const loose = new ToolMessages(this.conversion);
    loose.add("", block, at);
    const content = loose.messages[0]?.content;
    const parts = Array.isArray(content) ? content : [{ type: "text", text: String(content ?? "") }];
    return [{ type: "text", text: "[result of an earlier tool call]" }, ...parts, ...loose.media];
  }

  private writeAssistant(turn: MergedTurn): void {
    this.closeCalls(new ToolMessages(this.conversion), turn.at);
    const { message, calls } = assistantMessage(turn.blocks, this.conversion);
    if (message === null) return;
    this.flushUser();
    this.messages.push(message);
    this.open = calls;
    this.openAt = turn.at;
  }

  private unanswered(): OpenCall[] {
    return this.open.filter((call) => !call.answered);
  }

  // The results follow their calls at once; a call without one is an error or gets a stand-in.
  private closeCalls(tools: ToolMessages, at: string): void {
    const missing = this.unanswered();
    if (missing.length > 0) {
      if (this.conversion.context.compatibility !== "lenient") {
        const { param, message } = this.unanswerable(missing);
        throw refusedHere(param, message, alternative);
      }
      this.conversion.warnings.add("added:tool_result");
      for (const call of missing) tools.add(call.id, { content: "no result provided", is_error: true }, at);
    }
    this.open = [];
    this.messages.push(...tools.messages);
  }

  private unanswerable(missing: OpenCall[]): { param: string; message: string } {
    const ids = missing.map((call) => call.clientId).join(", ");
    const message = `${this.openAt}: tool_use ids were found without tool_result blocks immediately after: ${ids}. Each tool_use block must have a corresponding tool_result block in the next message.`;
    return { param: this.openAt, message };
  }

  private flushUser(): void {
    const parts = this.userBuffer.splice(0);
    if (parts.length > 0) this.messages.push({ role: "user", content: this.userContent(parts) });
  }

  private userContent(parts: JsonObject[]): string | JsonObject[] {
    const onlyText = parts.every(
      (part) => part.type === "text" && part.prompt_cache_breakpoint === undefined,
    );
    if (onlyText && (parts.length === 1 || this.conversion.profile.stringContent)) {
      return parts.map((part) => String(part.text)).join("\n");
    }
    return parts;
  }

  private markPrefill(): void {
    const last = this.messages.at(-1);
    if (last?.role !== "assistant") return;
    const { prefill, prefillField } = this.conversion.profile;
    if (!prefill) {
      throw invalid(
        "messages",
        "messages: this model does not support assistant message prefill; the last message must be from the user.",
      );
    }
    if (prefillField !== null) last[prefillField] = true;
  }
}
