import { Ban, CircleCheck, CirclePause, ClockAlert, type LucideIcon } from "lucide-react";
import type { KeyRecord } from "../api/types";
import type { Tone } from "../ui/badge";

export type KeyState = "active" | "disabled" | "expired" | "exhausted";

/** The state of a key that matters most to its owner. */
export function keyState(key: KeyRecord, now = Date.now()): KeyState {
  if (key.status === "disabled") return "disabled";
  if (key.expiresAt !== null && new Date(key.expiresAt).getTime() <= now) return "expired";
  return key.usedQuota >= key.quota ? "exhausted" : "active";
}

export const stateStyles: Record<KeyState, { tone: Tone; icon: LucideIcon }> = {
  active: { tone: "success", icon: CircleCheck },
  disabled: { tone: "neutral", icon: CirclePause },
  expired: { tone: "neutral", icon: ClockAlert },
  exhausted: { tone: "danger", icon: Ban },
};
