"use client";

import { Ellipsis } from "lucide-react";
import { ratio } from "../../i18n/decimal";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useShell } from "../../shell/shell-context";
import { buttonClass } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../ui/menu";
import { Meter } from "../../ui/meter";
import { Status, type StatusTone } from "../../ui/status";
import { rowNameClass } from "../../ui/table";
import { useAdminPlans } from "../queries";
import type { AdminUser } from "../types";
import { useAdminChange } from "../use-admin-change";

/** Actions on an account that open a dialog. */
export type UserTask = "edit" | "grant" | "suspend" | "password" | "delete";

const statusTones: Record<AdminUser["status"], StatusTone> = {
  active: "normal",
  suspended: "danger",
  deleted: "off",
};

/** Accounts with their actions. */
export function UserList(props: { users: AdminUser[]; onTask: (user: AdminUser, task: UserTask) => void }) {
  const text = useMessages("adminUsers");
  const admin = useMessages("admin");
  return (
    <DataTable
      opens
      caption={text.caption}
      columns={useUserColumns((user) => props.onTask(user, "edit"))}
      rows={props.users}
      rowId={(user) => user.id}
      actionsHead={admin.actions}
      actions={(user) =>
        user.status === "deleted" ? null : (
          <UserMenu user={user} onTask={(task) => props.onTask(user, task)} />
        )
      }
    />
  );
}

function useUserColumns(onOpen: (user: AdminUser) => void): Column<AdminUser>[] {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const plans = useAdminPlans().data?.data ?? [];
  return [
    {
      id: "user",
      head: text.user,
      className: "max-w-72",
      cell: (user) => <UserName user={user} onOpen={() => onOpen(user)} />,
    },
    {
      id: "status",
      head: text.status,
      card: "plain",
      cell: (user) => <Status tone={statusTones[user.status]}>{text.statuses[user.status]}</Status>,
    },
    {
      id: "role",
      head: text.role,
      card: "plain",
      cell: (user) => (
        <span className={user.role === "admin" ? "font-medium" : "text-muted"}>{text.roles[user.role]}</span>
      ),
    },
    {
      id: "plan",
      head: text.plan,
      cell: (user) => plans.find((plan) => plan.id === user.planId)?.name ?? user.planId,
    },
    { id: "balance", head: text.balance, card: "wide", cell: (user) => <Balance user={user} /> },
    {
      id: "requests",
      head: text.requests,
      end: true,
      from: "xl",
      cell: (user) => format.count(Number(user.requestCount)),
    },
    {
      id: "created",
      head: text.created,
      from: "xl",
      className: "whitespace-nowrap",
      cell: (user) => (
        <time dateTime={user.createdAt} title={format.dateTime(user.createdAt)}>
          {format.date(user.createdAt)}
        </time>
      ),
    },
  ];
}

function UserName(props: { user: AdminUser; onOpen: () => void }) {
  const text = useMessages("adminUsers");
  const { username } = useShell();
  const { user } = props;
  const further = [user.name, user.email].filter((part) => part !== "").join(" · ");
  return (
    <div className="grid min-w-32">
      <span className="font-medium wrap-anywhere">
        {user.status === "deleted" ? (
          user.username
        ) : (
          <button
            type="button"
            aria-label={fill(text.editTitle, { name: user.username })}
            onClick={props.onOpen}
            className={rowNameClass}
          >
            {user.username}
          </button>
        )}
        {user.username === username && <span className="ml-2 text-xs text-muted">({text.you})</span>}
      </span>
      {further !== "" && <span className="text-xs font-normal wrap-anywhere text-muted">{further}</span>}
    </div>
  );
}

function Balance(props: { user: AdminUser }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const { quota, usedExact } = props.user;
  const words = fill(text.usedOf, format.spent(usedExact, quota));
  return (
    <div className="grid min-w-32 gap-1 max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:*:last:flex-1">
      <span className="tabular whitespace-nowrap" title={format.moneyExact(usedExact)}>
        {words}
      </span>
      <Meter share={Number(quota) === 0 ? 1 : ratio(usedExact, quota)} label={text.balance} text={words} />
    </div>
  );
}

function UserMenu(props: { user: AdminUser; onTask: (task: UserTask) => void }) {
  const text = useMessages("adminUsers");
  const admin = useMessages("admin");
  const { username } = useShell();
  const change = useAdminChange(admin.changeFailed);
  const { user, onTask } = props;
  const self = user.username === username;
  const reactivate = () =>
    change.mutate({
      send: (call) =>
        call("PATCH /api/admin/users/{id}", { params: { id: user.id }, body: { status: "active" } }),
      done: fill(text.reactivated, { name: user.username }),
    });
  return (
    <Menu
      label={fill(admin.actionsFor, { name: user.username })}
      triggerClass={buttonClass("ghost", "icon")}
      trigger={<Ellipsis aria-hidden className="size-4" />}
    >
      <MenuItem onClick={() => onTask("edit")}>{text.edit}</MenuItem>
      <MenuItem onClick={() => onTask("grant")}>{text.grant}</MenuItem>
      <MenuItem onClick={() => onTask("password")}>{text.resetPassword}</MenuItem>
      <MenuLink href={`/admin/logs?user=${user.id}`}>{text.viewLogs}</MenuLink>
      <MenuSeparator />
      {user.status === "suspended" ? (
        <MenuItem onClick={reactivate}>{text.reactivate}</MenuItem>
      ) : (
        <MenuItem danger disabled={self} onClick={() => onTask("suspend")}>
          {text.suspend}
        </MenuItem>
      )}
      <MenuItem danger disabled={self} onClick={() => onTask("delete")}>
        {text.delete}
      </MenuItem>
    </Menu>
  );
}
