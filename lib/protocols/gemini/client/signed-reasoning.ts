import { isStandIn, sealsIn } from "@/lib/protocols/gemini/signature-seals";
import type { ReasoningPart } from "@/lib/protocols/generation/parts";

/** The vendor's signatures in the neutral model. */
const FORMAT = "google-gemini-v1";

/** The reasoning that a signature stands for; the gateway's own seals may hold several pieces. */
export function signedReasoning(
  signature: string,
  source: string,
): { parts: ReasoningPart[]; isOurs: boolean } {
  if (signature === "" || isStandIn(signature)) return { parts: [], isOurs: false };
  const seals = sealsIn(signature);
  const at = `${source}.thoughtSignature`;
  const sealed = (value: string, format: string | null): ReasoningPart => ({
    kind: "reasoning",
    source: at,
    text: null,
    signature: null,
    sealed: value,
    format,
  });
  return seals.length > 0
    ? { parts: seals.map((seal) => sealed(seal, null)), isOurs: true }
    : { parts: [sealed(signature, FORMAT)], isOurs: false };
}
