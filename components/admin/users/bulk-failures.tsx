"use client";

import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Dialog, DialogActions } from "../../ui/dialog";
import type { AdminUser } from "../types";
import type { Outcome } from "./use-bulk";

/** The accounts that a change of several left as they were, and why. */
export function BulkFailures(props: {
  done: number;
  failures: Outcome[];
  users: AdminUser[];
  onClose: () => void;
}) {
  const text = useMessages("adminUsers").bulk;
  const common = useMessages("common");
  const nameOf = (id: string) => props.users.find((user) => user.id === id)?.username ?? id;
  const none = props.done === 0 && props.failures.every(({ error }) => error?.message !== text.unknown);
  const title = none ? text.noneTitle : text.partlyTitle;
  const lead = none ? text.none : text.partly;
  return (
    <Dialog open onClose={props.onClose} title={title} role="alertdialog">
      <div className="grid gap-4">
        <p className="text-sm">{fill(lead, { done: props.done, failed: props.failures.length })}</p>
        <DataTable
          caption={title}
          rows={props.failures}
          rowId={({ id }) => id}
          columns={[
            { id: "who", head: text.who, className: "wrap-break-word", cell: ({ id }) => nameOf(id) },
            { id: "why", head: text.why, card: "line", cell: ({ error }) => error?.message },
          ]}
        />
      </div>
      <DialogActions>
        <Button variant="primary" onClick={props.onClose}>
          {common.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
