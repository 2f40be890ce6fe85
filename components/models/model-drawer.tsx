"use client";

import { MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import type { CatalogModel, Uptime } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { EmbeddingSnippetTabs, SnippetTabs } from "../snippets/snippet-tabs";
import { Badge } from "../ui/badge";
import { Facts } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { Drawer } from "../ui/drawer";
import { ButtonLink } from "../ui/link";
import { Protocols } from "./model-protocols";
import { MorePrices } from "./more-prices";
import { UptimeLegend, UptimeStatus, UptimeView } from "./uptime";

/** A model with everything that is known of it, how to call it, and how well it has answered. */
export function ModelDrawer(props: {
  model: CatalogModel;
  onClose: () => void;
  publicUrl: string;
  uptime: Uptime | null | undefined;
}) {
  const text = useMessages("models");
  const common = useMessages("common");
  const { model, uptime } = props;
  const generates = model.kind === "generation";
  const Snippets = generates ? SnippetTabs : EmbeddingSnippetTabs;
  return (
    <Drawer
      onClose={props.onClose}
      title={model.id}
      actions={
        <CopyButton
          text={model.id}
          label={fill(text.copyName, { model: model.id })}
          iconOnly
          variant="ghost"
        />
      }
      footer={
        generates && (
          <ButtonLink href={`/console/playground?model=${encodeURIComponent(model.id)}`} variant="primary">
            <MessagesSquare aria-hidden className="size-4" />
            {text.openPlayground}
          </ButtonLink>
        )
      }
    >
      <div className="grid min-w-0 gap-6">
        <div className="grid gap-1">
          {(model.displayName !== model.id || model.simulated) && (
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {model.displayName !== model.id && model.displayName}
              {model.simulated && <Badge tone="info">{common.simulated}</Badge>}
            </p>
          )}
          <p className="text-sm text-muted">{generates ? text.capabilities : text.embeddingUse}</p>
        </div>
        <ModelFacts model={model} />
        <section className="grid min-w-0 gap-2">
          <h3 className="text-sm font-semibold">
            {fill(generates ? text.useTitle : text.callTitle, { model: model.id })}
          </h3>
          <Snippets baseUrl={props.publicUrl} apiKey={null} model={model.id} />
        </section>
        {uptime && generates && <ModelSpeed uptime={uptime} id={model.id} />}
        {uptime && <ModelUptime uptime={uptime} id={model.id} />}
      </div>
    </Drawer>
  );
}

/** Protocols, windows and every price. */
function ModelFacts({ model }: { model: CatalogModel }) {
  const text = useMessages("models");
  const format = useFormat();
  const { columns } = text;
  const count = (value: number | null) => (value === null ? "–" : format.countFull(value));
  const price = (cents: CatalogModel["prices"]["input"] | null) =>
    cents === null ? "–" : fill(text.price, { amount: format.moneyExact(cents) });
  const { prices } = model;
  const outputLimit: [ReactNode, ReactNode][] = [[columns.output, count(model.maxOutputTokens)]];
  const known: [ReactNode, ReactNode][] =
    model.capabilities.length === 0
      ? []
      : [[text.can, model.capabilities.map((each) => text.abilities[each]).join("\u00a0· ")]];
  const named: [ReactNode, ReactNode][] =
    model.alsoKnownAs.length === 0 ? [] : [[text.otherNames, model.alsoKnownAs.join(", ")]];
  const ofGeneration: [ReactNode, ReactNode][] = [
    [columns.outputPrice, price(prices.output)],
    [columns.cacheRead, price(prices.cacheRead)],
    [columns.cacheWrite, price(prices.cacheWrite)],
  ];
  return (
    <div className="grid gap-2">
      <Facts
        className="tabular"
        rows={[
          [columns.protocols, <Protocols key="protocols" model={model} />],
          ...known,
          [columns.context, count(model.contextWindow)],
          ...(model.kind === "generation" ? outputLimit : []),
          [columns.input, price(prices.input)],
          ...(model.kind === "generation" ? ofGeneration : []),
          ...named,
        ]}
      />
      <MorePrices prices={prices} kind={model.kind} />
    </div>
  );
}

/** How fast a model has answered. */
function ModelSpeed(props: { uptime: Uptime; id: string }) {
  const text = useMessages("models").speed;
  const format = useFormat();
  const model = props.uptime.models.find(({ id }) => id === props.id);
  if (model === undefined) return null;
  const { firstTokenMs, tokensPerSecond } = model;
  const rate = (value: number) => format.countFull(value < 10 ? value : Math.round(value));
  return (
    <section className="grid gap-2 border-t pt-6">
      <h3 className="text-sm font-semibold">{text.title}</h3>
      <Facts
        className="tabular"
        rows={[
          [text.firstToken, firstTokenMs === null ? text.few : format.duration(firstTokenMs)],
          [
            text.rate,
            tokensPerSecond === null ? text.few : fill(text.perSecond, { count: rate(tokensPerSecond) }),
          ],
        ]}
      />
      <p className="text-xs text-muted">{text.how}</p>
    </section>
  );
}

/** How well a model has answered. */
function ModelUptime(props: { uptime: Uptime; id: string }) {
  const text = useMessages("models").uptime;
  const { locale } = useFormat();
  const model = props.uptime.models.find(({ id }) => id === props.id);
  if (model === undefined) return null;
  return (
    <section className="grid gap-2 border-t pt-6">
      <h3 className="flex flex-wrap items-baseline justify-between gap-2 text-sm font-semibold">
        {text.title}
        <span className="font-normal">
          <UptimeStatus model={model} text={text} />
        </span>
      </h3>
      <UptimeView uptime={props.uptime} model={model} text={text} locale={locale} />
      <UptimeLegend uptime={props.uptime} text={text} locale={locale} />
      <p className="text-xs text-muted">{text.how}</p>
    </section>
  );
}
