"use client";

import { CalendarClock } from "lucide-react";
import { ratio, toScaled } from "@/lib/shared/decimal";
import type { AdminModel, Margin, NodeView } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { RowMenu } from "../../lists/row-menu";
import type { Sorting } from "../../lists/row-order";
import { selectColumn } from "../../lists/select-column";
import { SortedTable } from "../../lists/sorted-table";
import type { Selection } from "../../lists/use-selection";
import { Badge } from "../../ui/badge";
import type { Column } from "../../ui/columns";
import { MenuItem, MenuSeparator } from "../../ui/menu";
import { rowNameClass } from "../../ui/table";
import { Tooltip } from "../../ui/tooltip";
import { LeftFileBadge, ManagedBadge } from "../managed-note";
import { ModelState, servedState, statesByGravity } from "../model-state";
import { type Change, useAdminChange } from "../use-admin-change";
import type { ModelTab } from "./model-sheet";

/** What to do with a model: open one of its parts, or delete it. */
export type ModelTask = ModelTab | "delete";

type OnTask = (model: AdminModel, task: ModelTask) => void;

/** The models with state, routes and prices. */
export function ModelList(props: { models: AdminModel[]; selection: Selection<AdminModel>; onTask: OnTask }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const nodes = useRead("GET /api/admin/nodes").data?.data;
  const week = useRead("GET /api/admin/margin", {
    query: { period: "7d", from: null, to: null, tz: format.timeZone },
  }).data;
  return (
    <SortedTable
      opens
      list="models"
      sortings={sortingsOf(nodes, week)}
      nameOf={({ alias }) => alias}
      initial={{ sort: "alias", order: "asc" }}
      caption={text.caption}
      columns={[
        selectColumn({
          rows: props.models,
          selection: props.selection,
          label: text.selectAll,
          hint: text.selectHint,
          labelOf: ({ alias }) => fill(text.selectOne, { name: alias }),
        }),
        ...useModelColumns(props.onTask, nodes, week),
      ]}
      rows={props.models}
      rowId={(model) => model.id}
      edit={(model) => () => props.onTask(model, "details")}
      actions={(model) => <ModelMenu model={model} onTask={props.onTask} />}
    />
  );
}

/** What needs attention and what sells most begins; prices begin with the lowest. */
function sortingsOf(
  nodes: readonly NodeView[] | undefined,
  week: Margin | undefined,
): Record<string, Sorting<AdminModel>> {
  return {
    alias: { first: "asc", by: ({ alias }) => alias },
    state: { first: "asc", by: (model) => statesByGravity.indexOf(servedState(model, nodes)) },
    routes: { first: "asc", by: ({ routes }) => routes.length },
    input: { first: "asc", by: ({ prices }) => scaledOrNull(prices?.input ?? null) },
    output: { first: "asc", by: (model) => scaledOrNull(outputOf(model)) },
    billed: { first: "desc", by: ({ alias }) => toScaled(soldOf(week, alias)?.revenue ?? "0") },
    margin: { first: "asc", by: ({ alias }) => marginOf(soldOf(week, alias)) },
  };
}

function scaledOrNull(amount: number | null): bigint | null {
  return amount === null ? null : toScaled(amount);
}

/** The price of output; embeddings have none. */
function outputOf({ kind, prices }: AdminModel): number | null {
  return kind === "embedding" ? null : (prices?.output ?? null);
}

type Sold = Margin["models"][number];

function soldOf(week: Margin | undefined, alias: string): Sold | undefined {
  return week?.models.find(({ model }) => model === alias);
}

/** The share of what is billed that is left; null where no cost is known. */
function marginOf(sold: Sold | undefined): number | null {
  return sold?.margin == null ? null : ratio(sold.margin, sold.covered);
}

