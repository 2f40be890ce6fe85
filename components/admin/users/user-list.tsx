"use client";

import { hasQuotaOrUse, remainingOf } from "@/lib/shared/balance";
import type { AdminUser, ListedUser } from "../../api/admin/types";
import { useShell } from "../../api/shell-facts";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import type { MoneyColumn } from "../../i18n/money";
import { useFormat, useMessages } from "../../i18n/provider";
import { Moment } from "../../keys/key-cells";
import { selectColumn } from "../../lists/select-column";
import type { Selection } from "../../lists/use-selection";
import { Badge } from "../../ui/badge";
import type { Column, ColumnSort } from "../../ui/columns";
import { DataTable } from "../../ui/data-table";
import { Link } from "../../ui/link";
import { Status, type StatusTone } from "../../ui/status";
import { rowNameClass } from "../../ui/table";
import { UsedMeter } from "./used-meter";
import type { UserSort } from "./user-filter-parsers";
import { UserMenu } from "./user-menu";
import type { UserTask } from "./user-tasks";

const statusTones: Record<AdminUser["status"], StatusTone> = {
  active: "normal",
  suspended: "danger",
  deleted: "off",
};

interface ListProps {
  users: ListedUser[];
  selection: Selection<AdminUser>;
  /** They are those of the filters before. */
  old: boolean;
  sortBy: (column: UserSort) => ColumnSort;
  /** Else rows have neither boxes nor actions. */
  mayChange: boolean;
  onTask: (user: AdminUser, task: UserTask) => void;
}

/** Accounts with their actions. */
export function UserList(props: ListProps) {
  const text = useMessages("adminUsers");
  const select: Column<ListedUser> = selectColumn<AdminUser>({
    rows: props.users,
    selection: props.selection,
    label: text.selectPage,
    hint: text.selectPageHint,
    old: props.old,
    labelOf: ({ username }) => fill(text.selectOne, { name: username }),
  });
  return (
    <DataTable
      opens={props.mayChange}
      list="users"
      caption={text.caption}
      columns={[...(props.mayChange ? [select] : []), ...useUserColumns(props.sortBy)]}
      rows={props.users}
      rowId={(user) => user.id}
      edit={(user) => (props.selection.takes(user) ? () => props.onTask(user, "edit") : undefined)}
      actions={
        props.mayChange
          ? (user) =>
              props.selection.takes(user) && (
                <UserMenu user={user} onTask={(task) => props.onTask(user, task)} />
              )
          : undefined
      }
    />
  );
}

function useUserColumns(sortBy: ListProps["sortBy"]): Column<ListedUser>[] {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const printLeft = format.listColumn("balance");
  return [
    {
      id: "user",
      head: text.user,
      sort: sortBy("username"),
      card: "title",
      className: "max-w-72",
      cell: (user) => <UserName user={user} />,
    },
    { id: "status", head: text.status, cell: (user) => <UserStatus user={user} /> },
    {
      id: "plan",
      head: text.plan,
      from: "lg",
      cell: (user) => plans.find((plan) => plan.id === user.planId)?.name ?? user.planId,
    },
    {
      id: "left",
      head: text.left,
      sort: sortBy("remaining"),
      card: "wide",
      cell: (user) => <Left user={user} print={printLeft} />,
    },
    {
      id: "billed",
      head: text.billed30d,
      sort: sortBy("billed30d"),
      kind: "sum",
      listed: ({ billed30d }) => billed30d,
    },
    {
      id: "active",
      head: text.lastActive,
      from: "lg",
      sort: sortBy("lastActiveAt"),
      className: "whitespace-nowrap",
      cell: (user) => <Moment iso={user.lastActiveAt} none={text.neverActive} />,
    },
    {
      id: "requests",
      head: text.requests,
      end: true,
      from: "2xl",
      cell: (user) => format.count(Number(user.requestCount)),
    },
    {
      id: "created",
      head: text.created,
      sort: sortBy("createdAt"),
      from: "2xl",
      className: "whitespace-nowrap",
      cell: ({ createdAt }) => <Created iso={createdAt} />,
    },
  ];
}

function Created({ iso }: { iso: string }) {
  const format = useFormat();
  return (
    <time dateTime={iso} title={format.dateTime(iso)}>
      {format.date(iso)}
    </time>
  );
}

/** The state of an account; of a suspended one with the reason in its tooltip. */
export function UserStatus({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers");
  return (
    <span title={user.suspension?.reason || undefined}>
      <Status tone={statusTones[user.status]}>{text.statuses[user.status]}</Status>
    </span>
  );
}

function UserName({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers");
  const { username, admin } = useShell();
  const further = [user.name, user.email].filter((part) => part !== "").join(" · ");
  return (
    <div className="grid min-w-32">
      <span className="font-medium wrap-anywhere">
        {admin ? (
          <Link href={`/admin/users/${user.id}`} className={rowNameClass}>
            {user.username}
          </Link>
        ) : (
          user.username
        )}
        {user.role !== "user" && (
          <Badge tone="neutral" className="ml-2">
            {text.roles[user.role]}
          </Badge>
        )}
        {user.username === username && <span className="ml-2 text-xs text-muted">({text.you})</span>}
      </span>
      {further !== "" && <span className="text-xs font-normal wrap-anywhere text-muted">{further}</span>}
    </div>
  );
}

/** What is left of the quota; an account without one is told, since nothing of nothing reads like a balance. */
function Left({ user, print }: { user: AdminUser; print: MoneyColumn }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  if (!hasQuotaOrUse(user))
    return (
      <span className="text-muted" title={text.noQuotaHint}>
        {text.noQuota}
      </span>
    );
  const spent = format.spent(user.usedExact, user.quota);
  const left = remainingOf(user);
  const words = fill(text.leftOf, { left: print(left), quota: spent.quota });
  return (
    <div className="grid min-w-32 gap-1 max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:*:last:flex-1">
      <span className="tabular whitespace-nowrap" title={format.moneyExact(left)}>
        {words}
      </span>
      <UsedMeter user={user} />
    </div>
  );
}
