"use client";

import { parseAsString, parseAsStringLiteral } from "nuqs";
import { useState } from "react";
import { useShell } from "../api/shell-facts";
import type { Project } from "../api/use-projects";
import { useRead } from "../api/use-read";
import { useFormat, useMessages } from "../i18n/provider";
import { ListPage, useListSource } from "../lists/list-page";
import { useListState } from "../lists/list-state";
import { PAGE_SIZE } from "../lists/page-size";
import { RowMenu } from "../lists/row-menu";
import { useCreating, useKeptEdit } from "../lists/use-creating";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { Link } from "../ui/link";
import { MenuItem, MenuLink, MenuSeparator } from "../ui/menu";
import { rowNameClass } from "../ui/table";
import { ArchiveProject } from "./archive-project";
import { ProjectSheet } from "./project-form";
import { ProjectState } from "./project-state";

const states = ["live", "archived"] as const;
const filterParsers = { q: parseAsString, status: parseAsStringLiteral(states) };

type Task = { kind: "edit" | "archive"; project: Project };

/** The projects that the account pays or is a member of. */
export function ProjectsPage() {
  const text = useMessages("projects");
  const list = useListState(filterParsers);
  const query = { page: list.page, pageSize: PAGE_SIZE, search: list.url.q, status: list.url.status };
  const source = useListSource(useRead("GET /api/user/projects", { query }));
  const [creating, setCreating] = useCreating("project ");
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  useKeptEdit("project ", source.page?.data, (project) => setTask({ kind: "edit", project }));
  return (
    <>
      <ListPage
        title={text.title}
        lead={text.lead}
        primary={{ label: text.create, onClick: () => setCreating(true) }}
        state={list}
        filters={[
          { kind: "search", name: "q", label: text.search },
          {
            kind: "select",
            name: "status",
            label: text.status,
            options: states.map((value) => ({ value, label: text.statuses[value] })),
          },
        ]}
        source={source}
        count={text.found}
        empty={text.empty}
      >
        {(projects) => <ProjectList projects={projects} onTask={setTask} />}
      </ListPage>
      {creating && <ProjectSheet project={null} onClose={() => setCreating(false)} />}
      {task?.kind === "edit" && <ProjectSheet project={task.project} onClose={close} />}
      {task?.kind === "archive" && (
        <ArchiveProject project={task.project} operation="DELETE /api/user/projects/{id}" onClose={close} />
      )}
    </>
  );
}

function ProjectList(props: { projects: Project[]; onTask: (task: Task) => void }) {
  const text = useMessages("projects");
  return (
    <DataTable
      list="projects"
      caption={text.caption}
      columns={useProjectColumns()}
      rows={props.projects}
      rowId={({ id }) => id}
      actions={(project) => <ProjectMenu project={project} onTask={props.onTask} />}
    />
  );
}

function useProjectColumns(): Column<Project>[] {
  const text = useMessages("projects");
  const { columns } = text;
  const format = useFormat();
  const { username } = useShell();
  return [
    {
      id: "name",
      head: columns.name,
      className: "min-w-32 max-w-64",
      cell: ({ id, name }) => (
        <Link href={`/console/projects/${id}`} className={rowNameClass}>
          {name}
        </Link>
      ),
    },
    { id: "status", head: text.status, card: "plain", cell: (project) => <ProjectState {...project} /> },
    { id: "role", head: columns.role, cell: ({ role }) => role && text.roles[role] },
    {
      id: "payer",
      head: columns.payer,
      from: "lg",
      className: "wrap-anywhere",
      cell: ({ payer }) => (payer.username === username ? text.paidByYou : payer.username),
    },
    {
      id: "costCentre",
      head: columns.costCentre,
      from: "xl",
      className: "wrap-anywhere",
      cell: ({ costCentre }) => costCentre || "–",
    },
    { id: "members", head: columns.members, end: true, cell: (row) => format.countFull(row.memberCount) },
    { id: "keys", head: columns.keys, end: true, from: "lg", cell: (row) => format.countFull(row.keyCount) },
    { id: "billed", head: columns.billed, kind: "sum", listed: (row) => row.billed30d },
  ];
}

function ProjectMenu(props: { project: Project; onTask: (task: Task) => void }) {
  const text = useMessages("projects");
  const { project, onTask } = props;
  const changes = project.role === "owner" && project.archivedAt === null;
  return (
    <RowMenu name={project.name}>
      <MenuLink href={`/console/projects/${project.id}`}>{text.open}</MenuLink>
      <MenuLink href={`/console/usage?project=${project.id}`}>{text.viewUsage}</MenuLink>
      <MenuLink href={`/console/logs?project=${project.id}`}>{text.viewLogs}</MenuLink>
      {changes && (
        <>
          <MenuSeparator />
          <MenuItem onClick={() => onTask({ kind: "edit", project })}>{text.edit}</MenuItem>
          <MenuItem danger onClick={() => onTask({ kind: "archive", project })}>
            {text.archive}
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}
