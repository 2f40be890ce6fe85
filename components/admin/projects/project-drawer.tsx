"use client";

import { Archive } from "lucide-react";
import type { ApiOutput } from "@/lib/api/routes";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { projectDraft } from "../../budgets/budget-draft";
import { BudgetSpaceContext } from "../../budgets/budget-space";
import { BudgetsOf } from "../../budgets/budgets-of";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Members } from "../../projects/members";
import { StoredProject } from "../../projects/project-form";
import { Drawer } from "../../ui/drawer";
import { Note } from "../../ui/states";

/** A project of anybody: its name and cost centre, and its members. */
export function ProjectDrawer(props: { id: string; onClose: () => void }) {
  const text = useMessages("projects");
  const format = useFormat();
  const { id, onClose } = props;
  const project = useRead("GET /api/admin/projects/{id}", { params: { id } });
  return (
    <Drawer forReading onClose={onClose} title={project.data?.name ?? text.one}>
      <QueryRegion query={project}>
        {(found) => {
          const { name, archivedAt } = found;
          const changes = archivedAt === null;
          return (
            <div className="grid gap-6">
              <p className="text-sm text-muted">{fill(text.paidBy, { name: found.payer.username })}</p>
              {archivedAt === null ? (
                <StoredProject
                  key={`${name} ${found.costCentre}`}
                  operation="PATCH /api/admin/projects/{id}"
                  project={found}
                  onClose={onClose}
                />
              ) : (
                <Note tone="info" icon={Archive}>
                  {fill(text.archivedSince, { time: format.dateTime(archivedAt) })}
                </Note>
              )}
              <section className="grid gap-3">
                <h3 className="text-sm font-semibold">{text.tabs.budgets}</h3>
                <DrawerBudgets project={found} />
              </section>
              <section className="grid gap-3">
                <h3 className="text-sm font-semibold">{text.tabs.members}</h3>
                <Members of={{ id, name, changes, leaves: changes, space: "admin" }} />
              </section>
            </div>
          );
        }}
      </QueryRegion>
    </Drawer>
  );
}

function DrawerBudgets({ project }: { project: ApiOutput<"GET /api/admin/projects/{id}"> }) {
  const text = useMessages("budgets").ofProject;
  const { id, payer, archivedAt } = project;
  return (
    <BudgetSpaceContext value="/api/admin">
      <BudgetsOf
        query={{ projectId: id }}
        all={{ href: "/admin/budgets?scope=project", label: text.all }}
        empty={text.empty}
        given={archivedAt === null ? { ...projectDraft(id), userId: payer.id } : null}
      />
    </BudgetSpaceContext>
  );
}
