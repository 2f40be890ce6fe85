import type { StatusTone } from "../ui/status";
import type { KeyRecord } from "./types";

export type KeyState = "active" | "disabled" | "expired" | "exhausted";

/** Keys whose calls are refused come first, with the one that its owner may not know of. */
export const statesByGravity: readonly KeyState[] = ["exhausted", "expired", "disabled", "active"];

/** The state of a key that matters most to its owner. */
export function keyState(key: KeyRecord, now = Date.now()): KeyState {
  if (key.status === "disabled") return "disabled";
  if (key.expiresAt !== null && new Date(key.expiresAt).getTime() <= now) return "expired";
  return key.usedQuota >= key.quota ? "exhausted" : "active";
}

/** The first key whose calls are answered, else the first one. */
export function firstUsable(keys: readonly KeyRecord[]): KeyRecord | undefined {
  return keys.find((key) => keyState(key) === "active") ?? keys[0];
}

export const stateTones: Record<KeyState, StatusTone> = {
  active: "normal",
  disabled: "off",
  expired: "off",
  exhausted: "danger",
};
