"use client";

import type { CheckedList, CheckedRow, RowFault } from "@/lib/shared/user-import/check-list";
import { useRead } from "../../../api/use-read";
import { useAmountRule } from "../../../forms/fields";
import { fill, plural } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { Button } from "../../../ui/button";
import { DataTable } from "../../../ui/data-table";
import { DialogActions } from "../../../ui/dialog";
import { useReadableErrors } from "../../../ui/field";
import { Note } from "../../../ui/states";

/** So many rows are shown of each kind: the rest is counted. */
const MOST_SHOWN = 100;
const MOST_NAMED = 5;

/** What is wrong with the rows, and what becomes of the others. */
export function CheckStep(props: { checked: CheckedList; onBack: () => void; onSend: () => void }) {
  const text = useMessages("adminUsers").import;
  const format = useFormat();
  const { locale } = format;
  const { good, faults, unknown } = props.checked;
  const faultyRows = new Set(faults.map(({ row }) => row)).size;
  return (
    <div className="grid gap-4">
      <div role="status" className="grid gap-1 text-sm">
        <p className="font-medium">{plural(text.good, good.length, locale)}</p>
        {faultyRows > 0 && <p className="text-danger">{plural(text.faulty, faultyRows, locale)}</p>}
      </div>
      {unknown.length > 0 && (
        <Note tone="warning">{fill(text.unknownColumns, { names: format.list(unknown) })}</Note>
      )}
      <SharedNote {...props.checked} />
      {faults.length > 0 && <Faults faults={faults} />}
      {good.length > 0 && <Good rows={good} />}
      <DialogActions>
        <Button data-first-focus onClick={props.onBack}>
          {text.correct}
        </Button>
        {good.length > 0 && (
          <Button variant="primary" onClick={props.onSend}>
            {plural(text.create, good.length, locale)}
          </Button>
        )}
      </DialogActions>
    </div>
  );
}

/** Two accounts may have one e-mail address. */
function SharedNote({ shared }: CheckedList) {
  const text = useMessages("adminUsers").import;
  const format = useFormat();
  if (shared.length === 0) return null;
  const named = shared.slice(0, MOST_NAMED).map(({ email }) => email);
  const more = shared.length - named.length;
  const emails = format.list([...named, ...(more > 0 ? [plural(text.more, more, format.locale)] : [])]);
  return <Note tone="info">{fill(text.shared, { emails })}</Note>;
}

function Faults({ faults }: { faults: RowFault[] }) {
  const text = useMessages("adminUsers").import;
  const rightOf = useRight();
  return (
    <div className="grid gap-2">
      <DataTable
        caption={text.faultsCaption}
        rows={faults.slice(0, MOST_SHOWN)}
        rowId={({ row, column, fault }) => `${row} ${column} ${JSON.stringify(fault)}`}
        columns={[
          { id: "row", head: text.row, card: "line", cell: ({ row }) => row },
          { id: "field", head: text.field, card: "line", cell: ({ column }) => text.columnNames[column] },
          {
            id: "typed",
            head: text.typed,
            card: "line",
            className: "wrap-anywhere",
            cell: ({ typed }) => (typed === "" ? <span className="text-muted">{text.nothing}</span> : typed),
          },
          { id: "right", head: text.right, card: "line", cell: (fault) => rightOf(fault) },
        ]}
      />
      <Rest count={faults.length} />
    </div>
  );
}

/** What would be right, in the reader's language. */
function useRight(): (fault: RowFault) => string {
  const text = useMessages("adminUsers").import;
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const readable = useReadableErrors(null);
  const amountRule = useAmountRule();
  return ({ fault, column, typed }) => {
    switch (fault.kind) {
      case "exists":
        return text.exists;
      case "twice":
        return fill(text.twice, { row: fault.row });
      case "noPlan":
        return fill(text.noPlan, { plans: format.list(plans.map(({ name }) => name)) });
      case "refused":
        return column === "quota" ? amountRule(typed) : readable(fault.message);
    }
  };
}

function Good({ rows }: { rows: CheckedRow[] }) {
  const text = useMessages("adminUsers").import;
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const planName = (id: number | undefined) => plans.find((plan) => plan.id === id)?.name;
  const names = text.columnNames;
  return (
    <div className="grid gap-2">
      <DataTable
        caption={text.goodCaption}
        rows={rows.slice(0, MOST_SHOWN)}
        rowId={({ row }) => String(row.number)}
        columns={[
          { id: "row", head: text.row, card: "line", cell: ({ row }) => row.number },
          { id: "username", head: names.username, card: "title", cell: ({ body }) => body.username },
          {
            id: "email",
            head: names.email,
            card: "line",
            className: "wrap-anywhere",
            cell: ({ body }) => body.email,
          },
          { id: "name", head: names.name, card: "line", cell: ({ body }) => body.name },
          { id: "plan", head: names.plan, card: "line", cell: ({ body }) => planName(body.planId) },
          {
            id: "quota",
            head: names.quota,
            card: "line",
            end: true,
            cell: ({ body }) => (body.quota === undefined ? null : format.moneyExact(body.quota)),
          },
          { id: "costCentre", head: names.costCentre, card: "line", cell: ({ body }) => body.costCentre },
        ]}
      />
      <Rest count={rows.length} />
    </div>
  );
}

function Rest({ count }: { count: number }) {
  const text = useMessages("adminUsers").import;
  const { locale } = useFormat();
  if (count <= MOST_SHOWN) return null;
  return <p className="text-sm text-muted">{plural(text.more, count - MOST_SHOWN, locale)}</p>;
}
