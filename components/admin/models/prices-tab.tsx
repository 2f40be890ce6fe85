"use client";

import { useWatch } from "react-hook-form";
import { MomentField } from "@/components/forms/fields";
import { RecordForm } from "@/components/forms/record-form";
import { typedMoment } from "@/components/forms/typed";
import { CallPrices } from "@/components/models/call-prices";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Badge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { toast } from "../../ui/toast";
import { usePriceHistory } from "../queries";
import { QueryRegion } from "../query-region";
import type { AdminModel, PriceRecord } from "../types";
import { useAdminCall } from "../use-admin-change";
import { priceProblems, typedPrices } from "./price-check";
import { PriceDoubt, useDoubt } from "./price-doubt";
import { PriceFields } from "./price-fields";
import { PriceCheckOfModel } from "./price-preview";
import { type PriceDraft, previewCents, priceBody, priceDraftOf } from "./price-units";

/** Adds price versions and shows those that are there. */
export function PricesTab(props: { model: AdminModel; onClose: () => void }) {
  const { model } = props;
  return (
    <div className="grid gap-6">
      {!model.managedByFile && <PriceForm {...props} />}
      <PriceHistory alias={model.alias} current={model.prices?.version ?? null} />
    </div>
  );
}

function PriceForm(props: { model: AdminModel; onClose: () => void }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const call = useAdminCall();
  const { model } = props;
  const doubt = useDoubt();
  return (
    <RecordForm
      operation="POST /api/admin/prices"
      record={{ version: model.newestPriceVersion }}
      call={call}
      initial={{ ...priceDraftOf(model.prices), validFrom: "" }}
      toBody={({ validFrom, ...prices }) => ({
        model: model.alias,
        ...priceBody(prices, model.kind),
        validFrom: typedMoment(validFrom, format.timeZone),
      })}
      confirm={({ validFrom: _, ...draft }) => {
        const prices = typedPrices(draft, model.kind);
        return doubt.ask(priceProblems({ ...model, now: model.prices, prices }));
      }}
      stays
      onSent={({ validFrom, version }) => {
        const time = format.dateTime(validFrom);
        toast.done(fill(text.priceSaved, { version, name: model.alias, time }));
      }}
      submitLabel={text.savePrice}
      onCancel={props.onClose}
    >
      <PriceFields kind={model.kind} now={model.prices} />
      <TypedPrices model={model} />
      <PriceDoubt doubt={doubt} of="prices" name={model.alias} />
      <MomentField
        name="validFrom"
        label={fill(text.validFrom, { zone: format.zoneLabel() })}
        hint={text.validFromHint}
      />
    </RecordForm>
  );
}

/** What the typed prices change. */
function TypedPrices({ model }: { model: AdminModel }) {
  const draft = useWatch() as PriceDraft; // the fields of the form around it
  const prices = typedPrices(draft, model.kind);
  return <PriceCheckOfModel alias={model.alias} prices={prices} now={model.prices} routes={model.routes} />;
}

function PriceHistory(props: { alias: string; current: number | null }) {
  const text = useMessages("adminModels");
  const history = usePriceHistory(props.alias);
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{text.history}</h3>
      <p className="text-sm text-muted">{text.historyHint}</p>
      <QueryRegion query={history}>
        {(list) => <HistoryTable versions={list.data} current={props.current} />}
      </QueryRegion>
    </section>
  );
}

function HistoryTable(props: { versions: PriceRecord[]; current: number | null }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const planned = (version: PriceRecord) => new Date(version.validFrom).getTime() > Date.now();
  return (
    <DataTable
      caption={text.history}
      rows={props.versions}
      rowId={(version) => String(version.version)}
      columns={[
        {
          id: "version",
          head: text.version,
          cell: (version) => (
            <span className="flex flex-wrap items-center gap-1">
              {version.version}
              {version.version === props.current && <Badge tone="info">{text.current}</Badge>}
              {planned(version) && <Badge tone="neutral">{text.planned}</Badge>}
            </span>
          ),
        },
        {
          id: "since",
          head: text.since,
          card: "wide",
          cell: (version) => (
            <>
              {format.dateTime(version.validFrom)}
              <CallPrices prices={version.perCall} />
            </>
          ),
        },
        { id: "input", head: text.prices.input, rate: (version) => version.input },
        { id: "output", head: text.prices.output, rate: (version) => version.output },
        {
          id: "preview",
          head: "1k / 1k",
          rate: (version) => previewCents(version.input, version.output),
        },
      ]}
    />
  );
}
