"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { AdminModel, NodeView } from "../../api/admin/types";
import { ApiError } from "../../api/client";
import { read, readKey } from "../../api/read";
import { queryOf } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { RowMenu } from "../../lists/row-menu";
import { MenuItem, MenuLink, MenuSeparator } from "../../ui/menu";
import { servingNodes } from "../model-state";
import { nodeRehearsal } from "../rehearsal/suppositions";
import { type AdminCall, useAdminChange } from "../use-admin-change";

/** Actions on a node that open a dialog. */
export type NodeTask = "edit" | "models" | "reset" | "delete" | "drain";

/** Enables or disables a node, which can be taken back. */
export function useSwitchNode() {
  const text = useMessages("adminNodes");
  const change = useAdminChange();
  const to = (node: NodeView, enabled: boolean) => ({
    send: (call: AdminCall) =>
      call("PATCH /api/admin/nodes/{id}", { params: { id: node.id }, body: { enabled } }),
    done: fill(enabled ? text.enabled : text.drained, { name: node.name }),
  });
  return {
    busy: change.isPending,
    set: (node: NodeView, enabled: boolean, onDone?: () => void) =>
      change.mutate(
        { ...to(node, enabled), record: node.id, undo: to(node, !enabled) },
        onDone === undefined ? {} : { onSuccess: onDone },
      ),
  };
}

/** Enables or disables a node; asks first where models would have no node, or none to fall back on. */
export function useToggleNode(onTask: (task: NodeTask) => void) {
  const client = useQueryClient();
  const { busy, set } = useSwitchNode();
  async function toggle(node: NodeView) {
    if (node.enabled && (await isNeeded(client, node))) onTask("drain");
    else set(node, !node.enabled);
  }
  return { busy, toggle };
}

/** Whether models on offer lose something without this node. Where that cannot be read, whether it serves any. */
async function isNeeded(client: QueryClient, node: NodeView): Promise<boolean> {
  const nodes = client.getQueryData(readKey(read("GET /api/admin/nodes")))?.data ?? [];
  try {
    const { data } = await client.fetchQuery({
      ...queryOf(read("GET /api/admin/models")),
      staleTime: 0,
    });
    const { stopped, alone } = modelsWithout(node.id, data, nodes);
    return stopped.length > 0 || alone.length > 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return node.models.length > 0;
  }
}

/**
 * The aliases on offer that would have no working node without this one (`stopped`), and those that would have a single
 * one and so nothing to fall back on (`alone`).
 */
export function modelsWithout(
  nodeId: string,
  models: readonly AdminModel[],
  nodes: readonly NodeView[],
): { stopped: string[]; alone: string[] } {
  const isServed = ({ live, routes }: AdminModel) => live && routes.some((route) => route.nodeId === nodeId);
  const leftOf = (model: AdminModel) => servingNodes(model, nodes).filter((id) => id !== nodeId).length;
  const leftWith = (count: number) =>
    models.filter((model) => isServed(model) && leftOf(model) === count).map(({ alias }) => alias);
  return { stopped: leftWith(0), alone: leftWith(1) };
}

/** The menu of one node. A node of the configuration file is read-only here, except for its circuit. */
export function NodeMenu(props: { node: NodeView; onTest: () => void; onTask: (task: NodeTask) => void }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { node, onTask } = props;
  const { toggle } = useToggleNode(onTask);
  const models = [...new Set(node.models.map(({ alias }) => alias))];
  return (
    <RowMenu name={node.name}>
      <MenuItem onClick={props.onTest}>{text.test}</MenuItem>
      <MenuItem onClick={() => onTask("models")}>{text.addModels.open}</MenuItem>
      {node.enabled && <MenuLink href={nodeRehearsal(node.name)}>{text.rehearse}</MenuLink>}
      <MenuItem onClick={() => onTask("reset")}>{text.reset}</MenuItem>
      {!node.managedByFile && (
        <>
          <MenuSeparator />
          <MenuItem onClick={() => onTask("edit")}>{text.edit}</MenuItem>
          <MenuItem onClick={() => void toggle(node)}>{node.enabled ? text.drain : text.enable}</MenuItem>
          <MenuSeparator />
          <MenuItem
            danger
            disabledBecause={
              models.length > 0 ? fill(text.usedBy, { models: format.list(models) }) : undefined
            }
            onClick={() => onTask("delete")}
          >
            {text.delete}
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}
