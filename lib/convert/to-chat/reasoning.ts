import type { Conversion } from "@/lib/convert/conversion";
import type { JsonObject } from "@/lib/kernel/json";
import { isGatewayTag, openOpaque } from "@/lib/protocols/passes/reasoning-seal";

/** The reasoning fields an assistant message carries back to a chat upstream. Source: docs/protocols.md#s8-4. */
export function replayedReasoning(blocks: JsonObject[], conversion: Conversion): JsonObject {
  const thinking = blocks.filter((block) => block.type === "thinking" || block.type === "redacted_thinking");
  if (thinking.length === 0) return {};
  switch (conversion.profile.reasoningEcho) {
    case "none":
      return {};
    case "reasoning_content": {
      const texts = thinking.flatMap((block) =>
        typeof block.thinking === "string" && block.thinking !== "" ? [block.thinking] : [],
      );
      return texts.length === 0 ? {} : { reasoning_content: texts.join("\n") };
    }
    case "reasoning_details": {
      const details = thinking.flatMap((block, index) => detail(block, index, conversion));
      return details.length === 0 ? {} : { reasoning_details: details };
    }
  }
}

function detail(block: JsonObject, index: number, conversion: Conversion): JsonObject[] {
  if (block.type === "redacted_thinking") {
    const { alias, provenanceKey } = conversion.context;
    const data = typeof block.data === "string" ? openOpaque(block.data, alias, provenanceKey) : null;
    return data === null ? [] : [{ type: "reasoning.encrypted", data, index }];
  }
  if (typeof block.thinking !== "string") return [];
  const real =
    typeof block.signature === "string" && block.signature !== "" && !isGatewayTag(block.signature);
  return [
    { type: "reasoning.text", text: block.thinking, ...(real ? { signature: block.signature } : {}), index },
  ];
}
