import type { Conversion } from "@/lib/convert/conversion";
import type { JsonObject } from "@/lib/protocol/protocol";

/** Lowers a temperature above 1, which only the lenient setting lets through. Changes `body`. Source: protocol D2. */
export function clampTemperature(body: JsonObject, conversion: Conversion): void {
  if (typeof body.temperature !== "number" || body.temperature <= 1) return;
  body.temperature = 1;
  conversion.warnings.add("clamped:temperature");
}
