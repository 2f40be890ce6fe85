"use client";

import { useState } from "react";
import { useWatch } from "react-hook-form";
import { priceProblems, typedPrices } from "@/lib/shared/prices/price-check";
import { type PriceDraft, priceBody, priceDraftOf } from "@/lib/shared/prices/price-units";
import { typedMoment } from "@/lib/shared/typed";
import type { AdminModel, PriceRecord } from "../../api/admin/types";
import { callApi } from "../../api/client";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { MomentField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { MorePrices } from "../../models/more-prices";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { toast } from "../../ui/toast";
import { ConfirmedCall } from "../confirmed-call";
import { type AdminCall, useAdminCall, useUndo } from "../use-admin-change";
import { PriceDoubt, useDoubt } from "./price-doubt";
import { PriceFields } from "./price-fields";
import { ListedPrices } from "./price-list/listed-prices";
import { PriceCheckOfModel } from "./price-preview";
import { pricesOfVersion } from "./restore-prices";

/** Adds price versions, shows those that are there, and withdraws planned ones. */
export function PricesTab(props: { model: AdminModel; onClose: () => void }) {
  const { model } = props;
  // A form begins anew with the prices in force once a planned version is added or withdrawn.
  const [form, setForm] = useState({ id: 0, newest: model.newestPriceVersion, prices: model.prices });
  const beginAnew = (newest: number | null, prices = model.prices) =>
    setForm(({ id }) => ({ id: id + 1, newest, prices }));
  return (
    <div className="grid gap-6">
      {!model.managedByFile && (
        <PriceForm key={form.id} {...props} newest={form.newest} from={form.prices} onOther={beginAnew} />
      )}
      <PriceHistory model={model} onWithdrawn={beginAnew} />
    </div>
  );
}

function PriceForm(props: {
  model: AdminModel;
  /** The highest version that there was when the form began. */
  newest: number | null;
  /** The prices that it begins with: those in force, which the model may tell a moment later. */
  from: AdminModel["prices"];
  /** Other prices are in force than those that were typed, and this version is the newest. */
  onOther: (version: number, prices?: AdminModel["prices"]) => void;
  onClose: () => void;
}) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const call = useAdminCall();
  const { model } = props;
  const doubt = useDoubt();
  const takeBack = useTakeBackPrice(model, props.onOther);
  return (
    <RecordForm
      operation="POST /api/admin/prices"
      record={{ version: props.newest }}
      call={call}
      initial={{ ...priceDraftOf(props.from), validFrom: "" }}
      toBody={({ validFrom, ...prices }) => ({
        model: model.alias,
        ...priceBody(prices, model.kind),
        validFrom: typedMoment(validFrom, format.timeZone),
      })}
      confirm={({ validFrom, ...draft }) => {
        const from = typedMoment(validFrom, format.timeZone);
        // The server refuses a past moment, whatever the prices are.
        if (from !== undefined && !isPlanned({ validFrom: from })) return true;
        const prices = typedPrices(draft, model.kind);
        return doubt.ask(priceProblems({ ...model, now: model.prices, prices }), from);
      }}
      stays
      onSent={({ validFrom, version }) => {
        const planned = isPlanned({ validFrom });
        const time = format.dateTime(validFrom);
        toast.done(
          fill(planned ? text.pricePlanned : text.priceSaved, { version, name: model.alias, time }),
          {
            action: planned ? undefined : takeBack(version),
            record: recordOf(model, version),
          },
        );
        if (planned) props.onOther(version);
      }}
      submitLabel={text.savePrice}
      onCancel={props.onClose}
    >
      <ListedPrices of={model} />
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

/** The way back from a new version, as long as it is the newest: one more version with the prices that were in force. */
function useTakeBackPrice(
  model: AdminModel,
  onOther: (version: number, prices: AdminModel["prices"]) => void,
) {
  const text = useMessages("adminModels");
  const undoing = useUndo();
  const { alias, prices } = model;
  return (version: number) => {
    if (prices === null) return undefined;
    return undoing({
      send: async (call) => {
        const loaded = { version };
        const back = await call("POST /api/admin/prices", {
          body: { model: alias, ...pricesOfVersion(prices) },
          loaded,
        });
        onOther(back.version, prices);
      },
      done: fill(text.priceUndone, { name: alias, version: version + 1 }),
    });
  };
}

/** What the typed prices change. */
function TypedPrices({ model }: { model: AdminModel }) {
  const draft = useWatch() as PriceDraft; // the fields of the form around it
  const prices = typedPrices(draft, model.kind);
  return <PriceCheckOfModel {...model} prices={prices} now={model.prices} />;
}

function PriceHistory(props: { model: AdminModel; onWithdrawn: (newest: number | null) => void }) {
  const text = useMessages("adminModels");
  const { model, onWithdrawn } = props;
  const history = useRead("GET /api/admin/prices", { query: { model: model.alias } });
  const [doomed, setDoomed] = useState<PriceRecord | null>(null);
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{text.history}</h3>
      <p className="text-sm text-muted">{text.historyHint}</p>
      <QueryRegion query={history}>
        {(list) => (
          <HistoryTable
            kind={model.kind}
            versions={list.data}
            current={model.prices?.version ?? null}
            onWithdraw={model.managedByFile ? undefined : setDoomed}
          />
        )}
      </QueryRegion>
      {doomed !== null && (
        <WithdrawPrice
          model={model}
          price={doomed}
          onWithdrawn={onWithdrawn}
          onClose={() => setDoomed(null)}
        />
      )}
    </section>
  );
}

/** By what a message about a version is known. */
function recordOf({ id }: AdminModel, version: number): string {
  return `${id} ${version}`;
}

/** Takes back a planned version after its effects have been read. */
function WithdrawPrice(props: {
  model: AdminModel;
  price: PriceRecord;
  onWithdrawn: (newest: number | null) => void;
  onClose: () => void;
}) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const { model, price, onClose } = props;
  const names = { version: price.version, name: model.alias };
  const send = async (call: AdminCall) => {
    await call("DELETE /api/admin/models/{id}/prices/{version}", {
      params: { id: model.id, version: price.version },
    });
    const { newestPriceVersion } = await callApi("GET /api/admin/models/{id}", { params: { id: model.id } });
    props.onWithdrawn(newestPriceVersion);
  };
  return (
    <ConfirmedCall
      title={fill(text.withdrawTitle, names)}
      body={fill(text.withdrawBody, { time: format.dateTime(price.validFrom) })}
      action={text.withdraw}
      send={send}
      done={fill(text.withdrawn, names)}
      deletes={recordOf(model, price.version)}
      onClose={onClose}
    />
  );
}

