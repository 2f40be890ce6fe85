import type { DirectAdapter } from "@/lib/protocols/adapters/direct-adapter";
import { passWholeChat } from "./pass-whole";
import { ChatPassthrough } from "./passthrough";
import { patchChat } from "./patch";

/** The direct adapter of Chat Completions. */
export const chatDirect: DirectAdapter = {
  patch: patchChat,
  passthrough: (options) => new ChatPassthrough(options),
  passWhole: passWholeChat,
};
