import type { JsonObject } from "@/lib/kernel/json";
import type { Losses } from "../generation/losses";
import type { Profile } from "../profiles/profile";

/**
 * Lowers a temperature above 1, which only the lenient setting lets through, or above what the model takes.
 * Changes `body`. Source: docs/protocols.md#d2.
 */
export function clampTemperature(body: JsonObject, profile: Profile, losses: Losses): void {
  const max = Math.min(1, profile.tempMax);
  if (typeof body.temperature !== "number" || body.temperature <= max) return;
  body.temperature = max;
  losses.add("clamped:temperature");
}
