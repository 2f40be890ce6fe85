"use client";

import { ArrowLeft, Ban, Trash2 } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useMemo, useState } from "react";
import type { AdminUser } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useShell } from "../../api/shell-facts";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useAsked, useKeptEdit } from "../../lists/use-creating";
import { Button } from "../../ui/button";
import { PageHeader } from "../../ui/card";
import { Link } from "../../ui/link";
import { Note, Skeleton } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { UserAudit } from "./user-audit";
import { UserBudgets } from "./user-budgets";
import { UserKeys } from "./user-keys";
import { UserLedger } from "./user-ledger";
import { listAddress } from "./user-list-address";
import { UserMenu, useReactivate } from "./user-menu";
import { UserRequests } from "./user-requests";
import { UserSummary } from "./user-summary";
import { type UserTask, UserTaskLayer } from "./user-tasks";
import { UserUsage } from "./user-usage";

/** What the palette asks for. */
const askedTasks = ["grant", "suspend"] as const satisfies UserTask[];

const tabs = ["usage", "keys", "budgets", "requests", "ledger", "audit"] as const;

/** Everything about one account on one page. */
export function UserPage(props: { id: string }) {
  const text = useMessages("adminUsers");
  const user = useRead("GET /api/admin/users/{id}", { params: { id: props.id } });
  const [task, setTask] = useState<UserTask | null>(null);
  const record = user.data;
  useAsked("task", askedTasks, record !== undefined, setTask);
  const records = useMemo(() => record && [record], [record]);
  useKeptEdit("user ", records, () => setTask("edit"));
  useTitle(record && fill(text.page.title, { name: record.username }));
  return (
    <>
      <p className="mb-2">
        <Link
          href={listAddress()}
          className="inline-flex min-h-6 items-center gap-1 rounded-sm text-sm text-muted hover:text-fg"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {text.page.toUsers}
        </Link>
      </p>
      <UserHeader user={record} onTask={setTask} />
      <QueryRegion query={user} skeleton={<PageSkeleton />}>
        {(found) => (
          <div className="grid min-w-0 gap-4">
            <StatusNote user={found} />
            <UserSummary user={found} />
            <UserParts user={found} />
          </div>
        )}
      </QueryRegion>
      {task !== null && record !== undefined && (
        <UserTaskLayer task={task} user={record} onClose={() => setTask(null)} />
      )}
    </>
  );
}

/** The title of the window, where it depends on what was loaded. */
function useTitle(title: string | undefined) {
  const { productName } = useMessages("common");
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${productName}`;
  }, [title, productName]);
}

function UserHeader(props: { user: AdminUser | undefined; onTask: (task: UserTask) => void }) {
  const text = useMessages("adminUsers");
  const { username } = useShell();
  const { user, onTask } = props;
  if (user === undefined) return <PageHeader title={text.user} lead={text.page.lead} />;
  const further = [user.name, user.email].filter((part) => part !== "").join(" · ");
  return (
    <PageHeader
      title={
        <span className="wrap-anywhere">
          {user.username}
          {user.username === username && <span className="ml-2 text-sm text-muted">({text.you})</span>}
        </span>
      }
      lead={further === "" ? text.page.lead : further}
      actions={
        user.status !== "deleted" && (
          <>
            <Button onClick={() => onTask("edit")}>{text.edit}</Button>
            <Button variant="primary" onClick={() => onTask("grant")}>
              {text.grant}
            </Button>
            <UserMenu user={user} onTask={onTask} variant="secondary" />
          </>
        )
      }
    />
  );
}

/** Why and since when the account cannot be used; nothing while it can. */
function StatusNote({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const reactivate = useReactivate(user);
  const { suspension, deletedAt } = user;
  if (deletedAt !== null) {
    return (
      <Note tone="info" icon={Trash2}>
        {fill(text.page.deletedSince, { time: format.dateTime(deletedAt) })}
      </Note>
    );
  }
  if (suspension === null) return null;
  const { since, reason } = suspension;
  return (
    <Note tone="danger" icon={Ban}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="font-medium">
            {since === null
              ? text.page.suspended
              : fill(text.page.suspendedSince, { time: format.dateTime(since) })}
          </p>
          <p>{reason === "" ? text.page.noReason : reason}</p>
        </div>
        <Button size="sm" onClick={reactivate}>
          {text.reactivate}
        </Button>
      </div>
    </Note>
  );
}

function UserParts({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(tabs).withDefault("usage"));
  const contents = {
    usage: <UserUsage user={user} />,
    keys: <UserKeys user={user} />,
    budgets: <UserBudgets user={user} />,
    requests: <UserRequests user={user} />,
    ledger: <UserLedger user={user} />,
    audit: <UserAudit user={user} />,
  };
  return (
    <Tabs
      label={text.sections}
      value={tab}
      onChange={(chosen) => void setTab(chosen)}
      tabs={tabs.map((value) => ({ value, label: text.tabs[value], content: contents[value] }))}
    />
  );
}

function PageSkeleton() {
  const common = useMessages("common");
  return (
    <div aria-busy="true" className="grid gap-4">
      <span className="sr-only" role="status">
        {common.loading}
      </span>
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-60" />
        <Skeleton className="h-60" />
      </div>
      <Skeleton className="h-80" />
    </div>
  );
}
