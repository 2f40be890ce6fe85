"use client";

import { Ellipsis } from "lucide-react";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { buttonClass } from "../../ui/button";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu";
import type { NodeView } from "../types";
import { useAdminChange } from "../use-admin-change";

/** Actions on a node that open a dialog. */
export type NodeTask = "edit" | "models" | "reset" | "remove";

/** Enables or disables a node. */
export function useToggleNode() {
  const text = useMessages("adminNodes");
  const admin = useMessages("admin");
  const change = useAdminChange(admin.changeFailed);
  return {
    busy: change.isPending,
    toggle: (node: NodeView) =>
      change.mutate({
        send: (call) =>
          call("PATCH /api/admin/nodes/{id}", { params: { id: node.id }, body: { enabled: !node.enabled } }),
        done: fill(node.enabled ? text.drained : text.enabled, { name: node.name }),
      }),
  };
}

/** The menu of one node. A node of the configuration file is read-only here, except for its circuit. */
export function NodeMenu(props: { node: NodeView; onOpen: () => void; onTask: (task: NodeTask) => void }) {
  const text = useMessages("adminNodes");
  const admin = useMessages("admin");
  const { toggle } = useToggleNode();
  const { node, onTask } = props;
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
          <MenuItem onClick={() => toggle(node)}>{node.enabled ? text.drain : text.enable}</MenuItem>
          <MenuSeparator />
          <MenuItem danger onClick={() => onTask("remove")}>
            {text.remove}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
