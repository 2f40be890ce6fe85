"use client";

import { parseAsString } from "nuqs";
import { useState } from "react";
import { protocolIds } from "@/lib/protocols/protocol";
import type { CatalogModel, Uptime } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { givenRows, List, type ListSource } from "../lists/list-page";
import { useListState } from "../lists/list-state";
import { EmbeddingSnippetTabs, SnippetTabs } from "../snippets/snippet-tabs";
import { KEY_PLACEHOLDER } from "../snippets/snippets";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { type Column, DataTable } from "../ui/data-table";
import { Dialog } from "../ui/dialog";
import { CallPrices } from "./call-prices";
import { shareText, UptimeStatus, UptimeView } from "./uptime";

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
                onClick={() => setUsed(model)}
              >
                {text.use}
              </Button>
            )}
          />
        )}
      </List>
      <UseDialog
        model={used}
        onClose={() => setUsed(null)}
        publicUrl={props.publicUrl}
        uptime={props.uptime}
      />
    </>
  );
}

/** How to call a model, and how well it has answered. */
function UseDialog(props: {
  model: CatalogModel | null;
  onClose: () => void;
  publicUrl: string;
  uptime: Uptime | null | undefined;
}) {
  const text = useMessages("models");
  const { model, uptime } = props;
  const Snippets = model?.kind === "embedding" ? EmbeddingSnippetTabs : SnippetTabs;
  return (
    <Dialog
      open={model !== null}
      onClose={props.onClose}
      title={fill(text.useTitle, { model: model?.id ?? "" })}
      description={model?.kind === "embedding" ? text.embeddingUse : text.capabilities}
      size="lg"
    >
      {model !== null && (
        <div className="grid gap-4">
          <Snippets baseUrl={props.publicUrl} apiKey={KEY_PLACEHOLDER} model={model.id} />
          {uptime && <ModelUptime uptime={uptime} id={model.id} />}
        </div>
      )}
    </Dialog>
  );
}

/** How well a model has answered. */
function ModelUptime(props: { uptime: Uptime; id: string }) {
  const text = useMessages("models").uptime;
  const { locale } = useFormat();
  const model = props.uptime.models.find(({ id }) => id === props.id);
  if (model === undefined) return null;
  return (
    <section className="grid gap-2 border-t pt-4">
      <h3 className="flex flex-wrap items-baseline justify-between gap-2 text-sm font-semibold">
        {text.title}
        <span className="font-normal">
          <UptimeStatus state={model.state} text={text} />
        </span>
      </h3>
      <UptimeView uptime={props.uptime} model={model} text={text} locale={locale} />
      <p className="text-xs text-muted">{text.how}</p>
    </section>
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
