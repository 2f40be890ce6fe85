"use client";

import type { ApiOutput } from "@/lib/api/routes";
import { useShell } from "./shell-facts";
import { useRead } from "./use-read";

/** A project that the account sees. */
export type Project = ApiOutput<"GET /api/user/projects">["data"][number];

/** The first hundred projects, live ones first. */
export const firstProjects = { query: { pageSize: 100 } };

/** The account's projects; none while they are not known. */
export function useProjects(enabled = true): Project[] {
  return useRead("GET /api/user/projects", firstProjects, { enabled }).data?.data ?? [];
}

/** The project of this id whose payer is another account; null for one's own, personal keys and unknown ones. */
export function useOthersProject(id: string | null): Project | null {
  const { username } = useShell();
  const found = useProjects(id !== null).find((project) => project.id === id);
  return found === undefined || found.payer.username === username ? null : found;
}
