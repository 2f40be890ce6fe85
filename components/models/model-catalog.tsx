"use client";

import { useState } from "react";
import { protocolIds } from "@/lib/protocols/protocol";
import type { CatalogModel } from "../api/types";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { EmbeddingSnippetTabs, SnippetTabs } from "../snippets/snippet-tabs";
import { KEY_PLACEHOLDER } from "../snippets/snippets";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Dialog } from "../ui/dialog";
import { SearchInput } from "../ui/field";
import { EmptyState } from "../ui/states";
import { Table, Td, Th } from "../ui/table";

/** Models with prices: a table, or cards on a phone. */
export function ModelCatalog(props: { models: CatalogModel[]; publicUrl: string }) {
  const text = useMessages("models");
  const common = useMessages("common");
  const format = useFormat();
  const [query, setQuery] = useState("");
  const [used, setUsed] = useState<CatalogModel | null>(null);
  const Snippets = used?.kind === "embedding" ? EmbeddingSnippetTabs : SnippetTabs;
  if (props.models.length === 0) return <EmptyState title={text.empty} />;
  const words = query.trim().toLowerCase();
  const shown = props.models.filter((model) =>
    [model.id, model.displayName, ...model.alsoKnownAs].some((name) => name.toLowerCase().includes(words)),
  );
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput className="sm:w-72" label={text.search} value={query} onChange={setQuery} />
        <span role="status" className="text-sm text-muted">
          {plural(text.found, shown.length, format.locale)}
        </span>
      </div>
      {shown.length === 0 ? (
        <EmptyState
          title={common.noMatches}
          action={<Button onClick={() => setQuery("")}>{common.clearFilters}</Button>}
        />
      ) : (
        <>
          <ModelTable models={shown} onUse={setUsed} />
          <ul className="grid gap-3 md:hidden">
            {shown.map((model) => (
              <ModelCard key={model.id} model={model} onUse={setUsed} />
            ))}
          </ul>
        </>
      )}
      <Dialog
        open={used !== null}
        onClose={() => setUsed(null)}
        title={fill(text.useTitle, { model: used?.id ?? "" })}
        description={used?.kind === "embedding" ? text.embeddingUse : text.capabilities}
        size="lg"
      >
        {used !== null && <Snippets baseUrl={props.publicUrl} apiKey={KEY_PLACEHOLDER} model={used.id} />}
      </Dialog>
    </div>
  );
}

interface RowProps {
  model: CatalogModel;
  onUse: (model: CatalogModel) => void;
}

function ModelTable(props: { models: CatalogModel[]; onUse: RowProps["onUse"] }) {
  const text = useMessages("models");
  const { columns } = text;
  return (
    <div className="overflow-hidden rounded-lg border max-md:hidden">
      <Table caption={text.caption}>
        <thead>
          <tr>
            <Th>{columns.model}</Th>
            <Th>{columns.protocols}</Th>
            <Th end>{columns.context}</Th>
            <Th end className="max-lg:hidden">
              {columns.output}
            </Th>
            <Th end>{columns.input}</Th>
            <Th end>{columns.outputPrice}</Th>
            <Th end className="max-lg:hidden">
              {columns.cache}
            </Th>
            <Th>
              <span className="sr-only">{columns.use}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {props.models.map((model) => (
            <ModelRow key={model.id} model={model} onUse={props.onUse} />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function ModelRow({ model, onUse }: RowProps) {
  const text = useMessages("models");
  const format = useFormat();
  const count = (value: number | null) => (value === null ? "–" : format.countFull(value));
  const { prices } = model;
  const generates = model.kind === "generation";
  return (
    <tr className="last:*:border-b-0">
      <Td>
        <ModelName model={model} />
      </Td>
      <Td>
        <ProtocolBadges model={model} />
      </Td>
      <Td end>{count(model.contextWindow)}</Td>
      <Td end className="max-lg:hidden">
        {count(model.maxOutputTokens)}
      </Td>
      <Td end>{format.moneyExact(prices.input)}</Td>
      <Td end>{generates ? format.moneyExact(prices.output) : "–"}</Td>
      <Td end className="text-muted max-lg:hidden">
        {generates ? `${format.moneyExact(prices.cacheRead)} / ${format.moneyExact(prices.cacheWrite)}` : "–"}
      </Td>
      <Td end>
        <Button size="sm" aria-label={fill(text.useTitle, { model: model.id })} onClick={() => onUse(model)}>
          {text.use}
        </Button>
      </Td>
    </tr>
  );
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
      <span className="text-xs wrap-anywhere text-muted">
        {[
          model.displayName === model.id ? "" : model.displayName,
          model.alsoKnownAs.length === 0
            ? ""
            : fill(text.alsoKnownAs, { names: model.alsoKnownAs.join(", ") }),
        ]
          .filter((part) => part !== "")
          .join(" · ")}
      </span>
    </div>
  );
}

/** Which protocols the nodes serve natively, and which are converted; embeddings have one form. */
function ProtocolBadges(props: { model: CatalogModel }) {
  const text = useMessages("models");
  if (props.model.kind === "embedding") return <Badge tone="info">{text.embedding}</Badge>;
  return (
    <span className="flex flex-wrap gap-1">
      {protocolIds.map((protocol) => {
        const native = props.model.protocols.includes(protocol);
        return (
          <Badge key={protocol} tone={native ? "success" : "neutral"}>
            {fill(text.protocolHint, {
              protocol: text[protocol],
              how: native ? text.native : text.converted,
            })}
          </Badge>
        );
      })}
    </span>
  );
}

function ModelCard({ model, onUse }: RowProps) {
  const text = useMessages("models");
  const format = useFormat();
  const { columns } = text;
  const facts: Array<[string, string]> = [
    [columns.input, format.moneyExact(model.prices.input)],
    [columns.outputPrice, model.kind === "generation" ? format.moneyExact(model.prices.output) : "–"],
    [columns.context, model.contextWindow === null ? "–" : format.count(model.contextWindow)],
    [columns.output, model.maxOutputTokens === null ? "–" : format.count(model.maxOutputTokens)],
  ];
  return (
    <li className="grid gap-3 rounded-lg border p-4">
      <ModelName model={model} />
      <ProtocolBadges model={model} />
      <dl className="tabular grid grid-cols-2 gap-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button size="sm" aria-label={fill(text.useTitle, { model: model.id })} onClick={() => onUse(model)}>
        {text.use}
      </Button>
    </li>
  );
}
