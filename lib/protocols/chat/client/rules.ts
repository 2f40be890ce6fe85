import type { JsonObject } from "@/lib/kernel/json-object";
import type { CheckOptions } from "@/lib/protocols/adapters/client-request";
import { refusedHere } from "@/lib/protocols/generation/problems";

/**
 * Checks rules that depend on the compatibility setting. Throws: INVALID_REQUEST. Source: docs/protocols.md#d1, #d2.
 */
export function checkChatLimits(body: JsonObject, { compatibility }: CheckOptions): void {
  if (compatibility === "strict" && body.max_tokens == null && body.max_completion_tokens == null) {
    const problem = { param: "max_tokens", message: "max_tokens is required." };
    throw refusedHere(problem, "the alias's default is used instead");
  }
  if (compatibility !== "lenient" && typeof body.temperature === "number" && body.temperature > 1) {
    const problem = { param: "temperature", message: "temperature must be between 0 and 1." };
    throw refusedHere(problem, "values up to 2 are lowered to 1");
  }
}
