"use client";

import { Plus } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { PageHeader } from "../../ui/card";
import { EmptyState } from "../../ui/states";
import { useNodes } from "../queries";
import { QueryRegion } from "../query-region";
import type { NodeView } from "../types";
import { AddModelsSheet } from "./add-models";
import { RemoveNodeDialog, ResetNodeDialog } from "./node-dialogs";
import { NodeDrawer } from "./node-drawer";
import { NodeList } from "./node-list";
import type { NodeTask } from "./node-menu";
import { NodeSheet } from "./node-sheet";

type Task = { kind: "create" } | { kind: NodeTask; node: NodeView };

/** All upstream nodes with their health and actions. */
export function NodesPage() {
  const text = useMessages("adminNodes");
  const nodes = useNodes();
  const [url, setUrl] = useQueryStates({ node: parseAsString });
  const [task, setTask] = useState<Task | null>(null);
  const create = () => setTask({ kind: "create" });
  const opened = nodes.data?.data.find((node) => node.id === url.node);
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={
          <Button variant="primary" onClick={create}>
            <Plus aria-hidden className="size-4" />
            {text.create}
          </Button>
        }
      />
      <QueryRegion query={nodes}>
        {(list) =>
          list.data.length === 0 ? (
            <div className="rounded-lg border">
              <EmptyState
                title={text.empty}
                action={
                  <Button variant="primary" onClick={create}>
                    {text.create}
                  </Button>
                }
              />
            </div>
          ) : (
            <NodeList
              nodes={list.data}
              asOf={nodes.dataUpdatedAt}
              onOpen={(node) => setUrl({ node: node.id })}
              onTask={(node, kind) => setTask({ kind, node })}
            />
          )
        }
      </QueryRegion>
      {opened !== undefined && task === null && (
        <NodeDrawer
          node={opened}
          asOf={nodes.dataUpdatedAt}
          onClose={() => setUrl({ node: null })}
          onTask={(kind) => setTask({ kind, node: opened })}
        />
      )}
      {task !== null && <TaskLayer task={task} onClose={() => setTask(null)} />}
    </>
  );
}

function TaskLayer(props: { task: Task; onClose: () => void }) {
  const { task, onClose } = props;
  switch (task.kind) {
    case "create":
      return <NodeSheet node={null} onClose={onClose} />;
    case "edit":
      return <NodeSheet node={task.node} onClose={onClose} />;
    case "models":
      return <AddModelsSheet node={task.node} onClose={onClose} />;
    case "reset":
      return <ResetNodeDialog node={task.node} onClose={onClose} />;
    case "remove":
      return <RemoveNodeDialog node={task.node} onClose={onClose} />;
  }
}
