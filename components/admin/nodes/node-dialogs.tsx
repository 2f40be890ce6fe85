"use client";

import type { NodeView } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { fill, type Plural, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { ConfirmedCall } from "../confirmed-call";
import { modelsWithout, useSwitchNode } from "./node-menu";

interface DialogProps {
  node: NodeView;
  onClose: () => void;
}

/** Closes a node's circuits after its effects have been read. */
export function ResetNodeDialog(props: DialogProps) {
  const text = useMessages("adminNodes");
  const { name, id } = props.node;
  return (
    <ConfirmedCall
      tone="primary"
      title={fill(text.resetTitle, { name })}
      body={text.resetBody}
      action={text.resetAction}
      send={(call) => call("POST /api/admin/nodes/{id}/reset", { params: { id } })}
      done={fill(text.resetDone, { name })}
      onClose={props.onClose}
    />
  );
}

/** Disables a node after the models that would have no node, or no other one, have been read. */
export function DrainNodeDialog(props: DialogProps) {
  const text = useMessages("adminNodes");
  const { node, onClose } = props;
  const { busy, set } = useSwitchNode();
  const models = useRead("GET /api/admin/models").data?.data;
  const nodes = useRead("GET /api/admin/nodes").data?.data ?? [];
  const { stopped, alone } = modelsWithout(node.id, models ?? [], nodes);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => set(node, false, onClose)}
      title={fill(text.drainTitle, { name: node.name })}
      body={
        models === undefined ? (
          <Aliases lead={text.drainUnknown} aliases={[...new Set(node.models.map(({ alias }) => alias))]} />
        ) : (
          <>
            <Aliases lead={text.drainStopped} aliases={stopped} />
            <Aliases lead={text.drainAlone} aliases={alone} />
          </>
        )
      }
      action={text.drain}
      busy={busy}
    />
  );
}

/** What will happen to models, and which; nothing where it happens to none. */
function Aliases(props: { lead: Plural; aliases: string[] }) {
  const format = useFormat();
  const { lead, aliases } = props;
  if (aliases.length === 0) return null;
  return (
    <>
      <p>{plural(lead, aliases.length, format.locale)}</p>
      <ul className="list-disc pl-4 font-mono text-xs">
        {aliases.map((alias) => (
          <li key={alias} className="wrap-anywhere">
            {alias}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Deletes a node after its name has been typed. */
export function DeleteNodeDialog(props: DialogProps) {
  const text = useMessages("adminNodes");
  const { name, id } = props.node;
  return (
    <ConfirmedCall
      title={fill(text.deleteTitle, { name })}
      body={text.deleteBody}
      typed={name}
      action={text.deleteAction}
      send={(call) => call("DELETE /api/admin/nodes/{id}", { params: { id } })}
      done={fill(text.deleted, { name })}
      deletes={id}
      onClose={props.onClose}
    />
  );
}
