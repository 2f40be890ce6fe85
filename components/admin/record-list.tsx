import type { ReactNode } from "react";
import { cn } from "../ui/cn";
import { Table, Td, Th } from "../ui/table";

/** One column of a record list; the first one names the record. */
export interface Column<T> {
  id: string;
  head: string;
  cell: (row: T) => ReactNode;
  /** Numbers align to the end. */
  end?: boolean;
  /** Hidden in tables except in the widest layout; cards always show it. */
  wide?: boolean;
  className?: string;
}

interface ListProps<T> {
  caption: string;
  columns: Column<T>[];
  rows: T[];
  rowId: (row: T) => string;
  actions?: (row: T) => ReactNode;
  actionsHead?: string;
}

/** Records as a table, or as cards on a phone. */
export function RecordList<T>(props: ListProps<T>) {
  return (
    <>
      <div className="overflow-hidden rounded-lg border max-md:hidden">
        <Table caption={props.caption}>
          <RecordHead {...props} />
          <tbody>
            {props.rows.map((row) => (
              <RecordRow key={props.rowId(row)} row={row} {...props} />
            ))}
          </tbody>
        </Table>
      </div>
      <ul aria-label={props.caption} className="grid gap-3 md:hidden">
        {props.rows.map((row) => (
          <RecordCard key={props.rowId(row)} row={row} {...props} />
        ))}
      </ul>
    </>
  );
}

function RecordHead<T>(props: ListProps<T>) {
  return (
    <thead>
      <tr>
        {props.columns.map((column) => (
          <Th
            key={column.id}
            {...(column.end === true ? { end: true } : {})}
            className={cn(column.wide === true && "max-xl:hidden")}
          >
            {column.head}
          </Th>
        ))}
        {props.actions !== undefined && (
          <Th>
            <span className="sr-only">{props.actionsHead}</span>
          </Th>
        )}
      </tr>
    </thead>
  );
}

function RecordRow<T>(props: ListProps<T> & { row: T }) {
  return (
    <tr className="last:*:border-b-0">
      {props.columns.map((column) => (
        <Td
          key={column.id}
          {...(column.end === true ? { end: true } : {})}
          className={cn(column.wide === true && "max-xl:hidden", column.className)}
        >
          {column.cell(props.row)}
        </Td>
      ))}
      {props.actions !== undefined && <Td end>{props.actions(props.row)}</Td>}
    </tr>
  );
}

function RecordCard<T>(props: ListProps<T> & { row: T }) {
  const [name, ...rest] = props.columns;
  return (
    <li className="grid gap-3 rounded-lg border p-4">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 wrap-anywhere">{name?.cell(props.row)}</div>
        {props.actions?.(props.row)}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
        {rest.map((column) => (
          <div key={column.id} className="min-w-0">
            <dt className="text-xs text-muted">{column.head}</dt>
            <dd className="tabular wrap-anywhere">{column.cell(props.row)}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
