"use client";

import { type BudgetScope, budgetScopes } from "@/lib/shared/budget-words";
import { type Project, useProjects } from "../api/use-projects";
import { useRead } from "../api/use-read";
import { useBudgetSpace } from "./budget-space";

/** The live projects that the reader owns; none in the Admin space. */
export function useOwnedProjects(): Project[] {
  const isAdmin = useBudgetSpace() === "/api/admin";
  const projects = useProjects(!isAdmin);
  return isAdmin ? [] : projects.filter(({ role, archivedAt }) => role === "owner" && archivedAt === null);
}

/** The live projects that an account pays, as admins see them; none for an empty id. */
export function usePaidProjects(userId: string): { id: string; name: string }[] {
  const query = { userId, status: "live", pageSize: 100 } as const;
  const enabled = userId !== "";
  const found = useRead("GET /api/admin/projects", { query }, { enabled, placeholderData: undefined }).data;
  return enabled ? (found?.data ?? []) : [];
}

/** The scopes for which the reader can make rules. */
export function useScopes(): readonly BudgetScope[] {
  const isAdmin = useBudgetSpace() === "/api/admin";
  const hasProjects = useOwnedProjects().length > 0;
  if (isAdmin) return budgetScopes;
  return hasProjects ? ["account", "project", "key"] : ["account", "key"];
}
