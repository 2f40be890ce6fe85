"use client";

import { Plus } from "lucide-react";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import { useAllKeys, useKeys } from "../api/queries";
import type { KeyRecord } from "../api/types";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { PageHeader } from "../ui/card";
import { SearchInput, Select } from "../ui/field";
import { Pager } from "../ui/pager";
import { EmptyState, ProgressLine, SkeletonRows } from "../ui/states";
import { ConsoleKey } from "./console-key";
import { CreateKeyDialog } from "./create-key-dialog";
import { DeleteKeyDialog } from "./delete-key-dialog";
import { EditKeySheet } from "./edit-key-sheet";
import { KeyList } from "./key-list";
import type { KeyTask } from "./key-menu";
import { keyState } from "./key-state";

const states = ["all", "active", "disabled", "expired", "exhausted"] as const;
const PAGE_SIZE = 50;

/** All keys of the account. */
export function KeysPage() {
  const text = useMessages("keys");
  const [url, setUrl] = useQueryStates({ create: parseAsStringLiteral(["1"]) });
  const [task, setTask] = useState<{ key: KeyRecord; task: KeyTask } | null>(null);
  const done = () => setTask(null);
  const creating = url.create !== null || task?.task === "replace";
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={
          <Button variant="primary" onClick={() => setUrl({ create: "1" })}>
            <Plus aria-hidden className="size-4" />
            {text.create}
          </Button>
        }
      />
      <KeysRegion
        onTask={(key, wanted) => setTask({ key, task: wanted })}
        onCreate={() => setUrl({ create: "1" })}
      />
      {creating && (
        <CreateKeyDialog
          open
          replaces={task?.task === "replace" ? task.key : null}
          onClose={() => {
            done();
            void setUrl({ create: null });
          }}
        />
      )}
      {task?.task === "edit" && <EditKeySheet apiKey={task.key} onClose={done} />}
      {task?.task === "delete" && <DeleteKeyDialog apiKey={task.key} onClose={done} />}
    </>
  );
}

function KeysRegion(props: { onTask: (key: KeyRecord, task: KeyTask) => void; onCreate: () => void }) {
  const text = useMessages("keys");
  const common = useMessages("common");
  const [url, setUrl] = useQueryStates({
    q: parseAsString.withDefault(""),
    status: parseAsStringLiteral(states).withDefault("all"),
    page: parseAsInteger.withDefault(1),
  });
  const keys = useKeys(url.page, PAGE_SIZE);
  const isFiltered = url.q.trim() !== "" || url.status !== "all";
  const several = (keys.data?.total ?? 0) > PAGE_SIZE;
  // A search must cover all pages.
  const whole = useAllKeys(isFiltered && several);
  if (keys.isPending) return <SkeletonRows label={common.loading} height="h-14" />;
  const words = url.q.trim().toLowerCase();
  const all = (isFiltered ? whole.data?.data : undefined) ?? keys.data?.data ?? [];
  const shown = all.filter(
    (key) =>
      (url.status === "all" || keyState(key) === url.status) &&
      `${key.name} ${key.keyPrefix}`.toLowerCase().includes(words),
  );
  const never = keys.isSuccess && keys.data.total === 0;
  return (
    <div className="grid gap-4">
      {keys.isError && (
        <ErrorPanel error={keys.error} onRetry={() => keys.refetch()} dataFrom={keys.dataUpdatedAt} />
      )}
      {!never && (
        <KeysToolbar
          url={url}
          onChange={setUrl}
          found={keys.data === undefined ? null : isFiltered ? shown.length : keys.data.total}
        />
      )}
      <ProgressLine active={(keys.isFetching && !keys.isPending) || whole.isLoading} />
      {never ? (
        <div className="rounded-lg border">
          <EmptyState
            title={text.empty}
            action={
              <Button variant="primary" onClick={props.onCreate}>
                {text.create}
              </Button>
            }
          />
        </div>
      ) : shown.length === 0 && keys.isSuccess && !whole.isLoading ? (
        <EmptyState
          title={common.noMatches}
          action={<Button onClick={() => setUrl({ q: null, status: null })}>{common.clearFilters}</Button>}
        />
      ) : (
        keys.data !== undefined && <KeyList keys={shown} onTask={props.onTask} />
      )}
      {!isFiltered && <ConsoleKey />}
      {!isFiltered && (
        <Pager
          page={url.page}
          pageSize={PAGE_SIZE}
          total={keys.data?.total ?? null}
          onPage={(page) => setUrl({ page })}
        />
      )}
    </div>
  );
}

type KeyState = (typeof states)[number];

function KeysToolbar(props: {
  url: { q: string; status: KeyState };
  onChange: (change: { q?: string | null; status?: KeyState | null }) => void;
  /** Null: not known. */
  found: number | null;
}) {
  const text = useMessages("keys");
  const common = useMessages("common");
  const format = useFormat();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput
        className="sm:w-72"
        label={text.searchLabel}
        value={props.url.q}
        onChange={(typed) => props.onChange({ q: typed || null })}
      />
      <Select
        className="sm:w-48"
        aria-label={text.statusFilter}
        value={props.url.status}
        options={states.map((value) => ({
          value,
          label: value === "all" ? common.all : text.states[value],
        }))}
        onChange={(event) =>
          props.onChange({ status: states.find((state) => state === event.target.value) ?? null })
        }
      />
      <span role="status" className="text-sm text-muted">
        {props.found !== null && plural(text.found, props.found, format.locale)}
      </span>
    </div>
  );
}
