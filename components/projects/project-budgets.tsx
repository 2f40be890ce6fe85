"use client";

import { projectDraft } from "../budgets/budget-draft";
import { BudgetsOf } from "../budgets/budgets-of";
import { useMessages } from "../i18n/provider";
import type { OpenedProject } from "./types";

/** The budgets of a project; its owners can make further ones. */
export function ProjectBudgets({ project }: { project: OpenedProject }) {
  const text = useMessages("budgets");
  const { id, role, archivedAt } = project;
  const changes = role === "owner" && archivedAt === null;
  return (
    <BudgetsOf
      query={{ projectId: id }}
      all={{ href: "/console/budgets?scope=project", label: text.ofProject.all }}
      empty={text.ofProject.empty}
      given={changes ? projectDraft(id) : null}
    />
  );
}
