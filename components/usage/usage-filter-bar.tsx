"use client";

import { useFilterKeys, useModels } from "../api/queries";
import { useFormat, useMessages } from "../i18n/provider";
import { Select } from "../ui/field";
import { Segmented } from "../ui/segmented";
import { periods, type UsageFilters } from "./use-usage-filters";

/** Period, key, model and zone. */
export function UsageFilterBar(props: { filters: UsageFilters; withKeys?: boolean }) {
  const text = useMessages("usage");
  const format = useFormat();
  const { filters } = props;
  const keys = useFilterKeys();
  const models = useModels().data?.data ?? [];
  const unknownKey = keys.some((key) => key.id === filters.key) ? null : filters.key;
  const zones = [...new Set([filters.zone, format.timeZone, "UTC"])];
  const names = [
    ...new Set([...models.map((model) => model.id), ...(filters.model === null ? [] : [filters.model])]),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label={text.period}
        value={filters.period}
        onChange={(period) => filters.set({ period })}
        options={periods.map((value) => ({ value, label: text.periods[value] }))}
      />
      {props.withKeys !== false && (
        <Select
          className="sm:w-44"
          aria-label={text.key}
          value={filters.key ?? ""}
          options={[
            { value: "", label: text.allKeys },
            ...keys.map((key) => ({ value: key.id, label: key.name })),
            ...(unknownKey === null ? [] : [{ value: unknownKey, label: unknownKey }]),
          ]}
          onChange={(event) => filters.set({ key: event.target.value || null })}
        />
      )}
      <Select
        className="sm:w-44"
        aria-label={text.model}
        value={filters.model ?? ""}
        options={[
          { value: "", label: text.allModels },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(event) => filters.set({ model: event.target.value || null })}
      />
      <Select
        className="sm:w-56"
        aria-label={text.zone}
        value={filters.zone}
        options={zones.map((zone) => ({ value: zone, label: format.zoneLabel(zone) }))}
        onChange={(event) =>
          filters.set({ tz: event.target.value === format.timeZone ? null : event.target.value })
        }
      />
    </div>
  );
}
