"use client";

import { useOthersProject } from "../api/use-projects";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import type { KeyOwner } from "./key-fields";

/** The account that pays a key: the reader's own, or that of the key's project, of which little is known. */
export function useKeyOwner(projectId: string | null): KeyOwner {
  const words = useMessages("keys");
  const plans = useRead("GET /api/user/plans").data?.data ?? [];
  const balance = useRead("GET /api/user/self").data;
  if (useOthersProject(projectId) === null) return { plans, anyPlan: false, balance, words };
  const unknown = plans.map((plan) => ({ ...plan, current: false }));
  return { plans: unknown, anyPlan: false, balance: undefined, other: true, words };
}
