"use client";

import type { AuditEntry } from "../../api/admin/types";
import { actionText, fieldText, orderedChanges, valueText } from "../../changes/change-words";
import type { FieldChange } from "../../changes/diff";
import { useChangeWords } from "../../changes/use-change-words";
import { useFormat, useMessages } from "../../i18n/provider";
import { Facts } from "../../ui/card";
import type { Column } from "../../ui/columns";
import { DataTable } from "../../ui/data-table";
import { Drawer } from "../../ui/drawer";
import { ActorLink, TargetLink } from "./audit-list";

/** One audit entry with the changed fields; accounts lead to their pages. */
export function AuditDetail(props: { entry: AuditEntry; onClose: () => void }) {
  const text = useMessages("audit");
  const format = useFormat();
  const { entry } = props;
  return (
    <Drawer onClose={props.onClose} title={text.detailTitle}>
      <div className="grid gap-6">
        <Facts
          rows={[
            [text.action, actionText(entry, text)],
            [text.time, format.dateTime(entry.createdAt)],
            [text.who, <ActorLink key="who" entry={entry} />],
            [text.ip, entry.ip],
            [text.target, <TargetLink key="target" entry={entry} />],
            [
              "ID",
              <code key="id" className="break-all">
                {entry.targetId}
              </code>,
            ],
          ]}
        />
        <Changes entry={entry} />
      </div>
    </Drawer>
  );
}

/** The changed fields; of a new or a deleted record there is only one side. */
function Changes({ entry }: { entry: AuditEntry }) {
  const text = useMessages("audit");
  const words = useChangeWords()(entry);
  const changes = orderedChanges(entry);
  const sides = (["before", "after"] as const).filter((side) => entry[side] !== null);
  if (changes.length === 0) return <p className="text-sm text-muted">{text.noDiff}</p>;
  const columns: Column<FieldChange>[] = sides.map((side) => ({
    id: side,
    head: sides.length === 1 ? text.value : text[side],
    className: sides.length > 1 && side === "before" ? "wrap-anywhere text-muted" : "wrap-anywhere",
    cell: (change) => valueText(change.field, change[side], words),
  }));
  return (
    <DataTable
      caption={text.changes}
      columns={[
        {
          id: "field",
          head: text.field,
          className: "wrap-anywhere",
          cell: (change) => fieldText(change, text),
        },
        ...columns,
      ]}
      rows={changes}
      rowId={({ field, route }) => [route, field].join(" ")}
    />
  );
}
