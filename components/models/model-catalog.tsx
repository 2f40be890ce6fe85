"use client";

import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { clientProtocols, modelCapabilities, modelKinds } from "@/lib/protocols/protocol";
import type { priceNames } from "@/lib/shared/prices/price-units";
import type { CatalogModel, Uptime } from "../api/types";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import { useFormat, useMessages } from "../i18n/provider";
import { List, type ListSource } from "../lists/list-page";
import { useListState } from "../lists/list-state";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import type { Column } from "../ui/columns";
import { CopyButton } from "../ui/copy-button";
import { DataTable } from "../ui/data-table";
import { Note, Skeleton } from "../ui/states";
import { rowNameClass } from "../ui/table";
import { type ModelOrder, measuredOf, SortChoice, useModelOrder } from "./model-order";
import { Protocols } from "./model-protocols";
import { shareText, UptimeStatus } from "./uptime";

/** Loaded when somebody opens a model. */
const ModelDrawer = dynamic(() => import("./model-drawer").then((loaded) => loaded.ModelDrawer));

const filterParsers = {
  q: parseAsString,
  kind: parseAsStringLiteral(modelKinds),
  protocol: parseAsStringLiteral(clientProtocols),
  can: parseAsStringLiteral(modelCapabilities),
};

/** Models with prices: a table, or cards on a phone. */
export function ModelCatalog(props: {
  source: ListSource<CatalogModel>;
  publicUrl: string;
  /** Null while it is not known; absent where it is not shown. */
  uptime?: Uptime | null;
  /** It is being read. */
  measuring?: boolean;
}) {
  const text = useMessages("models");
  const list = useListState(filterParsers);
  const { opened, gone, open, close } = useNamedModel(props.source.page?.data);
  const order = useModelOrder(props.uptime);
  const columns = useCatalogColumns(props, order, open);
  return (
    <>
      <List
        state={list}
        filters={[
          { kind: "search", name: "q", label: text.search },
          {
            kind: "select",
            name: "kind",
            label: text.kind,
            options: modelKinds.map((value) => ({ value, label: text.kinds[value] })),
          },
          {
            kind: "select",
            name: "protocol",
            label: text.nativeProtocol,
            options: clientProtocols.map((value) => ({ value, label: value })),
          },
          {
            kind: "select",
            name: "can",
            label: text.can,
            options: modelCapabilities.map((value) => ({ value, label: text.abilities[value] })),
          },
        ]}
        controls={<SortChoice order={order} withUptime={props.uptime !== undefined} />}
        source={props.source}
        hasColumns
        matches={(model) => isWanted(model, list.url)}
        count={text.found}
        empty={text.empty}
        notice={gone && <Note tone="warning">{text.gone}</Note>}
      >
        {(models) => (
          <DataTable
            opens
            list="catalog"
            caption={text.caption}
            columns={columns}
            rows={order.sorted(models)}
            rowId={(model) => model.id}
            actionsHead={text.columns.use}
            actions={(model) => <UseButton model={model} onOpen={() => open(model)} />}
          />
        )}
      </List>
      {opened !== undefined && (
        <ModelDrawer model={opened} onClose={close} publicUrl={props.publicUrl} uptime={props.uptime} />
      )}
    </>
  );
}

function UseButton(props: { model: CatalogModel; onOpen: () => void }) {
  const text = useMessages("models");
  const { id, kind } = props.model;
  const generates = kind === "generation";
  const title = generates ? text.useTitle : text.callTitle;
  return (
    <Button size="sm" aria-label={fill(title, { model: id })} onClick={props.onOpen}>
      {generates ? text.use : text.call}
    </Button>
  );
}

/** The model that the address names, by any of its names. */
function useNamedModel(all: CatalogModel[] | undefined) {
  const [name, setName] = useQueryState("model", parseAsString);
  const opened = all?.find(({ id, alsoKnownAs }) => id === name || alsoKnownAs.includes(name ?? ""));
  return {
    opened,
    /** The address names one that is not there. */
    gone: name !== null && all !== undefined && opened === undefined,
    open: (model: CatalogModel) => void setName(model.id),
    close: () => void setName(null),
  };
}

/** Whether a model passes the filters. Embeddings have a form of their own, whatever protocol their node has. */
function isWanted(
  model: CatalogModel,
  { q, kind, protocol, can }: ReturnType<typeof useListState<typeof filterParsers>>["url"],
): boolean {
  const words = (q ?? "").toLowerCase();
  return (
    (kind ?? model.kind) === model.kind &&
    (protocol === null || (model.kind === "generation" && model.protocols.includes(protocol))) &&
    (can === null || model.capabilities.includes(can)) &&
    [model.id, model.displayName, ...model.alsoKnownAs].some((name) => name.toLowerCase().includes(words))
  );
}

/** The share of the last 24 hours; the state where it is not the normal one. */
function RecentUptime(props: { uptime: Uptime | null; model: CatalogModel }) {
  const text = useMessages("models").uptime;
  const { locale } = useFormat();
  const model = measuredOf(props.uptime, props.model);
  if (model === undefined || model.lastDay === null) return "–";
  // Beside a low share of the day it has to be said that the model works now.
  const showsState = model.state !== "operational" || model.lastDay < (props.uptime?.degradedBelow ?? 0);
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
      {showsState && <UptimeStatus brief model={model} text={text} />}
      {shareText(model.lastDay, locale)}
    </span>
  );
}

