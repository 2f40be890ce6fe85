"use client";

import { type ReactNode, useState } from "react";
import { HOUR_MS } from "@/lib/kernel/durations";
import { ApiError } from "../api/client";
import { ExportLink } from "../lists/export-link";
import { FilterBar } from "../lists/filter-bar";
import type { Filter, FilterTexts } from "../lists/filters";
import { givenRows, List, type ListProps, type ListSource } from "../lists/list-page";
import { Button } from "../ui/button";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { Status } from "../ui/status";
import { rowNameClass } from "../ui/table";
import { Shelf } from "./shelf";

interface Row {
  name: string;
  state: "normal" | "danger";
  price: string | null;
  cost: string | null;
  note: string;
}

const rows: Row[] = [
  { name: "demo-chat", state: "normal", price: "100", cost: "1234.5678", note: "Answers" },
  { name: "demo-messages", state: "danger", price: "0.5", cost: "0.02", note: "Fails now and then" },
  {
    name: "a-model-whose-name-is-longer-than-any-column",
    state: "normal",
    price: null,
    cost: null,
    note: "Never called",
  },
];

const columns: Column<Row>[] = [
  {
    id: "name",
    head: "Model",
    className: "max-w-64",
    cell: (row) => (
      <button type="button" className={rowNameClass}>
        {row.name}
      </button>
    ),
  },
  { id: "state", head: "State", card: "plain", cell: (row) => <Status tone={row.state}>{row.state}</Status> },
  { id: "note", head: "Note", from: "lg", card: "line", cell: (row) => row.note },
  { id: "price", head: "Price", rate: (row) => row.price },
  { id: "cost", head: "Cost", card: "corner", money: (row) => row.cost },
];

function Rows(props: { rows: Row[] }) {
  return <DataTable opens caption="Models" columns={columns} rows={props.rows} rowId={(row) => row.name} />;
}

/** Tables with amounts, actions and an opened row. */
export function KitchenTables() {
  return (
    <Shelf name="DataTable" stacked>
      <DataTable
        opens
        caption="Models with actions"
        columns={columns}
        rows={rows}
        rowId={(row) => row.name}
        current={(row) => row === rows[1]}
        actions={(row) => (
          <Button size="sm" aria-label={`Use ${row.name}`}>
            Use
          </Button>
        )}
      />
    </Shelf>
  );
}

const filters: Filter<"q" | "status" | "from" | "to" | "last" | "least" | "flag">[] = [
  { kind: "search", name: "q", label: "Search names" },
  {
    kind: "dates",
    from: "from",
    to: "to",
    unit: "moment",
    labels: { from: "From", to: "To" },
    spans: {
      name: "last",
      label: "Time",
      any: "Any time",
      custom: "Custom",
      options: [{ value: "1h", label: "Last hour", lengthMs: HOUR_MS }],
    },
  },
  {
    kind: "select",
    name: "status",
    label: "Status",
    options: [
      { value: "active", label: "Active" },
      { value: "disabled", label: "Disabled" },
    ],
  },
  { kind: "number", name: "least", label: "Least cost" },
  { kind: "flag", name: "flag", label: "Needs attention" },
];

const withRare = filters.map((filter) => ({
  ...filter,
  rare: filter.kind === "number" || filter.kind === "flag",
}));

type State = FilterTexts<string> & NonNullable<ListProps<Row, string>["state"]>;

/** A state of filters that lives in the component instead of in the URL. */
function useSampleState(initial: Record<string, string>, position: { page?: number } = {}): State {
  const [texts, setTexts] = useState<Partial<Record<string, string>>>(initial);
  return {
    filtered: Object.values(texts).some(Boolean),
    clear: () => setTexts({}),
    textOf: (name) => texts[name] ?? "",
    setTexts: (change) => setTexts({ ...texts, ...change }),
    page: position.page ?? 1,
    cursor: null,
    goToPage: () => {},
    goToOlder: () => {},
    goToNewer: () => {},
  };
}

/** Filters without and with a choice. */
export function KitchenFilters() {
  const none = useSampleState({});
  const set = useSampleState({ q: "demo", status: "active", flag: "true" });
  const dates = useSampleState({ from: "2026-11-21T08:00:00.000Z", status: "unknown" });
  return (
    <>
      <Shelf name="FilterBar, nothing set" stacked>
        <FilterBar state={none} filters={filters} found="3 models" />
      </Shelf>
      <Shelf name="FilterBar, set" stacked>
        <FilterBar state={set} filters={filters} found="1 model" />
      </Shelf>
      <Shelf name="FilterBar, with dates and an unknown choice" stacked>
        <FilterBar state={dates} filters={filters} />
      </Shelf>
      <Shelf name="FilterBar, with rare filters" stacked>
        <FilterBar state={set} filters={withRare} />
      </Shelf>
      <Shelf name="ExportLink">
        <ExportLink path="/api/user/logs/export" query={{}} />
      </Shelf>
    </>
  );
}

const given = givenRows(rows);
const failed = new ApiError({
  status: 500,
  code: "INTERNAL_ERROR",
  message: "It failed.",
  requestId: "req-42",
});
const readAt = Date.UTC(2026, 10, 21, 8);

const sources: { name: string; source: ListSource<Row>; filtered?: boolean; page?: number }[] = [
  { name: "loading", source: { ...given, page: undefined, pending: true } },
  { name: "never had any", source: givenRows([]) },
  { name: "nothing matches", source: givenRows([]), filtered: true },
  { name: "failed", source: { ...given, page: undefined, problem: failed } },
  {
    name: "failed, with older rows",
    source: { ...given, problem: failed, old: true, otherSelection: true, readAt },
    filtered: true,
  },
  { name: "refreshing", source: { ...given, fetching: true } },
  { name: "pages", source: { ...given, page: { data: rows, total: 120 } }, page: 2 },
];

/** A list in every state. */
export function KitchenListStates() {
  return sources.map(({ name, ...sample }) => (
    <Shelf key={name} name={`List, ${name}`} stacked>
      <Sample {...sample}>{(shown) => <Rows rows={shown} />}</Sample>
    </Shelf>
  ));
}

function Sample(props: {
  source: ListSource<Row>;
  filtered?: boolean;
  page?: number;
  children: (rows: Row[]) => ReactNode;
}) {
  const state = useSampleState(
    props.filtered === true ? { status: "active" } : {},
    props.page === undefined ? {} : { page: props.page },
  );
  return (
    <List
      state={state}
      filters={filters.filter((filter) => filter.kind === "search" || filter.kind === "select")}
      source={props.source}
      count={{ one: "{count} model", other: "{count} models" }}
      empty="No models yet. Add one so that callers have something to ask for."
      primary={{ label: "Add model", onClick: () => {} }}
    >
      {props.children}
    </List>
  );
}
