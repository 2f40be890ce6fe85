import type { DirectAdapter } from "@/lib/protocols/adapters/direct-adapter";
import { passWholeMessage } from "./pass-whole";
import { MessagesPassthrough } from "./passthrough";
import { patchMessages } from "./patch";

/** The direct adapter of Messages. */
export const messagesDirect: DirectAdapter = {
  patch: patchMessages,
  passthrough: (options) => new MessagesPassthrough(options),
  passWhole: passWholeMessage,
};
