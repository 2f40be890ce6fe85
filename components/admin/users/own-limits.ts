import { asTyped, typedWhole } from "@/lib/shared/typed";
import type { AdminUser } from "../../api/admin/types";

/** The limits that an account may have of its own, by name. */
export const limitNames = ["qps", "rpm", "tpm", "concurrent", "keys"] as const;

/** An account's own limits as people type them: empty for the plan's, the word for none at all. */
export type LimitsDraft = Record<(typeof limitNames)[number], string>;

/** Stored limits as they are shown; `unlimited` is the reader's word. */
export function limitsDraftOf(stored: AdminUser["limitOverrides"], unlimited: string): LimitsDraft {
  const shown = (value: number | null | undefined) => (value === null ? unlimited : asTyped(value));
  return {
    qps: shown(stored?.qps),
    rpm: shown(stored?.rpm),
    tpm: shown(stored?.tpm),
    concurrent: shown(stored?.concurrent),
    keys: shown(stored?.keys),
  };
}

/** Limits as the API takes them: what is left out is the plan's, null is no limit. All of the plan's is null. */
export function limitsBody(draft: LimitsDraft, unlimited: string) {
  const own = limitNames
    .map((name) => [name, typedLimit(draft[name], unlimited)] as const)
    .filter(([, value]) => value !== undefined);
  return own.length === 0 ? null : Object.fromEntries(own);
}

function typedLimit(typed: string, unlimited: string) {
  return typed.trim().toLowerCase() === unlimited.toLowerCase() ? null : typedWhole(typed);
}
