import type { DirectAdapter } from "@/lib/protocols/adapters/direct-adapter";
import { passWholeGemini } from "./pass-whole";
import { GeminiPassthrough } from "./passthrough";
import { patchGemini } from "./patch";

/** The direct adapter of Gemini. */
export const geminiDirect: DirectAdapter = {
  patch: patchGemini,
  passthrough: (options) => new GeminiPassthrough(options),
  passWhole: passWholeGemini,
};
