import { ClientDisconnected } from "@/lib/kernel/client-disconnected";
import type { OpenAnswer } from "./live-answer";

/** The client closed its connection after a node had answered 200; `open` is what has to be ended and paid. */
export class AnswerAbandoned extends ClientDisconnected {
  override readonly name = "AnswerAbandoned";

  constructor(readonly open: OpenAnswer) {
    super();
  }
}
