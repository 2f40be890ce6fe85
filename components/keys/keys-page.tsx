"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { keyState } from "../api/key-state";
import type { KeyRecord } from "../api/types";
import { useAllKeys } from "../api/use-all-keys";
import { PERSONAL, useProjectChoice } from "../api/use-project-choice";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import type { Filter } from "../lists/filters";
import { ListPage, type ListSource, useListSource } from "../lists/list-page";
import { type ListState, useListState } from "../lists/list-state";
import { PAGE_SIZE } from "../lists/page-size";
import { useKeptEdit } from "../lists/use-creating";
import type { Column } from "../ui/columns";
import { Note } from "../ui/states";
import { ConsoleKey } from "./console-key";
import { CreateKeyDialog } from "./create-key-dialog";
import { DeleteKeyDialog } from "./delete-key-dialog";
import { EditKeySheet } from "./edit-key-sheet";
import { KeyDrawer } from "./key-drawer";
import { KeyList } from "./key-list";
import type { KeyTask } from "./key-menu";

const states = ["active", "disabled", "expired", "exhausted"] as const;
const filterParsers = { q: parseAsString, project: parseAsString, status: parseAsStringLiteral(states) };

const addressParsers = { create: parseAsStringLiteral(["1"]), key: parseAsString, sort: parseAsString };

/** All keys of the account. */
export function KeysPage() {
  const text = useMessages("keys");
  const [url, setUrl] = useQueryStates(addressParsers);
  const [task, setTask] = useState<{ key: KeyRecord; task: KeyTask } | null>(null);
  const list = useListState(filterParsers);
  const sorted = url.sort !== null;
  const source = useKeySource(list, sorted);
  const shown = useNamedKey(url.key, source.page?.data);
  const done = () => setTask(null);
  useKeptEdit("key ", source.page?.data, (key) => setTask({ key, task: "edit" }));
  const creating = url.create !== null || task?.task === "replace";
  const words = (list.url.q ?? "").toLowerCase();
  const { label } = useMessages("common").projects;
  const projects = useProjectChoice(false, list.url.project);
  return (
    <>
      <ListPage
        title={text.title}
        lead={text.lead}
        primary={{ label: text.create, onClick: () => setUrl({ create: "1" }) }}
        state={sorted ? { ...list, page: 1 } : list}
        filters={useKeyFilters(projects)}
        source={source}
        matches={(key) =>
          (list.url.status ?? keyState(key)) === keyState(key) &&
          (list.url.project ?? key.projectId ?? PERSONAL) === (key.projectId ?? PERSONAL) &&
          `${key.name} ${key.keyPrefix}`.toLowerCase().includes(words)
        }
        count={text.found}
        empty={text.empty}
        notice={shown === null && <Note tone="warning">{text.gone}</Note>}
      >
        {(keys) => (
          <KeyList
            keys={keys}
            further={projects.length === 0 ? [] : [projectColumn(label, projects)]}
            onTask={(key, wanted) => setTask({ key, task: wanted })}
          />
        )}
      </ListPage>
      {!list.filtered && <ConsoleKey />}
      {creating && (
        <CreateKeyDialog
          open
          replaces={task?.task === "replace" ? task.key : null}
          onClose={() => {
            done();
            void setUrl({ create: null });
          }}
        />
      )}
      {shown != null && task === null && (
        <KeyDrawer
          apiKey={shown}
          onTask={(task) => setTask({ key: shown, task })}
          onClose={() => setUrl({ key: null })}
        />
      )}
      {task?.task === "edit" && <EditKeySheet apiKey={task.key} onClose={done} />}
      {task?.task === "delete" && (
        <DeleteKeyDialog apiKey={task.key} onClose={() => setUrl({ key: null }).then(done)} />
      )}
    </>
  );
}

type Projects = ReturnType<typeof useProjectChoice>;

function useKeyFilters(projects: Projects): Filter<keyof typeof filterParsers>[] {
  const text = useMessages("keys");
  const { label, all } = useMessages("common").projects;
  const ofProject = { kind: "select", name: "project", label, all, options: projects } as const;
  return [
    { kind: "search", name: "q", label: text.searchLabel },
    ...(projects.length === 0 ? [] : [ofProject]),
    {
      kind: "select",
      name: "status",
      label: text.statusFilter,
      options: states.map((value) => ({ value, label: text.states[value] })),
    },
  ];
}

/** The project of each key, or that it has none. */
function projectColumn(head: string, projects: Projects): Column<KeyRecord> {
  return {
    id: "project",
    head,
    from: "lg",
    className: "max-w-48 truncate",
    cell: ({ projectId }) => projects.find(({ value }) => value === (projectId ?? PERSONAL))?.label ?? "–",
  };
}

/** The key that the address names, on this page of the list or another; null for none, undefined while it is not known. */
function useNamedKey(id: string | null, onPage: KeyRecord[] | undefined): KeyRecord | null | undefined {
  const here = onPage?.find((key) => key.id === id);
  const all = useAllKeys(id !== null && onPage !== undefined && here === undefined);
  if (id === null || here !== undefined) return here;
  return all.data === undefined ? undefined : (all.data.data.find((key) => key.id === id) ?? null);
}

/** One page of keys; all of them while they are filtered or sorted, which must cover all pages. */
function useKeySource(list: ListState<typeof filterParsers>, sorted: boolean): ListSource<KeyRecord> {
  const page = useRead("GET /api/user/tokens", { query: { page: list.page, pageSize: PAGE_SIZE } });
  const whole = (list.filtered || sorted) && (page.data?.total ?? 0) > PAGE_SIZE;
  const all = useAllKeys(whole);
  return useListSource(whole ? all : page);
}
