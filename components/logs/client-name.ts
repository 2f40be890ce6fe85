"use client";

import { useMessages } from "../i18n/provider";

/** The word with which every browser begins to name itself. */
const BROWSER = "Mozilla";

/** The names of programs that do not name themselves as people do. */
export function useClientNames(): Readonly<Record<string, string>> {
  return { [BROWSER]: useMessages("logs").browser };
}
