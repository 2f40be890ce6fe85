"use client";

import { useMessages } from "../i18n/provider";
import { Status } from "../ui/status";

/** Whether a project is live, or archived. */
export function ProjectState({ archivedAt }: { archivedAt: string | null }) {
  const { statuses } = useMessages("projects");
  return archivedAt === null ? (
    <Status tone="normal">{statuses.live}</Status>
  ) : (
    <Status tone="off">{statuses.archived}</Status>
  );
}
