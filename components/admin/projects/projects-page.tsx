"use client";

import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import type { ApiOutput } from "@/lib/api/routes";
import { useRead } from "../../api/use-read";
import { useFormat, useMessages } from "../../i18n/provider";
import { ListPage, useListSource } from "../../lists/list-page";
import { useListState } from "../../lists/list-state";
import { PAGE_SIZE } from "../../lists/page-size";
import { RowMenu } from "../../lists/row-menu";
import { useCreating } from "../../lists/use-creating";
import { ArchiveProject } from "../../projects/archive-project";
import { ProjectState } from "../../projects/project-state";
import type { Column } from "../../ui/columns";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";
import { MenuItem, MenuLink, MenuSeparator } from "../../ui/menu";
import { rowNameClass } from "../../ui/table";
import { NewProjectOfUser } from "./new-project";
import { ProjectDrawer } from "./project-drawer";

type ListedProject = ApiOutput<"GET /api/admin/projects">["data"][number];

const states = ["live", "archived"] as const;
const filterParsers = { q: parseAsString, status: parseAsStringLiteral(states) };

/** Every project with its payer. */
export function ProjectsPage() {
  const text = useMessages("projects");
  const list = useListState(filterParsers);
  const query = { page: list.page, pageSize: PAGE_SIZE, search: list.url.q, status: list.url.status };
  const source = useListSource(useRead("GET /api/admin/projects", { query }));
  const [opened, setOpened] = useQueryState("project", parseAsString);
  const [creating, setCreating] = useCreating("project of account");
  const [doomed, setDoomed] = useState<ListedProject | null>(null);
  return (
    <>
      <ListPage
        title={text.adminTitle}
        lead={text.adminLead}
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
        empty={text.adminEmpty}
      >
        {(projects) => (
          <ProjectList
            projects={projects}
            onOpen={({ id }) => void setOpened(id)}
            onArchive={(project) => setDoomed(project)}
          />
        )}
      </ListPage>
      {opened !== null && <ProjectDrawer key={opened} id={opened} onClose={() => void setOpened(null)} />}
      {creating && <NewProjectOfUser onClose={() => setCreating(false)} />}
      {doomed !== null && (
        <ArchiveProject
          project={doomed}
          operation="DELETE /api/admin/projects/{id}"
          onClose={() => setDoomed(null)}
        />
      )}
    </>
  );
}

interface ListProps {
  projects: ListedProject[];
  onOpen: (project: ListedProject) => void;
  onArchive: (project: ListedProject) => void;
}

function ProjectList(props: ListProps) {
  const text = useMessages("projects");
  return (
    <DataTable
      opens
      list="allProjects"
      caption={text.caption}
      columns={useProjectColumns(props.onOpen)}
      rows={props.projects}
      rowId={({ id }) => id}
      actions={(project) => <ProjectMenu {...props} project={project} />}
    />
  );
}

function useProjectColumns(onOpen: ListProps["onOpen"]): Column<ListedProject>[] {
  const text = useMessages("projects");
  const { columns } = text;
  const format = useFormat();
  return [
    {
      id: "name",
      head: columns.name,
      className: "min-w-32 max-w-64",
      cell: (project) => (
        <button type="button" data-opens onClick={() => onOpen(project)} className={rowNameClass}>
          {project.name}
        </button>
      ),
    },
    { id: "status", head: text.status, card: "plain", cell: (project) => <ProjectState {...project} /> },
    {
      id: "payer",
      head: columns.payer,
      className: "wrap-anywhere",
      cell: ({ payer }) => <TextLink href={`/admin/users/${payer.id}`}>{payer.username}</TextLink>,
    },
    {
      id: "costCentre",
      head: columns.costCentre,
      className: "wrap-anywhere",
      cell: ({ costCentre }) => costCentre || "–",
    },
    { id: "members", head: columns.members, end: true, cell: (row) => format.countFull(row.memberCount) },
    { id: "keys", head: columns.keys, end: true, from: "lg", cell: (row) => format.countFull(row.keyCount) },
    { id: "billed", head: columns.billed, kind: "sum", listed: (row) => row.billed30d },
  ];
}

function ProjectMenu(props: ListProps & { project: ListedProject }) {
  const text = useMessages("projects");
  const { project } = props;
  return (
    <RowMenu name={project.name}>
      <MenuItem onClick={() => props.onOpen(project)}>{text.open}</MenuItem>
      <MenuLink href={`/admin/usage?project=${project.id}`}>{text.viewUsage}</MenuLink>
      <MenuLink href={`/admin/logs?project=${project.id}`}>{text.viewLogs}</MenuLink>
      {project.archivedAt === null && (
        <>
          <MenuSeparator />
          <MenuItem danger onClick={() => props.onArchive(project)}>
            {text.archive}
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}
