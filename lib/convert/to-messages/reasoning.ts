import type { Conversion } from "@/lib/convert/conversion";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { ChatMessage } from "@/lib/protocols/chat/schema";
import { isGatewayTag } from "@/lib/protocols/passes/reasoning-seal";

/**
 * The thinking blocks a chat client replays in `reasoning_details`, byte for byte and in order. Text without a
 * signature is dropped: no upstream takes it, and a signature must never be made up. Source: docs/protocols.md#s8-4.
 */
export function thinkingBlocks(message: ChatMessage, conversion: Conversion): JsonObject[] {
  const details = Array.isArray(message.reasoning_details) ? message.reasoning_details.filter(isObject) : [];
  const reader = new DetailsReader();
  for (const detail of details) reader.read(detail);
  const { blocks, lost } = reader.finish();
  const plain = [message.reasoning_content, message.reasoning].some(
    (text) => typeof text === "string" && text !== "",
  );
  if (lost || (plain && blocks.length === 0)) conversion.warnings.dropped("reasoning_content");
  return blocks;
}

/** Streamed details arrive as fragments; a signature closes the text that came before it. */
class DetailsReader {
  private readonly blocks: JsonObject[] = [];
  private pending: { text: string; index: unknown } | null = null;
  private lost = false;

  read(detail: JsonObject): void {
    if (isForeign(detail)) {
      this.lost = true;
    } else if (detail.type === "reasoning.text") {
      this.readText(detail);
    } else if (detail.type === "reasoning.encrypted" && typeof detail.data === "string") {
      this.dropPending();
      if (isGatewayTag(detail.data)) this.lost = true;
      else this.blocks.push({ type: "redacted_thinking", data: detail.data });
    } else {
      this.lost = true;
    }
  }

  finish(): { blocks: JsonObject[]; lost: boolean } {
    this.dropPending();
    return { blocks: this.blocks, lost: this.lost };
  }

  private readText(detail: JsonObject): void {
    if (this.pending !== null && this.pending.index !== detail.index) this.dropPending();
    this.pending ??= { text: "", index: detail.index };
    if (typeof detail.text === "string") this.pending.text += detail.text;
    if (typeof detail.signature !== "string" || detail.signature === "") return;
    if (isGatewayTag(detail.signature)) this.lost = true;
    else this.blocks.push({ type: "thinking", thinking: this.pending.text, signature: detail.signature });
    this.pending = null;
  }

  private dropPending(): void {
    if (this.pending !== null && this.pending.text !== "") this.lost = true;
    this.pending = null;
  }
}

function isForeign(detail: JsonObject): boolean {
  return typeof detail.format === "string" && !detail.format.startsWith("anthropic");
}
