import type { Conversion } from "@/lib/convert/conversion";
import type { JsonObject } from "@/lib/kernel/json";

/**
 * Lowers a temperature above 1, which only the lenient setting lets through, or above what the model takes.
 * Changes `body`. Source: docs/protocols.md#d2.
 */
export function clampTemperature(body: JsonObject, conversion: Conversion): void {
  const max = Math.min(1, conversion.profile.tempMax);
  if (typeof body.temperature !== "number" || body.temperature <= max) return;
  body.temperature = max;
  conversion.warnings.add("clamped:temperature");
}
