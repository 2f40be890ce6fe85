import { invalid } from "@/lib/kernel/errors";
import type { Part, Turn } from "@/lib/protocols/generation/parts";
import type { GeminiRequest } from "./schema";

/** The instructions; only texts can be any. Throws: INVALID_REQUEST naming the part. */
export function parseInstructions({ systemInstruction }: GeminiRequest): Turn[] {
  const source = "systemInstruction";
  const parts = (systemInstruction?.parts ?? []).flatMap((part, index): Part[] => {
    const at = `${source}.parts[${index}]`;
    if (part.text == null) throw invalid(at, `${at} must be text.`);
    return part.text === ""
      ? []
      : [{ kind: "text", source: `${at}.text`, text: part.text, cache: undefined }];
  });
  return parts.length === 0 ? [] : [{ role: "system", source, parts, cache: undefined }];
}
