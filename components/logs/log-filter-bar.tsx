"use client";

import { useEffect, useState } from "react";
import { HOUR_MS } from "@/lib/kernel/clock";
import { useFilterKeys, useModels } from "../api/queries";
import { useFormat, useMessages } from "../i18n/provider";
import { dateToZoned, zonedToDate } from "../i18n/zoned";
import { Button } from "../ui/button";
import { DateInput } from "../ui/date-input";
import { Field, Input, SearchInput, Select } from "../ui/field";
import { AccountFilter } from "./account-filter";
import { errorCodes, operations, statuses } from "./choices";
import type { UrlLogFilters } from "./use-log-filters";

const ranges = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS } as const;
type Range = "any" | keyof typeof ranges | "custom";

/** All filters of the log. */
export function LogFilterBar(props: { filters: UrlLogFilters; ownKeys: boolean }) {
  const text = useMessages("logs");
  const common = useMessages("common");
  const { url, set } = props.filters;
  return (
    <div className="@container">
      <fieldset className="grid grid-cols-2 items-end gap-2 @min-[560px]:grid-cols-4 @min-[1080px]:grid-cols-[repeat(7,minmax(0,1fr))_minmax(0,1.2fr)]">
        <legend className="sr-only">{text.filters}</legend>
        <RequestSearch filters={props.filters} />
        <RangeFields filters={props.filters} />
        {props.ownKeys ? (
          <KeySelect filters={props.filters} />
        ) : (
          <AccountFilter account={url.user} onAccount={(user) => set({ user, cursor: null })} />
        )}
        <ModelSelect filters={props.filters} />
        <Select
          aria-label={text.status}
          value={url.code ?? url.status ?? ""}
          options={[
            { value: "", label: `${text.status}: ${common.all}` },
            ...statuses.map((value) => ({ value, label: text.statuses[value] })),
            ...errorCodes.map((value) => ({ value, label: value })),
          ]}
          onChange={(event) => {
            const { value } = event.target;
            void set({
              status: statuses.find((status) => status === value) ?? null,
              code: errorCodes.find((code) => code === value) ?? null,
              cursor: null,
            });
          }}
        />
        <Select
          aria-label={text.operation}
          value={url.operation ?? ""}
          options={[
            { value: "", label: `${text.operation}: ${common.all}` },
            ...operations.map((value) => ({ value, label: text.operations[value] })),
          ]}
          onChange={(event) =>
            void set({
              operation: operations.find((value) => value === event.target.value) ?? null,
              cursor: null,
            })
          }
        />
        <Input
          type="number"
          min={0}
          step={100}
          className="[appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none"
          aria-label={text.minLatency}
          placeholder={text.minLatency}
          value={url.min ?? ""}
          onChange={(event) => {
            const value = event.target.valueAsNumber;
            void set({ min: Number.isInteger(value) && value >= 0 ? value : null, cursor: null });
          }}
        />
        {props.filters.filtered && (
          <Button variant="ghost" onClick={() => props.filters.clear()}>
            {common.clearFilters}
          </Button>
        )}
      </fieldset>
    </div>
  );
}

function RequestSearch(props: { filters: UrlLogFilters }) {
  const text = useMessages("logs");
  const { url, set } = props.filters;
  const [typed, setTyped] = useState(url.find ?? "");
  useEffect(() => setTyped(url.find ?? ""), [url.find]);
  const apply = () => set({ find: typed.trim() || null, cursor: null });
  return (
    <SearchInput
      className="col-span-2 font-mono placeholder:font-sans"
      label={text.requestIdSearch}
      value={typed}
      onChange={setTyped}
      onBlur={() => typed.trim() !== (url.find ?? "") && void apply()}
      onKeyDown={(event) => event.key === "Enter" && void apply()}
    />
  );
}

function RangeFields(props: { filters: UrlLogFilters }) {
  const text = useMessages("logs");
  const format = useFormat();
  const { url, set } = props.filters;
  const [custom, setCustom] = useState(false);
  const range: Range = url.from !== null || url.to !== null || custom ? "custom" : "any";
  function choose(value: string) {
    setCustom(value === "custom");
    const span = value === "1h" || value === "24h" || value === "7d" ? ranges[value] : null;
    if (value !== "custom") {
      void set({ from: span === null ? null : new Date(Date.now() - span), to: null, cursor: null });
    }
  }
  const zoned = (date: Date | null) => (date === null ? "" : dateToZoned(date, format.timeZone));
  return (
    <>
      <Select
        aria-label={text.range}
        value={range}
        options={(["any", "1h", "24h", "7d", "custom"] as const).map((value) => ({
          value,
          label: text.ranges[value],
        }))}
        onChange={(event) => choose(event.target.value)}
      />
      {range === "custom" &&
        (["from", "to"] as const).map((end) => (
          <Field key={end} label={text[end]} className="col-span-2">
            {(control) => (
              <DateInput
                {...control}
                kind="moment"
                value={zoned(url[end])}
                onChange={(value) => void set({ [end]: zonedToDate(value, format.timeZone), cursor: null })}
              />
            )}
          </Field>
        ))}
    </>
  );
}

function KeySelect(props: { filters: UrlLogFilters }) {
  const text = useMessages("logs");
  const keys = useFilterKeys();
  return (
    <Select
      aria-label={text.key}
      value={props.filters.url.key ?? ""}
      options={[
        { value: "", label: text.allKeys },
        ...keys.map((key) => ({ value: key.id, label: key.name })),
      ]}
      onChange={(event) => void props.filters.set({ key: event.target.value || null, cursor: null })}
    />
  );
}

function ModelSelect(props: { filters: UrlLogFilters }) {
  const text = useMessages("logs");
  const { url, set } = props.filters;
  const models = useModels().data?.data.map((model) => model.id) ?? [];
  const names = [...new Set([...models, "(unknown)", ...(url.model === null ? [] : [url.model])])];
  return (
    <Select
      aria-label={text.model}
      value={url.model ?? ""}
      options={[{ value: "", label: text.allModels }, ...names.map((name) => ({ value: name, label: name }))]}
      onChange={(event) => void set({ model: event.target.value || null, cursor: null })}
    />
  );
}
