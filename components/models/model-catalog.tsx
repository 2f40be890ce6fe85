"use client";

import dynamic from "next/dynamic";
import { parseAsString } from "nuqs";
import { useState } from "react";
import { protocolIds } from "@/lib/protocols/protocol";
import type { CatalogModel, Uptime } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { givenRows, List, type ListSource } from "../lists/list-page";
import { useListState } from "../lists/list-state";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { type Column, DataTable } from "../ui/data-table";
import { CallPrices } from "./call-prices";
import { shareText, UptimeStatus } from "./uptime";

/** Loaded when somebody wants to try a model. */
const UseDialog = dynamic(() => import("./use-dialog").then((loaded) => loaded.UseDialog));

const filterParsers = { q: parseAsString };

/** The models that came with a public page. */
export function PublicCatalog(props: { models: CatalogModel[]; publicUrl: string }) {
  return <ModelCatalog source={givenRows(props.models)} publicUrl={props.publicUrl} />;
}

/** Models with prices: a table, or cards on a phone. */
export function ModelCatalog(props: {
  source: ListSource<CatalogModel>;
  publicUrl: string;
  /** Null while it is not known; absent where it is not shown. */
  uptime?: Uptime | null;
}) {
  const text = useMessages("models");
  const list = useListState(filterParsers);
  const [used, setUsed] = useState<CatalogModel | null>(null);
  const [wanted, setWanted] = useState(false);
  const columns = useCatalogColumns(props.uptime);
  const words = (list.url.q ?? "").toLowerCase();
  return (
    <>
      <List
        state={list}
        filters={[{ kind: "search", name: "q", label: text.search }]}
        source={props.source}
        matches={(model) =>
          [model.id, model.displayName, ...model.alsoKnownAs].some((name) =>
            name.toLowerCase().includes(words),
          )
        }
        count={text.found}
        empty={text.empty}
      >
        {(models) => (
          <DataTable
            caption={text.caption}
            columns={columns}
            rows={models}
            rowId={(model) => model.id}
            actionsHead={text.columns.use}
            actions={(model) => (
              <Button
                size="sm"
                aria-label={fill(text.useTitle, { model: model.id })}
                onClick={() => {
                  setWanted(true);
                  setUsed(model);
                }}
              >
                {text.use}
              </Button>
            )}
          />
        )}
      </List>
      {wanted && (
        <UseDialog
          model={used}
          onClose={() => setUsed(null)}
          publicUrl={props.publicUrl}
          uptime={props.uptime}
        />
      )}
    </>
  );
}

/** The share of the last 24 hours; the state where it is not the normal one. */
function RecentUptime(props: { uptime: Uptime | null; id: string }) {
  const text = useMessages("models").uptime;
  const { locale } = useFormat();
  const model = props.uptime?.models.find(({ id }) => id === props.id);
  if (model === undefined || model.lastDay === null) return "–";
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
      {model.state !== "operational" && <UptimeStatus state={model.state} text={text} />}
      {shareText(model.lastDay, locale)}
    </span>
  );
}

function useCatalogColumns(uptime: Uptime | null | undefined): Column<CatalogModel>[] {
  const text = useMessages("models");
  const format = useFormat();
  const { columns } = text;
  const count = (value: number | null) => (value === null ? "–" : format.countFull(value));
  const ofGeneration = (price: Exclude<keyof CatalogModel["prices"], "perCall">) => (model: CatalogModel) =>
    model.kind === "generation" ? model.prices[price] : null;
  return [
    { id: "model", head: columns.model, cell: (model) => <ModelName model={model} /> },
    {
      id: "protocols",
      head: columns.protocols,
      card: "line",
      className: "@min-[1144px]:whitespace-nowrap",
      cell: (model) => <Protocols model={model} />,
    },
    { id: "context", head: columns.context, end: true, cell: (model) => count(model.contextWindow) },
    {
      id: "limit",
      head: columns.output,
      end: true,
      from: "lg",
      cell: (model) => count(model.maxOutputTokens),
    },
    { id: "input", head: columns.input, rate: (model) => model.prices.input },
    { id: "output", head: columns.outputPrice, rate: ofGeneration("output") },
    { id: "cacheRead", head: columns.cacheRead, from: "xl", rate: ofGeneration("cacheRead") },
    { id: "cacheWrite", head: columns.cacheWrite, from: "xl", rate: ofGeneration("cacheWrite") },
    ...(uptime === undefined
      ? []
      : [
          {
            id: "uptime",
            head: columns.uptime,
            end: true,
            from: "2xl" as const,
            cell: (model: CatalogModel) => <RecentUptime uptime={uptime} id={model.id} />,
          },
        ]),
  ];
}

function ModelName(props: { model: CatalogModel }) {
  const text = useMessages("models");
  const common = useMessages("common");
  const { model } = props;
  return (
    <div className="grid min-w-0 gap-0.5">
      <span className="flex flex-wrap items-center gap-1">
        <code className="font-medium break-all">{model.id}</code>
        <CopyButton
          text={model.id}
          label={fill(text.copyName, { model: model.id })}
          iconOnly
          variant="ghost"
        />
        {model.simulated && <Badge tone="info">{common.simulated}</Badge>}
      </span>
      <span className="text-xs font-normal wrap-anywhere text-muted">
        {[
          model.displayName === model.id ? "" : model.displayName,
          model.alsoKnownAs.length === 0
            ? ""
            : fill(text.alsoKnownAs, { names: model.alsoKnownAs.join(", ") }),
        ]
          .filter((part) => part !== "")
          .join(" · ")}
      </span>
      <CallPrices prices={model.prices.perCall} />
    </div>
  );
}

/** The protocols that nodes serve natively; the others are converted. Embeddings have one form. */
function Protocols(props: { model: CatalogModel }) {
  const text = useMessages("models");
  const format = useFormat();
  if (props.model.kind === "embedding") return text.embedding;
  const named = (native: boolean) =>
    format.list(
      protocolIds.filter((id) => props.model.protocols.includes(id) === native).map((id) => text[id]),
    );
  const converted = named(false);
  return (
    <span className="grid">
      <span>{named(true)}</span>
      {converted !== "" && (
        <span className="text-xs text-muted">{fill(text.convertedTo, { protocols: converted })}</span>
      )}
    </span>
  );
}
