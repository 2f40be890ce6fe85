"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import type { KeyRecord } from "../api/types";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { CreateKeyDialog } from "../keys/create-key-dialog";
import { DeleteKeyDialog } from "../keys/delete-key-dialog";
import { EditKeySheet } from "../keys/edit-key-sheet";
import { KeyDrawer } from "../keys/key-drawer";
import { KeyList } from "../keys/key-list";
import type { KeyTask } from "../keys/key-menu";
import { List, useListSource } from "../lists/list-page";
import { useLocalPages } from "../lists/list-state";
import { PAGE_SIZE } from "../lists/page-size";
import { Button } from "../ui/button";
import type { Column } from "../ui/columns";
import type { OpenedProject } from "./types";

/** The keys of a project: all of them for its owners, their own for members. */
export function ProjectKeys({ project }: { project: OpenedProject }) {
  const text = useMessages("projects");
  const keyText = useMessages("keys");
  const pages = useLocalPages();
  const [creating, setCreating] = useState(false);
  const [task, setTask] = useState<{ key: KeyRecord; task: KeyTask } | null>(null);
  const query = { page: pages.page, pageSize: PAGE_SIZE, projectId: project.id };
  const keys = useRead("GET /api/user/tokens", { query });
  const [opened, setOpened] = useQueryState("key", parseAsString);
  const shown = keys.data?.data.find(({ id }) => id === opened);
  const maker = useMakerColumn(project.id);
  const close = () => setTask(null);
  return (
    <div className="grid gap-4">
      {project.archivedAt === null && (
        <Button variant="primary" className="w-fit" onClick={() => setCreating(true)}>
          {keyText.create}
        </Button>
      )}
      <List state={pages} pageSize={PAGE_SIZE} source={useListSource(keys)} empty={text.keysEmpty}>
        {(keys) => (
          <KeyList
            keys={keys}
            further={[maker]}
            projectId={project.id}
            onTask={(key, wanted) => setTask({ key, task: wanted })}
          />
        )}
      </List>
      {(creating || task?.task === "replace") && (
        <CreateKeyDialog
          open
          projectId={project.id}
          replaces={task?.task === "replace" ? task.key : null}
          onClose={() => {
            close();
            setCreating(false);
          }}
        />
      )}
      {shown !== undefined && task === null && (
        <KeyDrawer
          apiKey={shown}
          onTask={(wanted) => setTask({ key: shown, task: wanted })}
          onClose={() => setOpened(null)}
        />
      )}
      {task?.task === "edit" && <EditKeySheet apiKey={task.key} onClose={close} />}
      {task?.task === "delete" && <DeleteKeyDialog apiKey={task.key} onClose={close} />}
    </div>
  );
}

/** Who made each key. */
function useMakerColumn(id: string): Column<KeyRecord> {
  const text = useMessages("projects");
  const members = useRead("GET /api/user/projects/{id}/members", { params: { id } }).data?.data;
  return {
    id: "maker",
    head: text.madeBy,
    className: "wrap-anywhere",
    cell: ({ createdBy }) =>
      members === undefined
        ? null
        : (members.find((member) => member.id === createdBy)?.username ?? text.formerMember),
  };
}
