"use client";

import { hasQuotaOrUse, usedShare } from "@/lib/shared/balance";
import type { AdminUser } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";
import { Meter } from "../../ui/meter";
import { lowUsers } from "./reads";

/** Accounts in use that have little left, those that called last first; nothing where all have enough. */
export function LowAccounts() {
  const text = useMessages("admin").overview;
  const users = useRead("GET /api/admin/users", lowUsers);
  const inUse = users.data?.data.filter(({ lastActiveAt }) => lastActiveAt !== null) ?? [];
  if (users.isSuccess && inUse.length === 0) return null;
  return (
    <Card
      flush
      title={text.lowAccounts}
      actions={
        <TextLink href="/admin/users?status=active&quota=low&sort=lastActiveAt">{text.allLow}</TextLink>
      }
    >
      <QueryRegion query={users}>{() => <Rows users={inUse} />}</QueryRegion>
    </Card>
  );
}

function Rows({ users }: { users: AdminUser[] }) {
  const text = useMessages("admin").overview;
  const format = useFormat();
  return (
    <DataTable
      opens
      flush
      caption={text.lowAccounts}
      rows={users}
      rowId={({ id }) => id}
      columns={[
        {
          id: "user",
          head: text.user,
          className: "min-w-36 wrap-anywhere",
          cell: (user) => <TextLink href={`/admin/users/${user.id}`}>{user.username}</TextLink>,
        },
        {
          id: "used",
          head: text.quotaUsed,
          card: "wide",
          className: "w-1/2",
          cell: (user) => (
            <Used user={user} text={fill(text.usedOf, format.spent(user.usedExact, user.quota))} />
          ),
        },
        {
          id: "active",
          head: text.lastActive,
          className: "whitespace-nowrap",
          cell: ({ lastActiveAt }) => lastActiveAt !== null && format.relative(lastActiveAt),
        },
      ]}
    />
  );
}

function Used(props: { user: AdminUser; text: string }) {
  const label = useMessages("admin").overview.quotaUsed;
  return (
    <div className="grid gap-1">
      <span className="tabular whitespace-nowrap">{props.text}</span>
      {hasQuotaOrUse(props.user) && <Meter share={usedShare(props.user)} label={label} text={props.text} />}
    </div>
  );
}
