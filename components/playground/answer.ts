import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { ProtocolKit } from "@/lib/protocols/kit/protocol-kit";
import type { ToolCall } from "@/lib/protocols/kit/turn";

/** The received part of an answer. */
export interface Answer {
  text: string;
  /** What the model shows of its reasoning. */
  reasoning: string;
  toolCalls: readonly ToolCall[];
  /** Why it ended, in the word of its protocol. */
  reason: string | null;
  /** As its protocol counts them. */
  inputTokens: number | null;
  outputTokens: number | null;
  /** The message of an error that came inside the stream. */
  failure: string | null;
}

export const noAnswer: Answer = {
  text: "",
  reasoning: "",
  toolCalls: [],
  reason: null,
  inputTokens: null,
  outputTokens: null,
  failure: null,
};

/** Adds an event to the shown answer. */
export function addEvent(
  answer: Answer,
  event: GenerationEvent,
  kit: Pick<ProtocolKit, "cachedIsInput">,
): Answer {
  switch (event.type) {
    case "text":
    case "refusal":
      return { ...answer, text: answer.text + event.text };
    case "reasoning": {
      const between = event.further === true && answer.reasoning !== "" ? "\n\n" : "";
      return { ...answer, reasoning: answer.reasoning + between + event.text };
    }
    case "tool_open": {
      const { name } = event;
      const id = event.id === "" ? `call_${event.slot + 1}` : event.id;
      return { ...answer, toolCalls: [...answer.toolCalls, { id, name, input: "" }] };
    }
    case "tool_args": {
      const { slot, text } = event;
      const longer = (call: ToolCall, place: number) =>
        place === slot ? { ...call, input: call.input + text } : call;
      return { ...answer, toolCalls: answer.toolCalls.map(longer) };
    }
    case "usage":
      return withUsage(answer, event, kit.cachedIsInput);
    case "finish":
      return { ...answer, reason: event.native };
    case "error":
      return { ...answer, failure: event.failure.message };
    case "start":
    case "choice":
    case "message":
    case "reasoning_signature":
    case "reasoning_opaque":
    case "tool_close":
    case "other_item":
    case "media":
    case "hosted_call":
    case "search":
    case "citation":
    case "warning":
    case "ping":
    case "end":
      return answer;
  }
}

/** Adds reported counts; an early count of output is ignored, because it is no count yet. */
function withUsage(
  answer: Answer,
  { usage, early }: Extract<GenerationEvent, { type: "usage" }>,
  cachedIsInput: boolean,
): Answer {
  const { inputUncached, cacheRead = 0, cacheWrite = 0, output } = usage;
  const cached = cachedIsInput ? cacheRead + cacheWrite : 0;
  return {
    ...answer,
    inputTokens: inputUncached === undefined ? answer.inputTokens : inputUncached + cached,
    outputTokens: early === true ? answer.outputTokens : (output ?? answer.outputTokens),
  };
}
