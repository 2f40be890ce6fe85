"use client";

import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type FocusEvent, type MouseEvent, type ReactNode, useRef } from "react";
import { useMessages } from "../i18n/provider";
import { cn } from "./cn";
import { useColumnChoice } from "./column-choice";
import { type Column, type ColumnSort, hidden, type ShownColumn, useShownColumns } from "./columns";
import { ColumnsMenu } from "./columns-menu";
import { openerOf, rememberRow } from "./focus-main";
import { useRowLayout } from "./row-layout";
import { Table, Td, Th } from "./table";

/** The menu of a row stays in view while a wide table scrolls below it. */
const stuck =
  "sticky right-0 bg-inherit before:pointer-events-none before:absolute before:hidden before:inset-y-0 before:-left-6 before:w-6 " +
  "before:bg-inherit before:[mask-image:linear-gradient(to_left,#000,transparent)] group-data-scrolls/scroll:before:block";

interface TableProps<T> {
  caption: string;
  columns: Column<T>[];
  rows: T[];
  rowId: (row: T) => string;
  actions?: ((row: T) => ReactNode) | undefined;
  /** The head of the actions, for readers of a screen; "Actions" unless given. */
  actionsHead?: string;
  /** Opens the form of a row, which `e` does while the focus is in the row; undefined for one that cannot be edited. */
  edit?: ((row: T) => (() => void) | undefined) | undefined;
  /** A click anywhere on a row is one on what has `data-opens` in it, or else on its first link or button. */
  opens?: boolean;
  /** The table is the whole content of a card, which has the border. */
  flush?: boolean;
  current?: (row: T) => boolean;
  /** The sum of the rows, below them. */
  total?: T;
  className?: string;
  /** The list, whose columns the reader may show and hide: by this name the choice is kept. */
  list?: string;
}

/** Rows as a table; on a phone each row is a card. */
export function DataTable<T>(props: TableProps<T>) {
  const layout = useRowLayout();
  const columns = useShownColumns(props);
  const choice = useColumnChoice(props.list);
  const table = useRef<HTMLDivElement>(null);
  // What ticks a row and what names it stay.
  const optional = columns.filter(({ headCell }) => headCell === undefined).slice(1);
  const chosen = columns.filter((column) => !optional.includes(column) || choice.wants(column));
  const ofCards = columns.filter(({ extra }) => extra !== true);
  const frame = cn(props.flush !== true && "rounded-lg border");
  return (
    <>
      {layout !== "cards" && (
        <div
          ref={table}
          className={cn("@container overflow-clip", layout === "both" && "max-md:hidden", frame)}
        >
          <TableRows
            {...props}
            columns={chosen.map((column) => (choice.of(column.id) === "shown" ? always(column) : column))}
          />
        </div>
      )}
      {props.list !== undefined && layout !== "cards" && (
        <ColumnsMenu columns={optional} choice={choice} table={table} />
      )}
      <HeadOfCards columns={ofCards} />
      {layout !== "table" && (
        <ul
          aria-label={props.caption}
          className={cn("divide-y overflow-clip *:card-in-list", layout === "both" && "md:hidden", frame)}
        >
          <CardRows {...props} columns={ofCards} />
        </ul>
      )}
    </>
  );
}

/** A column that was chosen is shown in a narrow table too, which scrolls. */
function always<T>({ from: _narrow, ...column }: ShownColumn<T>): ShownColumn<T> {
  return column;
}

/** The properties of a table whose columns know their rows. */
type ShownProps<T> = Omit<TableProps<T>, "columns"> & { columns: ShownColumn<T>[] };

function TableRows<T>(props: ShownProps<T>) {
  const { columns, total } = props;
  const common = useMessages("common");
  return (
    <Table
      caption={props.caption}
      fades={props.actions === undefined}
      {...(props.className && { className: props.className })}
    >
      <Head columns={columns} {...(props.actions && { actionsHead: props.actionsHead ?? common.actions })} />
      <tbody className="[&>tr:last-child>*]:border-b-0">
        {props.rows.map((row) => (
          <tr key={props.rowId(row)} {...rowProps(props, row)}>
            {columns.map((column) => (
              <Td key={column.id} end={column.end} className={cn(hidden(column), column.className)}>
                {column.show(row)}
                {column.beside?.(row)}
              </Td>
            ))}
            {props.actions !== undefined && (
              <Td end className={stuck}>
                {props.actions(row)}
                <Edit {...props} row={row} />
              </Td>
            )}
          </tr>
        ))}
      </tbody>
      {total !== undefined && (
        <Foot columns={columns} row={total} {...(props.actions && { actions: true })} />
      )}
    </Table>
  );
}

function CardRows<T>(props: ShownProps<T>) {
  const { columns, total } = props;
  return (
    <>
      {props.rows.map((row) => (
        <li key={props.rowId(row)} {...rowProps(props, row)}>
          <RowCard columns={columns} row={row} actions={props.actions?.(row)} />
          <Edit {...props} row={row} />
        </li>
      ))}
      {total !== undefined && (
        <li>
          <RowCard columns={columns} row={total} actions={undefined} />
        </li>
      )}
    </>
  );
}

