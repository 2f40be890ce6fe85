"use client";

import { useMessages } from "../i18n/provider";
import { firstProjects } from "./use-projects";
import { useRead } from "./use-read";

/** Keys of no project, in filters and addresses. */
export const PERSONAL = "personal";

/** The choices of a filter by project; none where there are no projects. `chosen`: stays among them. */
export function useProjectChoice(admin: boolean, chosen: string | null): { value: string; label: string }[] {
  const text = useMessages("common").projects;
  const own = useRead("GET /api/user/projects", firstProjects, { enabled: !admin });
  const all = useRead("GET /api/admin/projects", firstProjects, { enabled: admin });
  const projects = (admin ? all : own).data?.data ?? [];
  if (projects.length === 0 && chosen === null) return [];
  const named = projects.map(({ id, name }) => ({ value: id, label: name }));
  const isOffered = chosen === null || chosen === PERSONAL || named.some(({ value }) => value === chosen);
  return [
    { value: PERSONAL, label: text.personal },
    ...named,
    ...(isOffered ? [] : [{ value: chosen, label: text.one }]),
  ];
}
