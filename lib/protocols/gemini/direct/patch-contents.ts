import type { JsonObject } from "@/lib/kernel/json-object";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type { GeminiContent, GeminiPart } from "@/lib/protocols/gemini/client/schema";
import { sealsIn } from "@/lib/protocols/gemini/signature-seals";
import { addSignatures, noSignatures } from "@/lib/protocols/gemini/signatures";
import type { Losses } from "@/lib/protocols/generation/losses";

/**
 * The contents for a node: signatures that the gateway sealed are opened, or left out where only another node can read
 * them; ids of calls are left out for a node without them. Contents that do not change are copied with their parts, so
 * that parts may be signed. Source: docs/gemini.md#signatures.
 */
export function patchContents(
  contents: readonly GeminiContent[],
  target: Target,
  losses: Losses,
): GeminiContent[] {
  return contents.map((content) => {
    if (content.parts == null) return content;
    const parts = content.parts
      .map((part) => patchedPart(part, target, losses))
      .filter((part) => part !== null);
    return { ...content, parts: parts.length === 0 ? [{ text: "" }] : parts };
  });
}

/** A copy of a part; null: it held nothing but a signature of another node. */
function patchedPart(part: GeminiPart, target: Target, losses: Losses): GeminiPart | null {
  const patched = target.profile.callIds ? { ...part } : withoutIds(part);
  const signature = part.thoughtSignature ?? "";
  const seals = signature === "" ? [] : sealsIn(signature);
  if (seals.length === 0) return patched;
  const own = seals.map((seal) => openedFor(part, seal, target)).find((opened) => opened !== null);
  if (own !== undefined) return { ...patched, thoughtSignature: own };
  losses.dropped("thoughtSignature");
  const { thoughtSignature: _signature, ...kept } = patched;
  return kept.text === "" ? null : kept;
}

/** The node's own signature of a part, in a seal of the gateway; null: the seal holds another one. */
function openedFor(part: GeminiPart, seal: string, target: Target): string | null {
  const signatures = noSignatures();
  addSignatures(target.openReasoning(seal)?.opaque ?? "", signatures);
  const { calls, text, tail } = signatures;
  return part.functionCall == null ? (tail ?? text) : (calls[0]?.signature ?? null);
}

function withoutIds(part: GeminiPart): GeminiPart {
  const copy: GeminiPart = { ...part };
  if (part.functionCall != null) copy.functionCall = withoutId(part.functionCall);
  if (part.functionResponse != null) copy.functionResponse = withoutId(part.functionResponse);
  return copy;
}

function withoutId<Call extends JsonObject>(call: Call): Call {
  const { id: _id, ...kept } = call;
  return kept as Call; // an optional member is left out
}
