"use client";

import { Archive, ArrowLeft, Info } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useState } from "react";
import { QueryRegion } from "../api/query-region";
import { useShell } from "../api/shell-facts";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { useOpenPage } from "../shell/offline";
import { Button } from "../ui/button";
import { PageHeader } from "../ui/card";
import { Link } from "../ui/link";
import { Note } from "../ui/states";
import { Tabs } from "../ui/tabs";
import { ArchiveProject } from "./archive-project";
import { Members } from "./members";
import { ProjectBudgets } from "./project-budgets";
import { ProjectSheet } from "./project-form";
import { ProjectKeys } from "./project-keys";
import { ProjectStatement } from "./project-statement";
import { ProjectUsage } from "./project-usage";
import type { OpenedProject } from "./types";

/** The parts of the page, each in a tab; statements are for owners. */
const tabs = ["usage", "keys", "members", "budgets", "statement"] as const;

/** Everything about one project on one page. */
export function ProjectPage(props: { id: string }) {
  const text = useMessages("projects");
  const project = useRead("GET /api/user/projects/{id}", { params: { id: props.id } });
  const [task, setTask] = useState<"edit" | "archive" | null>(null);
  const record = project.data;
  const close = () => setTask(null);
  useTitle(record?.name);
  return (
    <>
      <p className="mb-2">
        <Link
          href="/console/projects"
          className="inline-flex min-h-6 items-center gap-1 rounded-sm text-sm text-muted hover:text-fg"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {text.toProjects}
        </Link>
      </p>
      <ProjectHeader project={record} onTask={setTask} />
      <QueryRegion query={project}>
        {(found) => (
          <div className="grid min-w-0 gap-4">
            <StateNote project={found} />
            <ProjectParts project={found} />
          </div>
        )}
      </QueryRegion>
      {task === "edit" && record !== undefined && <ProjectSheet project={record} onClose={close} />}
      {task === "archive" && record !== undefined && (
        <ArchiveProject project={record} operation="DELETE /api/user/projects/{id}" onClose={close} />
      )}
    </>
  );
}

/** The title of the window, where it depends on what was loaded. */
function useTitle(title: string | undefined) {
  const { productName } = useMessages("common");
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${productName}`;
  }, [title, productName]);
}

function ProjectHeader(props: {
  project: OpenedProject | undefined;
  onTask: (task: "edit" | "archive") => void;
}) {
  const text = useMessages("projects");
  const { username } = useShell();
  const { project, onTask } = props;
  if (project === undefined) return <PageHeader title={text.one} lead={text.lead} />;
  const payer = project.payer.username;
  const facts = [
    fill(text.paidBy, { name: payer === username ? `${payer} (${text.members.you})` : payer }),
    ...(project.costCentre === "" ? [] : [`${text.costCentre}: ${project.costCentre}`]),
  ];
  return (
    <PageHeader
      title={<span className="wrap-anywhere">{project.name}</span>}
      lead={<span className="wrap-anywhere">{facts.join(" · ")}</span>}
      actions={
        mayChange(project) && (
          <>
            <Button onClick={() => onTask("edit")}>{text.edit}</Button>
            <Button onClick={() => onTask("archive")}>{text.archive}</Button>
          </>
        )
      }
    />
  );
}

/** Why the project cannot be changed here; nothing where it can. */
function StateNote({ project }: { project: OpenedProject }) {
  const text = useMessages("projects");
  const format = useFormat();
  const { archivedAt, role } = project;
  if (archivedAt !== null)
    return (
      <Note tone="info" icon={Archive}>
        {fill(text.archivedSince, { time: format.dateTime(archivedAt) })}
      </Note>
    );
  if (role !== "member") return null;
  return (
    <Note tone="info" icon={Info}>
      {text.asMember}
    </Note>
  );
}

function ProjectParts({ project }: { project: OpenedProject }) {
  const text = useMessages("projects");
  const openPage = useOpenPage();
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(tabs).withDefault("usage"));
  const { id, name, archivedAt } = project;
  const shown = tabs.filter((one) => one !== "statement" || project.role === "owner");
  const isLive = archivedAt === null;
  const members = { id, name, changes: mayChange(project), leaves: isLive, space: "user" } as const;
  const contents = {
    usage: <ProjectUsage project={project} />,
    keys: <ProjectKeys project={project} />,
    members: <Members of={members} onLeft={() => openPage("/console/projects")} />,
    budgets: <ProjectBudgets project={project} />,
    statement: <ProjectStatement project={project} />,
  };
  return (
    <Tabs
      label={text.sections}
      value={shown.includes(tab) ? tab : "usage"}
      onChange={(chosen) => void setTab(chosen)}
      tabs={shown.map((value) => ({ value, label: text.tabs[value], content: contents[value] }))}
    />
  );
}

function mayChange({ role, archivedAt }: OpenedProject): boolean {
  return role === "owner" && archivedAt === null;
}