function useModelColumns(
  onTask: OnTask,
  nodes: readonly NodeView[] | undefined,
  week: Margin | undefined,
): Column<AdminModel>[] {
  const text = useMessages("adminModels");
  const format = useFormat();
  const perMillion = (price: string) => fill(text.perMillion, { price });
  return [
    {
      id: "alias",
      head: text.alias,
      card: "title",
      className: "max-w-80 min-w-40",
      cell: (model) => <ModelName model={model} onOpen={() => onTask(model, "details")} />,
    },
    {
      id: "state",
      head: text.state,
      card: "plain",
      className: "min-w-32",
      cell: (model) => <ModelState model={model} nodes={nodes} />,
    },
    {
      id: "routes",
      head: text.routes,
      cell: (model) => (
        <span className="grid min-w-36 max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-1.5">
          <span>{plural(text.routeCount, model.routes.length, format.locale)}</span>
          <RouteNodes routes={model.routes} />
        </span>
      ),
    },
    {
      id: "input",
      head: perMillion(text.prices.input),
      from: "lg",
      rate: (model) => model.prices?.input ?? null,
    },
    { id: "output", head: perMillion(text.prices.output), from: "lg", rate: outputOf },
    {
      id: "billed",
      head: text.billed7d,
      from: "xl",
      kind: "sum",
      listed: ({ alias }) => (week === undefined ? null : (soldOf(week, alias)?.revenue ?? "0")),
    },
    {
      id: "margin",
      head: text.margin7d,
      end: true,
      from: "2xl",
      cell: ({ alias }) => {
        const margin = marginOf(soldOf(week, alias));
        return margin === null ? "–" : format.percent(margin);
      },
    },
  ];
}

/** The nodes of routes; a line breaks between their names only. */
function RouteNodes({ routes }: Pick<AdminModel, "routes">) {
  return (
    <span className="flex flex-wrap gap-x-1.5 text-xs text-muted">
      {[...new Set(routes.map(({ node }) => node))].map((node, index, { length }) => (
        <span key={node} title={node} className="max-w-40 truncate">
          {node}
          {index + 1 < length && ","}
        </span>
      ))}
    </span>
  );
}

function ModelName(props: { model: AdminModel; onOpen: () => void }) {
  const text = useMessages("adminModels");
  const { model } = props;
  return (
    <div className="grid min-w-0 justify-items-start">
      <span className="flex flex-wrap items-center gap-x-2">
        <button
          type="button"
          onClick={props.onOpen}
          aria-label={fill(text.open, { name: model.alias })}
          className={rowNameClass}
        >
          {model.alias}
        </button>
        {model.kind === "embedding" && <Badge tone="info">{text.kinds.embedding}</Badge>}
        {model.managedByFile && <ManagedBadge />}
        {model.leftFileAt !== null && <LeftFileBadge />}
        {model.plannedPrices !== null && <PlannedPrices prices={model.plannedPrices} />}
      </span>
      {model.alsoKnownAs.length > 0 && (
        <span className="font-mono text-xs font-normal break-all text-muted">
          {model.alsoKnownAs.join(", ")}
        </span>
      )}
    </div>
  );
}

/** When other prices come into force, and which. */
function PlannedPrices({ prices }: { prices: NonNullable<AdminModel["plannedPrices"]> }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const [input, output] = [prices.input, prices.output].map((price) => format.moneyExact(price));
  const note = fill(text.plannedPrices, {
    input: input ?? "",
    output: output ?? "",
    time: format.dateTime(prices.validFrom),
  });
  return (
    // In two lines where the table has no room for one.
    <Tooltip note={note} className="min-h-6 cursor-default rounded-xl text-left">
      <Badge wraps tone="neutral" icon={CalendarClock}>
        {fill(text.plannedFrom, { date: format.date(prices.validFrom) })}
      </Badge>
    </Tooltip>
  );
}

function ModelMenu(props: { model: AdminModel; onTask: OnTask }) {
  const text = useMessages("adminModels");
  const common = useMessages("common");
  const change = useAdminChange();
  const { model, onTask } = props;
  const to = (enabled: boolean): Change => ({
    send: (call) => call("PATCH /api/admin/models/{id}", { params: { id: model.id }, body: { enabled } }),
    done: fill(enabled ? text.enabled : text.disabled, { name: model.alias }),
    record: model.id,
  });
  const toggle = () => change.mutate({ ...to(!model.enabled), undo: to(model.enabled) });
  return (
    <RowMenu name={model.alias}>
      <MenuItem onClick={() => onTask(model, "details")}>{text.tabs.details}</MenuItem>
      <MenuItem onClick={() => onTask(model, "routes")}>{text.tabs.routes}</MenuItem>
      <MenuItem onClick={() => onTask(model, "prices")}>{text.tabs.prices}</MenuItem>
      {!model.managedByFile && (
        <>
          <MenuSeparator />
          <MenuItem onClick={toggle}>{model.enabled ? text.disable : text.enable}</MenuItem>
          <MenuItem danger onClick={() => onTask(model, "delete")}>
            {common.delete}
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}
