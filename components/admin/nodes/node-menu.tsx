"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { ApiError, callApi } from "../../api/client";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { buttonClass } from "../../ui/button";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu";
import { adminKeys } from "../queries";
import type { AdminModel, NodeView } from "../types";
import { type AdminCall, useAdminChange } from "../use-admin-change";

/** Actions on a node that open a dialog. */
export type NodeTask = "edit" | "models" | "reset" | "delete" | "drain";

/** Enables or disables a node, which can be taken back. */
export function useSwitchNode() {
  const text = useMessages("adminNodes");
  const admin = useMessages("admin");
  const change = useAdminChange(admin.changeFailed);
  const to = (node: NodeView, enabled: boolean) => ({
    send: (call: AdminCall) =>
      call("PATCH /api/admin/nodes/{id}", { params: { id: node.id }, body: { enabled } }),
    done: fill(enabled ? text.enabled : text.drained, { name: node.name }),
  });
  return {
    busy: change.isPending,
    set: (node: NodeView, enabled: boolean, onDone?: () => void) =>
      change.mutate(
        { ...to(node, enabled), undo: to(node, !enabled) },
        onDone === undefined ? {} : { onSuccess: onDone },
      ),
  };
}

/** Enables or disables a node; asks first where models would have no node. */
export function useToggleNode(onTask: (task: NodeTask) => void) {
  const client = useQueryClient();
  const { busy, set } = useSwitchNode();
  async function toggle(node: NodeView) {
    const isLast = node.enabled && (await modelsWithout(client, node)).length > 0;
    if (isLast) onTask("drain");
    else set(node, !node.enabled);
  }
  return { busy, toggle };
}

/** The aliases on offer that only this node serves. Where that cannot be read, those that it serves. */
async function modelsWithout(client: QueryClient, node: NodeView): Promise<string[]> {
  const nodes = client.getQueryData<{ data: NodeView[] }>(adminKeys.nodes)?.data ?? [];
  try {
    const { data } = await client.fetchQuery({
      queryKey: adminKeys.models,
      queryFn: ({ signal }) => callApi("GET /api/admin/models", { signal }),
      staleTime: 0,
    });
    return modelsOnlyOn(node.id, data, nodes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return node.models.map(({ alias }) => alias);
  }
}

/** The aliases on offer that have no enabled node besides this one. */
export function modelsOnlyOn(
  nodeId: string,
  models: readonly AdminModel[],
  nodes: readonly NodeView[],
): string[] {
  const enabled = new Set(nodes.filter((node) => node.enabled).map(({ id }) => id));
  const isLost = ({ live, routes }: AdminModel) =>
    live &&
    routes.some((route) => route.nodeId === nodeId) &&
    routes.every((route) => route.nodeId === nodeId || !enabled.has(route.nodeId));
  return models.filter(isLost).map(({ alias }) => alias);
}

/** The menu of one node. A node of the configuration file is read-only here, except for its circuit. */
export function NodeMenu(props: { node: NodeView; onOpen: () => void; onTask: (task: NodeTask) => void }) {
  const text = useMessages("adminNodes");
  const admin = useMessages("admin");
  const format = useFormat();
  const { node, onTask } = props;
  const { toggle } = useToggleNode(onTask);
  const models = [...new Set(node.models.map(({ alias }) => alias))];
  return (
    <Menu
      label={fill(admin.actionsFor, { name: node.name })}
      triggerClass={buttonClass("ghost", "icon")}
      trigger={<Ellipsis aria-hidden className="size-4" />}
    >
      <MenuItem onClick={props.onOpen}>{text.test}</MenuItem>
      <MenuItem onClick={() => onTask("models")}>{text.addModels.open}</MenuItem>
      <MenuItem onClick={() => onTask("reset")}>{text.reset}</MenuItem>
      {!node.managedByFile && (
        <>
          <MenuSeparator />
          <MenuItem onClick={() => onTask("edit")}>{text.edit}</MenuItem>
          <MenuItem onClick={() => void toggle(node)}>{node.enabled ? text.drain : text.enable}</MenuItem>
          <MenuSeparator />
          <MenuItem
            danger
            disabled={models.length > 0}
            hint={models.length > 0 ? fill(text.usedBy, { models: format.list(models) }) : undefined}
            onClick={() => onTask("delete")}
          >
            {text.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
