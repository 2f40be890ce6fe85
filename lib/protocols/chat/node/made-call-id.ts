import { callIdPrefix } from "@/lib/protocols/chat/tool-call-assembler";
import { toolCallId } from "@/lib/protocols/passes/rendering";

/** The id of a call for which the node sent none; clients send it back. */
export function madeCallId(answerId: string, slot: number): string {
  return toolCallId(callIdPrefix, "", answerId, slot);
}
