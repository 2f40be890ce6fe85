"use client";

import { useMessages } from "./provider";

/** What the log has in place of a name that is no model. Source: docs/contract.md#s5. */
export const UNKNOWN_MODEL = "(unknown)";

/** The name of a model of the log as people read it. */
export function useModelName(): (name: string) => string {
  const { unknownModel } = useMessages("common");
  return (name) => (name === UNKNOWN_MODEL ? unknownModel : name);
}
