import { DAY_MS } from "@/lib/kernel/durations";
import { centsToYuan } from "@/lib/shared/decimal";
import { typedMoment, typedText, typedYuan } from "@/lib/shared/typed";
import { dateToZoned } from "@/lib/shared/zoned-time";
import type { KeyRecord } from "../api/types";

const lifetimes = { d7: 7, d30: 30, d90: 90 } as const;

export type ExpiryChoice = "never" | keyof typeof lifetimes | "custom";

/** The fields of a key, as typed. */
export type KeyDraft = {
  name: string;
  quota: string;
  expiry: ExpiryChoice;
  /** The moment of the choice `custom`. */
  expiresAt: string;
  /** Empty: the account's plan. */
  planId: string;
  /** Null: all models. */
  models: string[] | null;
  /** Of a new key: the project that it is made for; empty: none. */
  projectId: string;
};

export const emptyDraft: KeyDraft = {
  name: "",
  quota: "",
  expiry: "never",
  expiresAt: "",
  planId: "",
  models: null,
  projectId: "",
};

/** The form filled from a key, to edit it or to make its replacement. */
export function draftOf(key: KeyRecord, timeZone: string): KeyDraft {
  return {
    name: key.name,
    quota: centsToYuan(key.quota),
    expiry: key.expiresAt === null ? "never" : "custom",
    expiresAt: key.expiresAt === null ? "" : dateToZoned(new Date(key.expiresAt), timeZone),
    planId: String(key.planId),
    models: key.models,
    projectId: key.projectId ?? "",
  };
}

/** The body of a new key: that of a key, with its project. */
export function newKeyBody(draft: KeyDraft, timeZone: string) {
  return { ...keyBody(draft, timeZone), projectId: typedText(draft.projectId) };
}

/** The body of a key. Without quota and plan the server's defaults apply to a new one. */
export function keyBody(draft: KeyDraft, timeZone: string, now = Date.now()) {
  return {
    name: typedText(draft.name),
    quota: typedYuan(draft.quota),
    planId: draft.planId === "" ? undefined : Number(draft.planId),
    models: draft.models,
    expiresAt: expiryOf(draft, timeZone, now),
  };
}

function expiryOf(draft: KeyDraft, timeZone: string, now: number): string | null {
  if (draft.expiry === "never") return null;
  if (draft.expiry === "custom") return typedMoment(draft.expiresAt, timeZone) ?? "";
  return new Date(now + lifetimes[draft.expiry] * DAY_MS).toISOString();
}