/** What `e` presses; nobody sees it. */
function Edit<T>({ edit, row }: Pick<TableProps<T>, "edit"> & { row: T }) {
  const onEdit = edit?.(row);
  return onEdit !== undefined && <button type="button" hidden data-edits onClick={onEdit} />;
}

/** How a row looks, whether it is the current one, and what a click on it does. */
function rowProps<T>({ rowId, opens, current }: Pick<TableProps<T>, "rowId" | "opens" | "current">, row: T) {
  const isCurrent = current?.(row) ?? false;
  return {
    "data-row": rowId(row),
    className: cn(
      opens && "cursor-pointer",
      isCurrent ? "bg-primary-soft" : cn("bg-page has-focus-visible:bg-card", opens && "hover:bg-card"),
    ),
    "aria-current": isCurrent ? ("true" as const) : undefined,
    onClick: opens ? openRow : undefined,
    onFocus: (event: FocusEvent<HTMLElement>) => rememberRow(event.currentTarget, event.target),
  };
}

/**
 * Follows the link that opens the row, which gets the focus back from what it opens, unless the click is on another
 * control, in a layer above the row, or selects text.
 */
function openRow(event: MouseEvent<HTMLElement>) {
  const { currentTarget: row, target } = event;
  if (!(target instanceof Element) || !row.contains(target)) return;
  if (target.closest("a, button, input, label, summary") !== null || getSelection()?.type === "Range") return;
  const opener = openerOf(row);
  opener?.focus({ preventScroll: true });
  opener?.click();
}

function Head<T>(props: { columns: ShownColumn<T>[]; actionsHead?: string }) {
  return (
    <thead>
      <tr>
        {props.columns.map((column) => (
          <Th key={column.id} end={column.end} className={hidden(column)} aria-sort={column.sort?.direction}>
            {column.sort === undefined ? (
              (column.headCell ?? column.head)
            ) : (
              <SortButton {...column.sort}>{column.head}</SortButton>
            )}
          </Th>
        ))}
        {props.actionsHead !== undefined && (
          <Th className="right-0">
            <span className="sr-only">{props.actionsHead}</span>
          </Th>
        )}
      </tr>
    </thead>
  );
}

function Foot<T>(props: { columns: ShownColumn<T>[]; row: T; actions?: boolean }) {
  return (
    <tfoot className="bg-card font-medium [&_td]:border-t [&_td]:border-b-0">
      <tr>
        {props.columns.map((column) => (
          <Td key={column.id} end={column.end} className={cn(hidden(column), column.className)}>
            {column.show(props.row)}
          </Td>
        ))}
        {props.actions && <Td />}
      </tr>
    </tfoot>
  );
}

const sortIcons = { ascending: ArrowUp, descending: ArrowDown };

function SortButton(props: ColumnSort & { children: string }) {
  const Icon = props.direction === undefined ? ChevronsUpDown : sortIcons[props.direction];
  return (
    <button
      type="button"
      onClick={props.onSort}
      className="-mx-1 inline-flex h-7 items-center gap-1 rounded-sm px-1 hover:text-fg"
    >
      {props.children}
      <Icon aria-hidden className={cn("size-3", props.direction === undefined && "opacity-60")} />
    </button>
  );
}

/** Above cards: what a table's head shows instead of a text, with the text beside it. */
function HeadOfCards<T>(props: { columns: ShownColumn<T>[] }) {
  return props.columns
    .filter(({ headCell }) => headCell !== undefined)
    .map(({ id, head, headCell }) => (
      <div key={id} className="flex items-center justify-end gap-2 px-4 pb-2 text-sm text-muted md:hidden">
        <span aria-hidden>{head}</span>
        {headCell}
      </div>
    ));
}

const ownLine = ({ card }: Pick<Column<never>, "card">) => card === "wide" || card === "line";
const isUnlabelled = ({ card }: Pick<Column<never>, "card">) => card === "plain" || card === "line";

/** A row on a phone: its title with the corner, and its facts one after the other. */
function RowCard<T>(props: { columns: ShownColumn<T>[]; row: T; actions: ReactNode }) {
  const title = props.columns.find((column) => column.card === "title") ?? props.columns[0];
  const rest = props.columns.filter((column) => column !== title && column.card !== "none");
  const facts = rest
    .filter((column) => column.card !== "corner")
    .map((column) => ({ ...column, content: column.show(props.row) }))
    .filter(({ content }) => content !== null);
  return (
    <div className="grid gap-1 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 font-medium wrap-anywhere">{title?.show(props.row)}</div>
        <div className="flex shrink-0 items-center gap-2">
          {rest
            .filter((column) => column.card === "corner")
            .map((column) => (
              <span key={column.id}>{column.show(props.row)}</span>
            ))}
          {props.actions !== undefined && <span className="-my-1.5 -mr-1">{props.actions}</span>}
        </div>
      </div>
      <dl className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs text-muted">
        {facts.map((column) => (
          <div
            key={column.id}
            className={cn("flex max-w-full min-w-0 items-baseline gap-1.5", ownLine(column) && "basis-full")}
          >
            <dt className={isUnlabelled(column) ? "sr-only" : "shrink-0"}>{column.head}</dt>
            <dd
              className={cn(
                "tabular min-w-0 wrap-anywhere",
                ownLine(column) && "flex-1",
                !isUnlabelled(column) && "text-fg",
              )}
            >
              {column.content}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
