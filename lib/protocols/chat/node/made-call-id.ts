import { callIdPrefix } from "@/lib/protocols/chat/tool-call-assembler";
import { toolCallId } from "@/lib/protocols/passes/rendering";

/** The id of a call that the node gave none; clients send it back. */
export function madeCallId(answerId: string, slot: number): string {
  return toolCallId(callIdPrefix, "", answerId, slot);
}
