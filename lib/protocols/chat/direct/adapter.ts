import type { DirectAdapter } from "@/lib/protocols/adapters/direct-adapter";
import { ChatPassthrough } from "../passthrough";
import { patchChat } from "../patch";
import { passWholeChat } from "../whole";

/** Clients of Chat Completions on its nodes. */
export const chatDirect: DirectAdapter = {
  patch: patchChat,
  passthrough: (options) => new ChatPassthrough(options),
  passWhole: passWholeChat,
};
