"use client";

import type { ReactNode } from "react";
import type { AdminSettings } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { DataTable } from "../../ui/data-table";

/** What the environment decides: to read only. */
export function SetAtStart() {
  const text = useMessages("adminSettings").start;
  const settings = useRead("GET /api/admin/settings");
  return (
    <Card title={text.title}>
      <p className="prose-width mb-3 text-sm text-muted">{text.lead}</p>
      <QueryRegion query={settings}>{(stored) => <StartTable stored={stored} />}</QueryRegion>
    </Card>
  );
}

function StartTable({ stored }: { stored: AdminSettings }) {
  const text = useMessages("adminSettings").start;
  return (
    <DataTable
      caption={text.title}
      rows={useStartRows(stored)}
      rowId={({ name }) => name}
      columns={[
        { id: "name", head: text.setting, cell: ({ name }) => text.names[name] },
        {
          id: "value",
          head: text.value,
          card: "plain",
          className: "wrap-anywhere",
          cell: ({ value, instead }) => (
            <>
              {value}
              {instead !== undefined && <span className="block text-xs text-muted">{instead}</span>}
            </>
          ),
        },
        {
          id: "variable",
          head: text.variable,
          card: "plain",
          cell: ({ variable }) => <code className="font-mono text-xs">{variable}</code>,
        },
      ]}
    />
  );
}

interface StartRow {
  name: keyof ReturnType<typeof useMessages<"adminSettings">>["start"]["names"];
  value: ReactNode;
  /** What holds in its place, where an admin has decided otherwise. */
  instead?: string;
  variable: string;
}

function useStartRows({ setAtStart: start, ...stored }: AdminSettings): StartRow[] {
  const { start: text, registration } = useMessages("adminSettings");
  const common = useMessages("common");
  const format = useFormat();
  const changed = (value: string) => fill(text.changed, { value });
  const yesOrNo = (value: boolean) => (value ? common.yes : common.no);
  const hours = start.responsesStoreHours;
  return [
    {
      name: "registration",
      value: yesOrNo(start.allowRegistration),
      ...(start.allowRegistration &&
        stored.registration !== "open" && { instead: changed(registration.choices[stored.registration]) }),
      variable: "ALLOW_REGISTRATION",
    },
    {
      name: "quota",
      value: format.money(start.signupQuotaCents),
      ...(stored.newAccountQuotaCents !== null && {
        instead: changed(format.money(stored.newAccountQuotaCents)),
      }),
      variable: "SIGNUP_QUOTA_CENTS",
    },
    { name: "strict", value: yesOrNo(start.quotaStrict), variable: "QUOTA_STRICT" },
    { name: "compatibility", value: text.compatibilities[start.compatibility], variable: "COMPATIBILITY" },
    {
      name: "logs",
      value: plural(text.days, start.logRetentionDays, format.locale),
      variable: "LOG_RETENTION_DAYS",
    },
    {
      name: "responses",
      value: hours === 0 ? text.notStored : plural(text.hours, hours, format.locale),
      variable: "RESPONSES_STORE_HOURS",
    },
    {
      name: "storedByAccount",
      value: `${format.countFull(start.responsesStoreAccountMib)} MiB`,
      variable: "RESPONSES_STORE_ACCOUNT_MIB",
    },
    {
      name: "storedByAll",
      value: `${format.countFull(start.responsesStoreMib)} MiB`,
      variable: "RESPONSES_STORE_MIB",
    },
    { name: "database", value: start.postgres ? "PostgreSQL" : text.embedded, variable: "DATABASE_URL" },
    { name: "limits", value: start.redis ? "Redis" : text.inMemory, variable: "REDIS_URL" },
    { name: "replicas", value: format.countFull(start.replicas), variable: "REPLICAS" },
    { name: "private", value: yesOrNo(stored.allowPrivateUpstreams), variable: "ALLOW_PRIVATE_UPSTREAMS" },
    { name: "proxies", value: format.countFull(start.trustProxy), variable: "TRUST_PROXY" },
    { name: "address", value: start.publicUrl, variable: "PUBLIC_URL" },
    { name: "zone", value: start.reportTimezone, variable: "REPORT_TIMEZONE" },
  ];
}
