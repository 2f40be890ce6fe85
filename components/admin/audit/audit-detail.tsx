"use client";

import { useFormat, useMessages } from "../../i18n/provider";
import { Facts } from "../../ui/card";
import { Sheet } from "../../ui/dialog";
import { Table, Td, Th } from "../../ui/table";
import { useAdminPlans } from "../queries";
import type { AuditEntry } from "../types";
import { actionText, Target } from "./audit-list";
import { type ChangeWords, fieldText, shownChanges, valueText } from "./change-words";

/** One audit entry with the changed fields. */
export function AuditDetail(props: { entry: AuditEntry; onClose: () => void }) {
  const text = useMessages("admin").audit;
  const format = useFormat();
  const { entry } = props;
  return (
    <Sheet open onClose={props.onClose} title={text.detailTitle}>
      <div className="grid gap-6">
        <Facts
          rows={[
            [text.action, actionText(entry.action, text)],
            [text.time, format.dateTime(entry.createdAt)],
            [text.who, entry.actorName || text.system],
            [text.ip, entry.ip],
            [text.target, <Target key="target" entry={entry} />],
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
    </Sheet>
  );
}

/** The changed fields; of a new or a deleted record there is only one side. */
function Changes(props: { entry: AuditEntry }) {
  const text = useMessages("admin").audit;
  const words = useChangeWords();
  const { entry } = props;
  const changes = shownChanges(entry);
  const sides = (["before", "after"] as const).filter((side) => entry[side] !== null);
  if (changes.length === 0) return <p className="text-sm text-muted">{text.noDiff}</p>;
  return (
    <div className="overflow-hidden rounded-lg border">
      <Table caption={text.changes}>
        <thead>
          <tr>
            <Th>{text.field}</Th>
            {sides.map((side) => (
              <Th key={side}>{sides.length === 1 ? text.value : text[side]}</Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.field} className="last:*:border-b-0">
              <Td className="wrap-anywhere">{fieldText(change.field, text)}</Td>
              {sides.map((side) => (
                <Td key={side} className={sides.length > 1 && side === "before" ? MUTED : "wrap-anywhere"}>
                  {valueText(change.field, change[side], words)}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const MUTED = "wrap-anywhere text-muted";

function useChangeWords(): ChangeWords {
  const admin = useMessages("admin");
  const common = useMessages("common");
  const plans = useAdminPlans().data?.data ?? [];
  return {
    text: admin.audit,
    format: useFormat(),
    yes: common.yes,
    no: common.no,
    unlimited: admin.plans.unlimited,
    planName: (id) => plans.find((plan) => plan.id === id)?.name ?? String(id),
  };
}