/** Whether prices come into force only later. */
function isPlanned({ validFrom }: { validFrom: string }): boolean {
  return new Date(validFrom).getTime() > Date.now();
}

/** What reading and writing the cache costs. */
function CachePrices({ prices }: { prices: Pick<PriceRecord, "cacheRead" | "cacheWrite"> }) {
  const text = useMessages("adminModels").prices;
  const format = useFormat();
  const parts = (["cacheRead", "cacheWrite"] as const).map(
    (name) => `${text[name]} ${format.moneyExact(prices[name])}`,
  );
  return <span className="tabular block text-xs wrap-anywhere text-muted">{parts.join(" · ")}</span>;
}

/** The versions, that which comes into force last first. */
function HistoryTable(props: {
  kind: AdminModel["kind"];
  versions: PriceRecord[];
  current: number | null;
  onWithdraw: ((version: PriceRecord) => void) | undefined;
}) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const { onWithdraw } = props;
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
              {isPlanned(version) && <Badge tone="neutral">{text.planned}</Badge>}
            </span>
          ),
        },
        {
          id: "since",
          head: text.since,
          card: "wide",
          cell: (version) => (
            <>
              <span className="whitespace-nowrap">{format.dateTime(version.validFrom)}</span>
              {version.createdBy !== null && (
                <span className="block text-xs text-muted">
                  {fill(text.priceBy, { name: version.createdBy })}
                </span>
              )}
              {props.kind === "generation" && <CachePrices prices={version} />}
              <MorePrices prices={version} kind={props.kind} />
              {onWithdraw !== undefined && isPlanned(version) && (
                <Button
                  size="sm"
                  variant="ghost"
                  className="-ml-2 block"
                  aria-label={fill(text.withdrawVersion, { version: version.version })}
                  onClick={() => onWithdraw(version)}
                >
                  {text.withdraw}
                </Button>
              )}
            </>
          ),
        },
        { id: "input", head: text.prices.input, rate: (version) => version.input },
        { id: "output", head: text.prices.output, rate: (version) => version.output },
      ]}
    />
  );
}
