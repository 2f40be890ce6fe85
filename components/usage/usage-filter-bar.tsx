"use client";

import { useFilterKeys } from "../api/use-filter-keys";
import { useProjectChoice } from "../api/use-project-choice";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useKeyChoice } from "../i18n/key-name";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import { AccountFilter } from "../logs/account-filter";
import { Select } from "../ui/field";
import { PeriodSwitch } from "./period-switch";
import type { UsageFilters } from "./use-usage-filters";

/** On a phone two share a line. */
const shared = "min-w-0 grow basis-2/5 sm:max-w-44 sm:basis-28";

/** Period, key or account, model and zone. */
export function UsageFilterBar(props: { filters: UsageFilters; admin: boolean }) {
  const text = useMessages("usage");
  const format = useFormat();
  const { filters } = props;
  const keys = useFilterKeys(!props.admin);
  const keyChoice = useKeyChoice();
  const modelName = useModelName();
  const models = useRead("GET /api/user/models").data?.data ?? [];
  const offered = props.admin ? [] : keys;
  const unknownKey = offered.some((key) => key.id === filters.key) ? null : filters.key;
  const zones = [...new Set([filters.zone, format.timeZone, "UTC"])];
  const names = [
    ...new Set([...models.map((model) => model.id), ...(filters.model === null ? [] : [filters.model])]),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <PeriodSwitch filters={filters} />
      {props.admin && (
        <div className={shared}>
          <AccountFilter account={filters.user} onAccount={(user) => filters.set({ user })} />
        </div>
      )}
      {(!props.admin || filters.key !== null) && (
        <Select
          className={shared}
          aria-label={text.key}
          value={filters.key ?? ""}
          options={[
            { value: "", label: text.allKeys },
            ...offered.map((key) => ({ value: key.id, label: keyChoice(key) })),
            ...(unknownKey === null ? [] : [{ value: unknownKey, label: text.oneKey }]),
          ]}
          onChange={(event) => filters.set({ key: event.target.value || null })}
        />
      )}
      <ProjectSelects {...props} />
      <Select
        className={shared}
        aria-label={text.model}
        value={filters.model ?? ""}
        options={[
          { value: "", label: text.allModels },
          ...names.map((name) => ({ value: name, label: modelName(name) })),
        ]}
        onChange={(event) => filters.set({ model: event.target.value || null })}
      />
      {zones.length === 1 ? (
        <span className="text-sm text-muted">{fill(text.oneZone, { zone: format.zoneLabel() })}</span>
      ) : (
        <Select
          className="grow basis-full sm:max-w-60 sm:basis-44"
          aria-label={text.zone}
          value={filters.zone}
          options={zones.map((zone) => ({ value: zone, label: format.zoneLabel(zone) }))}
          onChange={(event) =>
            filters.set({ tz: event.target.value === format.timeZone ? null : event.target.value })
          }
        />
      )}
    </div>
  );
}

/** The project, where there are any, and the member that a row of the table has narrowed to. */
function ProjectSelects({ filters, admin }: { filters: UsageFilters; admin: boolean }) {
  const common = useMessages("common").projects;
  const projects = useProjectChoice(admin, filters.project);
  return (
    <>
      {projects.length > 0 && (
        <Select
          className={shared}
          aria-label={common.label}
          value={filters.project ?? ""}
          options={[{ value: "", label: common.all }, ...projects]}
          onChange={(event) => filters.set({ project: event.target.value || null })}
        />
      )}
      {filters.member !== null && (
        <Select
          className={shared}
          aria-label={common.member}
          value={filters.member}
          options={[
            { value: "", label: common.allMembers },
            { value: filters.member, label: common.oneMember },
          ]}
          onChange={(event) => filters.set({ member: event.target.value || null })}
        />
      )}
    </>
  );
}
