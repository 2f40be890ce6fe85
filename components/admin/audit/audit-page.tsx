"use client";

import { Download } from "lucide-react";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useCallback } from "react";
import { withQuery } from "../../api/client";
import type { Messages } from "../../i18n/messages";
import { useMessages } from "../../i18n/provider";
import { AccountFilter } from "../../logs/account-filter";
import { Button, buttonClass } from "../../ui/button";
import { PageHeader } from "../../ui/card";
import { DateInput } from "../../ui/date-input";
import { Field, Select } from "../../ui/field";
import { Pager } from "../../ui/pager";
import { EmptyState } from "../../ui/states";
import { useAudit } from "../queries";
import { QueryRegion } from "../query-region";
import { AuditDetail } from "./audit-detail";
import { AuditList } from "./audit-list";

const PAGE_SIZE = 50;
const targetTypes = ["node", "model", "price", "plan", "user", "key", "setting", "announcement"] as const;

const filterParsers = {
  person: parseAsString,
  targetType: parseAsStringLiteral(targetTypes),
  action: parseAsString,
  from: parseAsString,
  to: parseAsString,
};
const nothing = { person: null, targetType: null, action: null, from: null, to: null, page: null };

/** Who changed what. */
export function AuditPage() {
  const text = useMessages("admin").audit;
  const common = useMessages("common");
  const [url, setUrl] = useQueryStates({
    ...filterParsers,
    page: parseAsInteger.withDefault(1),
    entry: parseAsString,
  });
  const filter = {
    accountId: url.person,
    targetType: url.targetType,
    action: url.action,
    targetId: null,
    from: url.from,
    to: url.to,
  };
  const audit = useAudit({ ...filter, page: url.page, pageSize: PAGE_SIZE });
  const filtered = Object.values(filter).some((value) => value !== null);
  const opened = audit.data?.data.find((entry) => entry.id === url.entry);
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={
          <a className={buttonClass()} href={withQuery("/api/admin/audit/export", filter)} download>
            <Download aria-hidden className="size-4" />
            {common.downloadCsv}
          </a>
        }
      />
      <div className="grid gap-4">
        <AuditFilters />
        <QueryRegion query={audit}>
          {(page) =>
            page.data.length === 0 ? (
              <EmptyState
                title={filtered ? common.noMatches : text.empty}
                action={
                  filtered ? (
                    <Button onClick={() => setUrl(nothing)}>{common.clearFilters}</Button>
                  ) : undefined
                }
              />
            ) : (
              <>
                <AuditList entries={page.data} onOpen={(entry) => setUrl({ entry: entry.id })} />
                <Pager
                  page={url.page}
                  pageSize={PAGE_SIZE}
                  total={page.total}
                  onPage={(next) => setUrl({ page: next })}
                />
              </>
            )
          }
        </QueryRegion>
      </div>
      {opened !== undefined && <AuditDetail entry={opened} onClose={() => setUrl({ entry: null })} />}
    </>
  );
}

/** A day of the calendar as `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The actions on one kind of target, or all. */
function actionsOf(targetType: string | null, text: Messages["admin"]["audit"]) {
  return Object.entries(text.actions)
    .filter(([action]) => targetType === null || action.startsWith(`${targetType}.`))
    .map(([value, label]) => ({ value, label }));
}

function AuditFilters() {
  const text = useMessages("admin").audit;
  const common = useMessages("common");
  const logs = useMessages("logs");
  const [url, setUrl] = useQueryStates({ ...filterParsers, page: parseAsInteger });
  const choosePerson = useCallback((person: string | null) => setUrl({ person, page: null }), [setUrl]);
  const day = (name: "from" | "to", label: string) => (
    <Field label={label} className="w-full sm:w-44">
      {(control) => (
        <DateInput
          {...control}
          kind="day"
          value={url[name] ?? ""}
          onChange={(value) => setUrl({ [name]: isDay(value) ? value : null, page: null })}
        />
      )}
    </Field>
  );
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="grid w-full gap-1.5 sm:w-52">
        <span aria-hidden className="text-sm font-medium">
          {logs.account}
        </span>
        <AccountFilter account={url.person} onAccount={choosePerson} />
      </div>
      <Field label={text.targetType} className="w-full sm:w-40">
        {(control) => (
          <Select
            {...control}
            value={url.targetType ?? ""}
            options={[
              { value: "", label: common.all },
              ...targetTypes.map((value) => ({ value, label: text.targetTypes[value] })),
            ]}
            onChange={(event) =>
              setUrl({
                targetType: targetTypes.find((value) => value === event.target.value) ?? null,
                action: null,
                page: null,
              })
            }
          />
        )}
      </Field>
      <Field label={text.action} className="w-full sm:w-52">
        {(control) => (
          <Select
            {...control}
            value={url.action ?? ""}
            options={[{ value: "", label: common.all }, ...actionsOf(url.targetType, text)]}
            onChange={(event) => setUrl({ action: event.target.value || null, page: null })}
          />
        )}
      </Field>
      {day("from", text.from)}
      {day("to", text.to)}
    </div>
  );
}
