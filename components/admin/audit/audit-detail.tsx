"use client";

import { useFormat, useMessages } from "../../i18n/provider";
import { Facts } from "../../ui/card";
import { Sheet } from "../../ui/dialog";
import { Table, Td, Th } from "../../ui/table";
import type { AuditEntry } from "../types";
import { actionText, targetTypeText } from "./audit-list";
import { diffOf, shortValue } from "./diff";

/** One audit entry with the changed fields. */
export function AuditDetail(props: { entry: AuditEntry; onClose: () => void }) {
  const text = useMessages("admin").audit;
  const format = useFormat();
  const { entry } = props;
  const changes = diffOf(entry.before ?? undefined, entry.after ?? undefined);
  return (
    <Sheet open onClose={props.onClose} title={text.detailTitle}>
      <div className="grid gap-6">
        <Facts
          rows={[
            [text.action, actionText(entry.action, text)],
            [text.time, format.dateTime(entry.createdAt)],
            [text.who, entry.actorName || text.system],
            [text.ip, entry.ip],
            [text.target, targetTypeText(entry.targetType, text)],
            [
              "ID",
              <code key="id" className="break-all">
                {entry.targetId}
              </code>,
            ],
          ]}
        />
        {changes.length === 0 ? (
          <p className="text-sm text-muted">{text.noDiff}</p>
        ) : (
          <div className="overflow-hidden rounded-lg border">
            <Table caption={text.changes}>
              <thead>
                <tr>
                  <Th>{text.field}</Th>
                  <Th>{text.before}</Th>
                  <Th>{text.after}</Th>
                </tr>
              </thead>
              <tbody>
                {changes.map((change) => (
                  <tr key={change.field} className="last:*:border-b-0">
                    <Td className="font-mono text-xs break-all">{change.field}</Td>
                    <Td className="font-mono text-xs break-all text-muted">
                      {shortValue(change.before) || "–"}
                    </Td>
                    <Td className="font-mono text-xs break-all">{shortValue(change.after) || "–"}</Td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </div>
        )}
      </div>
    </Sheet>
  );
}
