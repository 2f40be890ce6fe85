"use client";

import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { userRoles } from "@/lib/shared/user-roles";
import type { AdminUser } from "../../api/admin/types";
import type { Query } from "../../api/client";
import { useShell } from "../../api/shell-facts";
import { useRead } from "../../api/use-read";
import { useFormat, useMessages } from "../../i18n/provider";
import { ExportLink } from "../../lists/export-link";
import type { Filter } from "../../lists/filters";
import { ListPage, useListSource } from "../../lists/list-page";
import { useListState } from "../../lists/list-state";
import { SortSelect } from "../../lists/row-order";
import { useCreating, useKeptEdit } from "../../lists/use-creating";
import { useSelection } from "../../lists/use-selection";
import { useColumnChoice } from "../../ui/column-choice";
import type { ColumnSort } from "../../ui/columns";
import { Drawer } from "../../ui/drawer";
import { HeadActions } from "./head-actions";
import { type MadePassword, NewPassword } from "./new-password";
import { readAllUsers } from "./read-all-users";
import {
  firstOrder,
  pageSizes,
  quotas,
  statuses,
  type UserSort,
  userFilterParsers,
  userOrderParsers,
  userSorts,
} from "./user-filter-parsers";
import { CreateUserForm } from "./user-form";
import { UserList } from "./user-list";
import { useRememberedList } from "./user-list-address";
import { type UserTask, UserTaskLayer } from "./user-tasks";

/** Without what is shown meanwhile the whole page would wait for it. */
const UserBulkBar = dynamic(() => import("./bulk-bar").then((module) => module.UserBulkBar), {
  loading: () => null,
});

/** An account that is deleted cannot be changed. */
const isSelectable = ({ status }: AdminUser) => status !== "deleted";

/** Every account. */
export function UsersPage() {
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const [task, setTask] = useState<{ kind: UserTask; user: AdminUser } | null>(null);
  const [creating, setCreating] = useCreating("user");
  const list = useListState(userFilterParsers);
  const { url, order, sortBy, change } = useOrder(() => list.goToPage(1));
  const { plan: planId, ...others } = list.url;
  const filter = { ...others, planId, status: others.status ?? "current" };
  const found = { ...filter, sort: url.sort, order, tz: useFormat().timeZone };
  const users = useRead("GET /api/admin/users", {
    query: { ...found, page: list.page, pageSize: url.size },
  });
  const total = users.data?.total ?? 0;
  useRememberedList();
  useKeptEdit("user ", users.data?.data, (user) => setTask({ kind: "edit", user }));
  const mayChange = useShell().admin;
  const selection = useSelection<AdminUser>(users.data?.data, (user) => mayChange && isSelectable(user));
  return (
    <>
      <ListPage
        title={text.title}
        lead={text.lead}
        actions={<Actions query={{ ...filter, sort: url.sort, order }} />}
        primary={mayChange ? { label: text.create, onClick: () => setCreating(true) } : undefined}
        state={list}
        filters={useUserFilters()}
        controls={<PhoneSort sort={url.sort} onSort={(sort) => change({ sort, order: null })} />}
        source={useListSource(users)}
        pageSize={url.size}
        byTime={order === "desc" && (url.sort === "createdAt" || url.sort === "lastActiveAt")}
        foot={
          <PageSize size={url.size} total={users.data?.total ?? null} onSize={(size) => change({ size })} />
        }
        count={text.found}
        empty={common.noMatches}
      >
        {(page) => (
          <UserList
            users={page}
            selection={selection}
            old={users.isPlaceholderData}
            sortBy={sortBy}
            mayChange={mayChange}
            onTask={(user, kind) => setTask({ kind, user })}
          />
        )}
      </ListPage>
      {selection.rows.length > 0 && (
        <UserBulkBar
          key={JSON.stringify(filter)}
          selection={selection}
          all={total > (users.data?.data.length ?? 0) ? { total, read: () => readAllUsers(found) } : null}
        />
      )}
      {creating && mayChange && <CreateUserSheet onClose={() => setCreating(false)} />}
      {task !== null && (
        <UserTaskLayer
          task={task.kind}
          user={task.user}
          onClose={() => setTask(null)}
          onDeleted={() => selection.set([task.user], false)}
        />
      )}
    </>
  );
}

