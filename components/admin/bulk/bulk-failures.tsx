"use client";

import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Dialog, DialogActions } from "../../ui/dialog";
import type { BulkWords } from "./bulk-words";
import type { Outcome } from "./outcomes";

/** The records that a change of several left as they were, and why. */
export function BulkFailures(props: {
  words: BulkWords;
  done: number;
  failures: Outcome[];
  nameOf: (id: string) => string;
  onClose: () => void;
}) {
  const common = useMessages("common");
  const { words } = props;
  const none = props.done === 0 && props.failures.every(({ error }) => error?.message !== words.unknown);
  const title = none ? words.noneTitle : words.partlyTitle;
  const lead = none ? words.none : words.partly;
  return (
    <Dialog open onClose={props.onClose} title={title} role="alertdialog">
      <div className="grid gap-4">
        <p className="text-sm">{fill(lead, { done: props.done, failed: props.failures.length })}</p>
        <DataTable
          caption={title}
          rows={props.failures}
          rowId={({ id }) => id}
          columns={[
            { id: "who", head: words.who, className: "wrap-break-word", cell: ({ id }) => props.nameOf(id) },
            { id: "why", head: words.why, card: "line", cell: ({ error }) => error?.message },
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