/** Tokens per second; a dash where too few tell it. */
function rateText(rate: number | null | undefined, format: Format): string {
  return rate == null ? "–" : format.countFull(rate < 10 ? rate : Math.round(rate));
}

/** What the console knows beside what is on offer. */
function measuredColumns(
  uptime: Uptime | null,
  measuring: boolean,
  sortBy: ModelOrder["sortBy"],
  heads: Record<"firstToken" | "speed" | "uptime", string>,
  format: Format,
): Column<CatalogModel>[] {
  const measured = (cell: (model: CatalogModel) => ReactNode) =>
    measuring ? () => <Skeleton className="ml-auto h-4 w-12" /> : cell;
  return [
    {
      id: "firstToken",
      head: heads.firstToken,
      end: true,
      from: "lg",
      sort: sortBy("firstToken"),
      cell: measured((model) => format.duration(measuredOf(uptime, model)?.firstTokenMs ?? null)),
    },
    {
      id: "speed",
      head: heads.speed,
      end: true,
      from: "lg",
      sort: sortBy("speed"),
      cell: measured((model) => rateText(measuredOf(uptime, model)?.tokensPerSecond, format)),
    },
    {
      id: "uptime",
      head: heads.uptime,
      end: true,
      from: "xl",
      sort: sortBy("uptime"),
      cell: measured((model) => <RecentUptime uptime={uptime} model={model} />),
    },
  ];
}

function useCatalogColumns(
  { uptime, measuring = false }: { uptime?: Uptime | null; measuring?: boolean },
  { sortBy }: ModelOrder,
  onOpen: (model: CatalogModel) => void,
): Column<CatalogModel>[] {
  const text = useMessages("models");
  const format = useFormat();
  const { columns } = text;
  const count = (value: number | null) => (value === null ? "–" : format.countFull(value));
  const ofGeneration = (price: (typeof priceNames)[number]) => (model: CatalogModel) =>
    model.kind === "generation" ? model.prices[price] : null;
  return [
    {
      id: "model",
      head: columns.model,
      sort: sortBy("model"),
      className: "w-full max-w-0 min-w-52",
      cell: (model) => <ModelName model={model} onOpen={onOpen} />,
    },
    {
      id: "protocols",
      head: text.nativeProtocol,
      className: "min-w-28",
      cell: (model) => <Protocols nativeOnly model={model} />,
    },
    {
      id: "context",
      head: columns.context,
      end: true,
      sort: sortBy("context"),
      cell: (model) => count(model.contextWindow),
    },
    {
      id: "limit",
      head: columns.output,
      end: true,
      from: uptime === undefined ? "lg" : "3xl",
      cell: (model) => count(model.maxOutputTokens),
    },
    { id: "input", head: columns.input, sort: sortBy("input"), rate: (model) => model.prices.input },
    { id: "output", head: columns.outputPrice, sort: sortBy("output"), rate: ofGeneration("output") },
    {
      id: "cacheRead",
      head: columns.cacheRead,
      from: uptime === undefined ? "xl" : "2xl",
      rate: ofGeneration("cacheRead"),
    },
    {
      id: "cacheWrite",
      head: columns.cacheWrite,
      from: uptime === undefined ? "xl" : "3xl",
      rate: ofGeneration("cacheWrite"),
    },
    ...(uptime === undefined ? [] : measuredColumns(uptime, measuring, sortBy, columns, format)),
  ];
}

/** A name, what it stands for and what the model can do; the drawer tells everything. */
function ModelName(props: { model: CatalogModel; onOpen: (model: CatalogModel) => void }) {
  const text = useMessages("models");
  const common = useMessages("common");
  const { model } = props;
  const summary = [
    ...(model.displayName === model.id ? [] : [model.displayName]),
    ...model.capabilities.map((each) => text.abilities[each]),
    ...(model.alsoKnownAs.length === 0
      ? []
      : [fill(text.alsoKnownAs, { names: model.alsoKnownAs.join(", ") })]),
  ].join("\u00a0· "); // no line begins with a dot
  return (
    <div className="grid min-w-0 grid-cols-1 gap-0.5">
      <span className="flex min-w-0 items-center gap-1">
        <button type="button" onClick={() => props.onOpen(model)} className={rowNameClass}>
          {/* Only a card may break it within a word. */}
          <code className="min-w-0 max-md:break-all">{model.id}</code>
        </button>
        <CopyButton
          text={model.id}
          label={fill(text.copyName, { model: model.id })}
          iconOnly
          variant="ghost"
        />
      </span>
      <span
        title={summary}
        className="text-xs font-normal wrap-anywhere text-muted empty:hidden md:line-clamp-3"
      >
        {model.simulated && (
          <>
            <Badge tone="info">{common.simulated}</Badge>{" "}
          </>
        )}
        {summary}
      </span>
    </div>
  );
}