/** What the file has of each column of the list; who it is about always stays. */
const ofColumn = {
  status: ["status", "suspendedSince", "suspendedReason"],
  plan: ["plan"],
  left: ["quotaCents", "usedCents", "heldCents"],
  billed: ["billed30dCents"],
  active: ["lastActiveAt"],
  requests: ["requests"],
  created: ["createdAt"],
} as const;

/** The file is without the columns that the reader has hidden. */
function useColumnsOfFile(): string | undefined {
  const choice = useColumnChoice("users");
  const wanted = Object.entries(ofColumn).filter(([id]) => choice.wants({ id }));
  if (wanted.length === Object.keys(ofColumn).length) return undefined;
  return [
    "id",
    "username",
    "name",
    "email",
    "role",
    "costCentre",
    ...wanted.flatMap(([, names]) => names),
  ].join(",");
}

function Actions({ query }: { query: Query }) {
  const columns = useColumnsOfFile();
  return (
    <>
      <ExportLink path="/api/admin/users/export" query={{ ...query, columns }} />
      {useShell().admin && <HeadActions />}
    </>
  );
}

/** The order of the accounts and the size of a page, in the URL; a change leads to the first page. */
function useOrder(toFirstPage: () => void) {
  const [url, setUrl] = useQueryStates(userOrderParsers);
  const order = url.order ?? firstOrder[url.sort];
  function change(part: Parameters<typeof setUrl>[0]) {
    toFirstPage();
    void setUrl(part);
  }
  /** The first click sorts by the column, further ones turn the order around. */
  const sortBy = (column: UserSort): ColumnSort => ({
    direction: column !== url.sort ? undefined : order === "asc" ? "ascending" : "descending",
    onSort: () => {
      const turned = order === "asc" ? "desc" : "asc";
      change({ sort: column, order: column === url.sort ? turned : null });
    },
  });
  return { url, order, sortBy, change };
}

function useUserFilters(): Filter<keyof typeof userFilterParsers>[] {
  const text = useMessages("adminUsers");
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  return [
    { kind: "search", name: "search", label: text.search },
    {
      kind: "select",
      name: "status",
      label: text.status,
      all: text.allStatuses,
      options: statuses.map((value) => ({ value, label: text.statuses[value] })),
    },
    {
      kind: "select",
      name: "role",
      label: text.role,
      all: text.allRoles,
      options: userRoles.map((value) => ({ value, label: text.roles[value] })),
    },
    {
      kind: "select",
      name: "plan",
      label: text.plan,
      all: text.allPlans,
      options: plans.map((plan) => ({ value: String(plan.id), label: plan.name })),
    },
    {
      kind: "select",
      name: "quota",
      label: text.leftFilter,
      all: text.anyQuota,
      options: quotas.map((value) => ({ value, label: text.quotaStates[value] })),
    },
  ];
}

/** Cards have no heads to sort by. */
function PhoneSort(props: { sort: UserSort; onSort: (sort: UserSort | null) => void }) {
  const text = useMessages("adminUsers");
  return (
    <SortSelect
      order={props}
      options={userSorts.map((value) => ({ value, label: text.sorts[value] }))}
      hasFirst
    />
  );
}

type Size = (typeof pageSizes)[number];

/** How many accounts a page has; nothing where the smallest page holds all of them. */
function PageSize(props: { size: Size; total: number | null; onSize: (size: Size) => void }) {
  const text = useMessages("adminUsers");
  if (props.total !== null && props.total <= pageSizes[0]) return null;
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      {text.perPage}
      <select
        className="h-8 appearance-none rounded-md border border-control bg-page pr-8 pl-3 text-sm text-fg select-arrow pointer-coarse:min-h-11"
        value={props.size}
        onChange={(event) => {
          const size = pageSizes.find((one) => String(one) === event.target.value);
          if (size !== undefined) props.onSize(size);
        }}
      >
        {pageSizes.map((size) => (
          <option key={size}>{size}</option>
        ))}
      </select>
    </label>
  );
}

function CreateUserSheet(props: { onClose: () => void }) {
  const text = useMessages("adminUsers");
  const [made, setMade] = useState<MadePassword | null>(null);
  if (made !== null) return <NewPassword {...made} />;
  return (
    <Drawer onClose={props.onClose} title={text.createTitle}>
      <CreateUserForm onClose={props.onClose} onMade={setMade} />
    </Drawer>
  );
}
