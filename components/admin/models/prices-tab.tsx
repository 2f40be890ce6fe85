"use client";

import { FormFrame } from "@/components/forms/form-frame";
import { type FieldErrors, useRecordForm } from "@/components/forms/use-record-form";
import { CallPrices } from "@/components/models/call-prices";
import { pricedTools } from "@/lib/kernel/usage";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { zonedToDate } from "../../i18n/zoned";
import { Badge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { DateInput } from "../../ui/date-input";
import { Field } from "../../ui/field";
import { toast } from "../../ui/toast";
import { usePriceHistory } from "../queries";
import { QueryRegion } from "../query-region";
import type { AdminModel, PriceRecord } from "../types";
import { useAdminCall } from "../use-admin-change";
import { callPriceField } from "./call-price-fields";
import { type PriceBody, type PriceDraft, PriceFields, priceDraftOf, readPrices } from "./price-fields";
import { previewCents } from "./price-units";

interface VersionDraft {
  prices: PriceDraft;
  validFrom: string;
}

/** Adds price versions and shows those that are there. */
export function PricesTab(props: { model: AdminModel; onClose: () => void }) {
  const { model } = props;
  return (
    <div className="grid gap-6">
      {!model.managedByFile && <PriceForm key={model.prices?.version ?? 0} {...props} />}
      <PriceHistory alias={model.alias} current={model.prices?.version ?? null} />
    </div>
  );
}

function PriceForm(props: { model: AdminModel; onClose: () => void }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const call = useAdminCall();
  const { model } = props;
  const form = useRecordForm<VersionDraft, PriceBody & { model: string; validFrom?: string }>({
    initial: { prices: priceDraftOf(model.prices), validFrom: "" },
    read: (draft) => {
      const errors: FieldErrors = {};
      const prices = readPrices(draft.prices, text, errors, model.kind);
      const from = draft.validFrom === "" ? null : zonedToDate(draft.validFrom, format.timeZone);
      if (draft.validFrom !== "" && (from === null || from.getTime() <= Date.now()))
        errors.validFrom = [text.validFromRule];
      if (prices === null || Object.keys(errors).length > 0) return { ok: false, errors };
      const later = from === null ? {} : { validFrom: from.toISOString() };
      return { ok: true, body: { model: model.alias, ...prices, ...later } };
    },
    send: async (body) => {
      const added = await call("POST /api/admin/prices", { body });
      const time = format.dateTime(added.validFrom);
      toast.done(fill(text.priceSaved, { version: added.version, name: model.alias, time }));
    },
  });
  const { draft, change, errors } = form;
  return (
    <FormFrame
      form={form}
      shown={[
        ...["input", "output", "cacheRead", "cacheWrite", "validFrom"],
        ...pricedTools.map((tool) => callPriceField(tool)),
      ]}
      submitLabel={text.savePrice}
      onCancel={props.onClose}
    >
      <PriceFields
        draft={draft.prices}
        onChange={(prices) => change({ prices })}
        errors={errors}
        kind={model.kind}
        now={model.prices}
      />
      <Field
        label={fill(text.validFrom, { zone: format.zoneLabel() })}
        hint={text.validFromHint}
        errors={errors.validFrom}
      >
        {(control) => (
          <DateInput
            {...control}
            kind="moment"
            value={draft.validFrom}
            onChange={(validFrom) => change({ validFrom })}
          />
        )}
      </Field>
    </FormFrame>
  );
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
