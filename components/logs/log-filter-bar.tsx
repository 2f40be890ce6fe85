"use client";

import { useEffect, useState } from "react";
import { useFilterKeys, useModels } from "../api/queries";
import { centsToYuan, yuanToExactCents } from "../i18n/decimal";
import { useFormat, useMessages } from "../i18n/provider";
import { dateToZoned, zonedToDate } from "../i18n/zoned";
import { Button } from "../ui/button";
import { DateInput } from "../ui/date-input";
import { Field, Input, SearchInput, Select } from "../ui/field";
import { AccountFilter } from "./account-filter";
import { errorCodes, operations, outcomes, spans, statuses } from "./choices";
import type { UrlLogFilters } from "./use-log-filters";

const ranges = ["any", ...spans, "custom"] as const;

/** All filters of the log. */
export function LogFilterBar(props: { filters: UrlLogFilters; ownKeys: boolean }) {
  const text = useMessages("logs");
  const common = useMessages("common");
  const { url, set } = props.filters;
  return (
    <div className="@container">
      <fieldset className="grid grid-cols-2 items-end gap-2 @min-[560px]:grid-cols-4 @min-[880px]:grid-cols-5">
        <legend className="sr-only">{text.filters}</legend>
        <RequestSearch filters={props.filters} />
        <RangeFields filters={props.filters} />
        {props.ownKeys ? (
          <KeySelect filters={props.filters} />
        ) : (
          <AccountFilter account={url.user} onAccount={(user) => set({ user, cursor: null })} />
        )}
        <ModelSelect filters={props.filters} />
        <StatusSelect filters={props.filters} />
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
        <LeastFields filters={props.filters} />
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

function StatusSelect(props: { filters: UrlLogFilters }) {
  const text = useMessages("logs");
  const common = useMessages("common");
  const { url, set } = props.filters;
  return (
    <Select
      aria-label={text.status}
      value={url.code ?? url.outcome ?? url.status ?? ""}
      options={[
        { value: "", label: `${text.status}: ${common.all}` },
        ...outcomes.map((value) => ({ value, label: text.outcomes[value] })),
        ...statuses.map((value) => ({ value, label: text.statuses[value] })),
        ...errorCodes.map((value) => ({ value, label: value })),
      ]}
      onChange={(event) => {
        const { value } = event.target;
        void set({
          status: statuses.find((status) => status === value) ?? null,
          outcome: outcomes.find((outcome) => outcome === value) ?? null,
          code: errorCodes.find((code) => code === value) ?? null,
          cursor: null,
        });
      }}
    />
  );
}

/** The least duration and the least cost. */
function LeastFields(props: { filters: UrlLogFilters }) {
  const text = useMessages("logs");
  const { url, set } = props.filters;
  const [typed, setTyped] = useState(yuanOf(url.cost));
  useEffect(
    () => setTyped((before) => (yuanToExactCents(before) === url.cost ? before : yuanOf(url.cost))),
    [url.cost],
  );
  return (
    <>
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
      <Input
        inputMode="decimal"
        autoComplete="off"
        aria-label={text.minCost}
        aria-invalid={typed.trim() !== "" && yuanToExactCents(typed) === null ? true : undefined}
        placeholder={text.minCost}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          void set({ cost: yuanToExactCents(event.target.value), cursor: null });
        }}
      />
    </>
  );
}

function yuanOf(cents: string | null): string {
  return cents === null ? "" : centsToYuan(cents);
}

function RangeFields(props: { filters: UrlLogFilters }) {
  const text = useMessages("logs");
  const format = useFormat();
  const { url, set } = props.filters;
  const [custom, setCustom] = useState(false);
  const isCustom = url.from !== null || url.to !== null || (custom && url.last === null);
  function choose(value: string) {
    setCustom(value === "custom");
    const last = spans.find((span) => span === value) ?? null;
    void set({ last, cursor: null, ...(value === "custom" ? {} : { from: null, to: null }) });
  }
  const zoned = (date: Date | null) => (date === null ? "" : dateToZoned(date, format.timeZone));
  return (
    <>
      <Select
        aria-label={text.range}
        value={isCustom ? "custom" : (url.last ?? "any")}
        options={ranges.map((value) => ({
          value,
          label: text.ranges[value],
        }))}
        onChange={(event) => choose(event.target.value)}
      />
      {isCustom &&
        (["from", "to"] as const).map((end) => (
          <Field key={end} label={text[end]} className="col-span-2">
            {(control) => (
              <DateInput
                {...control}
                kind="moment"
                value={zoned(url[end])}
                onChange={(value) =>
                  void set({ [end]: zonedToDate(value, format.timeZone), last: null, cursor: null })
                }
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
