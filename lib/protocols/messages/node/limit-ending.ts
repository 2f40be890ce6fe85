import { printJson } from "@/lib/kernel/exact-json";
import type { LimitEnding } from "@/lib/protocols/adapters/decoder";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/**
 * Ends a messages stream that is cut at its output limit; closes the open block first. Source:
 * docs/reliability.md#s4-4.
 */
export class MessagesLimitEnding implements LimitEnding {
  #openBlock: string | null = null;

  watch(frame: SseFrame): void {
    if (frame.event === "content_block_start") this.#openBlock = frame.data;
    else if (frame.event === "content_block_stop") this.#openBlock = null;
  }

  frames(output: number): SseFrame[] {
    const index = /"index"\s*:\s*(\d+)/.exec(this.#openBlock ?? "")?.[1];
    const delta = { stop_reason: "max_tokens", stop_sequence: null };
    return [
      ...(index === undefined ? [] : [frameOf({ type: "content_block_stop", index: Number(index) })]),
      frameOf({ type: "message_delta", delta, usage: { output_tokens: output } }),
      frameOf({ type: "message_stop" }),
    ];
  }
}

function frameOf(payload: { type: string } & Record<string, unknown>): SseFrame {
  return { event: payload.type, data: printJson(payload) };
}
