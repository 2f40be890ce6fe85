"use client";

import { parseAsString, useQueryStates } from "nuqs";
import { type ComponentType, useState } from "react";
import { protocolTitles } from "@/lib/protocols/protocol";
import type { NodeView } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { useMessages } from "../../i18n/provider";
import { ListPage, useListSource } from "../../lists/list-page";
import { useListState } from "../../lists/list-state";
import { useAsked, useCreating, useKeptEdit } from "../../lists/use-creating";
import { Note } from "../../ui/states";
import { AddModelsSheet } from "./add-models";
import { DeleteNodeDialog, DrainNodeDialog, ResetNodeDialog } from "./node-dialogs";
import { NodeDrawer } from "./node-drawer";
import { hostOf, NodeList } from "./node-list";
import type { NodeTask } from "./node-menu";
import { NodeSheet } from "./node-sheet";

interface Task {
  kind: NodeTask;
  node: NodeView;
}

/** What the palette asks for. */
const askedTasks = ["drain"] as const satisfies NodeTask[];

const filterParsers = { search: parseAsString };

/** All upstream nodes with their health and actions. */
export function NodesPage() {
  const text = useMessages("adminNodes");
  const nodes = useRead("GET /api/admin/nodes");
  const list = useListState(filterParsers);
  const words = (list.url.search ?? "").toLowerCase();
  const [url, setUrl] = useQueryStates({ node: parseAsString });
  const [task, setTask] = useState<Task | null>(null);
  const [toTest, setToTest] = useState(false);
  const [creating, setCreating] = useCreating("node ");
  useKeptEdit("node ", nodes.data?.data, (node) => setTask({ kind: "edit", node }));
  const opened = nodes.data?.data.find((node) => node.id === url.node);
  const isGone = nodes.isSuccess && url.node !== null && opened === undefined;
  useAsked("task", askedTasks, opened !== undefined, (kind) => {
    if (opened !== undefined) setTask({ kind, node: opened });
  });
  const layer = task !== null && <TaskLayer task={task} onClose={() => setTask(null)} />;
  function open(node: NodeView, isTest: boolean) {
    setToTest(isTest);
    void setUrl({ node: node.id });
  }
  return (
    <>
      <ListPage
        title={text.title}
        lead={text.lead}
        primary={{ label: text.create, onClick: () => setCreating(true) }}
        state={list}
        filters={[{ kind: "search", name: "search", label: text.search }]}
        source={useListSource(nodes)}
        matches={(node) => wordsOf(node).toLowerCase().includes(words)}
        count={text.found}
        empty={text.empty}
        notice={isGone && <Note tone="warning">{text.gone}</Note>}
      >
        {(shown) => (
          <NodeList
            nodes={shown}
            asOf={nodes.dataUpdatedAt}
            onOpen={(node) => open(node, false)}
            onTest={(node) => open(node, true)}
            onTask={(node, kind) => setTask({ kind, node })}
          />
        )}
      </ListPage>
      {opened !== undefined && (task === null || isQuestion(task)) ? (
        <NodeDrawer
          node={opened}
          toTest={toTest}
          asOf={nodes.dataUpdatedAt}
          onClose={() => setUrl({ node: null })}
          onTask={(kind) => setTask({ kind, node: opened })}
        >
          {layer}
        </NodeDrawer>
      ) : (
        layer
      )}
      {creating && <NodeSheet node={null} onClose={() => setCreating(false)} />}
    </>
  );
}

/** What a node is found by: its name, its host, its provider, its protocol and the models that it serves. */
function wordsOf(node: NodeView): string {
  const models = node.models.flatMap(({ alias, upstreamModel }) => [alias, upstreamModel]);
  return [
    node.name,
    hostOf(node.baseUrl),
    node.provider ?? "",
    protocolTitles[node.protocol],
    ...models,
  ].join("\n");
}

/** A question is asked above the drawer, which is there again after the answer; a form takes its place. */
function isQuestion({ kind }: Task): boolean {
  return kind === "drain" || kind === "reset";
}

const layers: Record<NodeTask, ComponentType<{ node: NodeView; onClose: () => void }>> = {
  edit: NodeSheet,
  models: AddModelsSheet,
  reset: ResetNodeDialog,
  drain: DrainNodeDialog,
  delete: DeleteNodeDialog,
};

function TaskLayer({ task, onClose }: { task: Task; onClose: () => void }) {
  const Layer = layers[task.kind];
  return <Layer node={task.node} onClose={onClose} />;
}
