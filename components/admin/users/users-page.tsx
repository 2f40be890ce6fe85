"use client";

import { Download, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { withQuery } from "../../api/client";
import { plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button, buttonClass } from "../../ui/button";
import { PageHeader } from "../../ui/card";
import type { ColumnSort } from "../../ui/data-table";
import { Drawer } from "../../ui/drawer";
import { Pager } from "../../ui/pager";
import { EmptyState } from "../../ui/states";
import { useUsers } from "../queries";
import { QueryRegion } from "../query-region";
import type { AdminUser } from "../types";
import { type Selection, useSelection } from "./use-selection";
import { firstOrder, pageSizes, type UserSort, userFilterParsers } from "./user-filter-parsers";
import { UserFiltersBar } from "./user-filters";
import { CreateUserForm } from "./user-form";
import { UserList } from "./user-list";
import { type UserTask, UserTaskLayer } from "./user-tasks";

/** Without what is shown meanwhile the whole page would wait for it. */
const BulkBar = dynamic(() => import("./bulk-bar").then((module) => module.BulkBar), { loading: () => null });

/** Every account. */
export function UsersPage() {
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const [task, setTask] = useState<{ kind: UserTask; user: AdminUser } | null>(null);
  const [creating, setCreating] = useState(false);
  const selection = useSelection();
  const { filter } = useUserFilters();
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={
          <>
            <a className={buttonClass()} href={withQuery("/api/admin/users/export", filter)} download>
              <Download aria-hidden className="size-4" />
              {common.downloadCsv}
            </a>
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden className="size-4" />
              {text.create}
            </Button>
          </>
        }
      />
      <UsersRegion selection={selection} onTask={(user, kind) => setTask({ kind, user })} />
      {selection.users.length > 0 && <BulkBar selection={selection} />}
      {creating && <CreateUserSheet onClose={() => setCreating(false)} />}
      {task !== null && <UserTaskLayer task={task.kind} user={task.user} onClose={() => setTask(null)} />}
    </>
  );
}

/** The filters in the URL, and what the API is asked with. */
function useUserFilters() {
  const [url, setUrl] = useQueryStates(userFilterParsers);
  const filter = {
    search: url.search.trim(),
    status: url.status ?? "current",
    role: url.role,
    planId: url.plan,
    quota: url.quota,
  };
  const order = url.order ?? firstOrder[url.sort];
  /** The first click sorts by the column, further ones turn the order around. */
  const sortBy = (column: UserSort): ColumnSort => ({
    direction: column !== url.sort ? undefined : order === "asc" ? "ascending" : "descending",
    onSort: () => {
      const turned = order === "asc" ? "desc" : "asc";
      void setUrl({ sort: column, order: column === url.sort ? turned : null, page: null });
    },
  });
  return { url, setUrl, filter, order, sortBy };
}

function UsersRegion(props: { selection: Selection; onTask: (user: AdminUser, task: UserTask) => void }) {
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const format = useFormat();
  const { url, setUrl, filter, order, sortBy } = useUserFilters();
  const users = useUsers({ ...filter, sort: url.sort, order, page: url.page, pageSize: url.size });
  const clear = () => setUrl({ search: null, status: null, role: null, plan: null, quota: null, page: null });
  return (
    <div className="grid gap-4">
      <UserFiltersBar>
        <span role="status" className="text-sm text-muted">
          {users.data !== undefined &&
            plural(text.found, users.data.total ?? users.data.data.length, format.locale)}
        </span>
      </UserFiltersBar>
      <QueryRegion query={users}>
        {(page) => (
          <>
            {page.data.length === 0 ? (
              <EmptyState
                title={common.noMatches}
                action={<Button onClick={clear}>{common.clearFilters}</Button>}
              />
            ) : (
              <UserList users={page.data} selection={props.selection} sortBy={sortBy} onTask={props.onTask} />
            )}
            <div className="flex flex-wrap items-center justify-between gap-3">
              <PageSize size={url.size} total={page.total} onSize={(size) => setUrl({ size, page: null })} />
              <Pager
                page={url.page}
                pageSize={url.size}
                total={page.total}
                onPage={(next) => setUrl({ page: next })}
              />
            </div>
          </>
        )}
      </QueryRegion>
    </div>
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
  return (
    <Drawer onClose={props.onClose} title={text.createTitle}>
      <CreateUserForm onClose={props.onClose} />
    </Drawer>
  );
}
