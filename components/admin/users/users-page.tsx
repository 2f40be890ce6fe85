"use client";

import { Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useShell } from "../../shell/shell-context";
import { Button } from "../../ui/button";
import { PageHeader } from "../../ui/card";
import { Drawer } from "../../ui/drawer";
import { Pager } from "../../ui/pager";
import { EmptyState } from "../../ui/states";
import { useUsers } from "../queries";
import { QueryRegion } from "../query-region";
import type { AdminUser } from "../types";
import { GrantDialog } from "./grant-dialog";
import { DeleteUserDialog, ResetPasswordDialog, SuspendDialog } from "./user-dialogs";
import { userFilterParsers } from "./user-filter-parsers";
import { UserFiltersBar } from "./user-filters";
import { CreateUserForm, EditUserForm } from "./user-form";
import { UserList, type UserTask } from "./user-list";

const PAGE_SIZE = 50;

type Task = { kind: "create" } | { kind: UserTask; user: AdminUser };

/** Every account. */
export function UsersPage() {
  const text = useMessages("adminUsers");
  const [task, setTask] = useState<Task | null>(null);
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={
          <Button variant="primary" onClick={() => setTask({ kind: "create" })}>
            <Plus aria-hidden className="size-4" />
            {text.create}
          </Button>
        }
      />
      <UsersRegion onTask={(user, kind) => setTask({ kind, user })} />
      {task !== null && <TaskLayer task={task} onClose={() => setTask(null)} />}
    </>
  );
}

function UsersRegion(props: { onTask: (user: AdminUser, task: UserTask) => void }) {
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const format = useFormat();
  const [url, setUrl] = useQueryStates(userFilterParsers);
  const users = useUsers({
    search: url.search.trim(),
    status: url.status,
    role: url.role,
    planId: url.plan,
    page: url.page,
    pageSize: PAGE_SIZE,
  });
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
                action={
                  <Button
                    onClick={() => setUrl({ search: null, status: null, role: null, plan: null, page: null })}
                  >
                    {common.clearFilters}
                  </Button>
                }
              />
            ) : (
              <UserList users={page.data} onTask={props.onTask} />
            )}
            <Pager
              page={url.page}
              pageSize={PAGE_SIZE}
              total={page.total}
              onPage={(next) => setUrl({ page: next })}
            />
          </>
        )}
      </QueryRegion>
    </div>
  );
}

function TaskLayer(props: { task: Task; onClose: () => void }) {
  const { task, onClose } = props;
  if (task.kind === "create") return <CreateUserSheet onClose={onClose} />;
  switch (task.kind) {
    case "edit":
      return <EditUserSheet user={task.user} onClose={onClose} />;
    case "grant":
      return <GrantDialog user={task.user} onClose={onClose} />;
    case "suspend":
      return <SuspendDialog user={task.user} onClose={onClose} />;
    case "password":
      return <ResetPasswordDialog user={task.user} onClose={onClose} />;
    case "delete":
      return <DeleteUserDialog user={task.user} onClose={onClose} />;
  }
}

function CreateUserSheet(props: { onClose: () => void }) {
  const text = useMessages("adminUsers");
  return (
    <Drawer onClose={props.onClose} title={text.createTitle}>
      <CreateUserForm onClose={props.onClose} />
    </Drawer>
  );
}

function EditUserSheet(props: { user: AdminUser; onClose: () => void }) {
  const text = useMessages("adminUsers");
  const { username } = useShell();
  const { user } = props;
  return (
    <Drawer onClose={props.onClose} title={fill(text.editTitle, { name: user.username })}>
      <EditUserForm user={user} self={user.username === username} onClose={props.onClose} />
    </Drawer>
  );
}
