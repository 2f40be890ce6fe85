"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, Ellipsis } from "lucide-react";
import { useState } from "react";
import { SECOND_MS } from "@/lib/kernel/durations";
import { typedText } from "@/lib/shared/typed";
import { callApi } from "../api/client";
import { errorMessage } from "../api/error-message";
import { ErrorPanel } from "../api/error-panel";
import { read, readKey } from "../api/read";
import type { SavedView } from "../api/types";
import { useRead } from "../api/use-read";
import { TextField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button, buttonClass } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu";
import { toast } from "../ui/toast";
import type { UrlLogFilters } from "./use-log-filters";
import { builtInViews, EXPENSIVE, filtersOfUrl, SLOW_MS, sameFilters, urlOfFilters } from "./views";

type Task = { kind: "save" } | { kind: "rename"; view: SavedView };

/** The views of the log: the built-in ones and the account's own; one click opens one. */
export function SavedViews(props: { filters: UrlLogFilters; list: SavedView["list"] }) {
  const text = useMessages("logs").views;
  const format = useFormat();
  const { filters } = props;
  const bounds = { seconds: SLOW_MS / SECOND_MS, cost: format.money(EXPENSIVE) };
  const { views, error, change } = useSavedViews();
  const [task, setTask] = useState<Task | null>(null);
  const own = views.filter(({ list }) => list === props.list);
  const current = filtersOfUrl(filters.url);
  const isKnown = [...builtInViews, ...own].some((view) => sameFilters(view.filters, current));
  return (
    <section
      aria-label={text.label}
      className="-m-1 flex items-center gap-2 p-1 max-sm:scroll-fade max-sm:*:shrink-0 max-sm:overflow-x-auto max-sm:[scrollbar-width:none] sm:flex-wrap"
    >
      <ViewButton name={text.everything} filters={filters} view={{}} />
      {builtInViews.map((view) => (
        <ViewButton
          key={view.id}
          name={fill(text.builtIn[view.id], bounds)}
          filters={filters}
          view={view.filters}
        />
      ))}
      {own.map((view) => (
        <span key={view.name} className="inline-flex max-w-full items-center">
          <ViewButton name={view.name} filters={filters} view={view.filters} own />
          <ViewMenu view={view} change={change} onRename={() => setTask({ kind: "rename", view })} />
        </span>
      ))}
      {(filters.list.filtered || filters.url.sort !== null) && !isKnown && (
        <Button size="sm" variant="ghost" onClick={() => setTask({ kind: "save" })}>
          <BookmarkPlus aria-hidden className="size-4" />
          {text.save}
        </Button>
      )}
      {error !== null && <ErrorPanel className="basis-full" error={error} />}
      {task !== null && (
        <NameDialog
          task={task}
          all={views}
          added={{ list: props.list, filters: current }}
          onClose={() => setTask(null)}
          change={change}
        />
      )}
    </section>
  );
}

function isSame(a: SavedView, b: SavedView): boolean {
  return a.list === b.list && a.name === b.name;
}

function ViewButton(props: {
  name: string;
  view: SavedView["filters"];
  filters: UrlLogFilters;
  own?: boolean;
}) {
  const { filters, view } = props;
  const active = sameFilters(filtersOfUrl(filters.url), view);
  return (
    <Button
      size="sm"
      variant={active ? "primary" : "secondary"}
      aria-pressed={active}
      className={props.own === true ? "min-w-0 rounded-r-none" : "min-w-0"}
      onClick={() => filters.replace(urlOfFilters(view))}
    >
      <span className="truncate">{props.name}</span>
    </Button>
  );
}

function ViewMenu(props: {
  view: SavedView;
  change: (change: ViewChange) => Promise<unknown>;
  onRename: () => void;
}) {
  const text = useMessages("logs").views;
  const common = useMessages("common");
  const { view, change } = props;
  async function make(next: ViewChange, done: string, undo?: ViewChange) {
    try {
      await change(next);
      toast.done(done, {
        record: `view ${view.list} ${view.name}`,
        action: undo && { label: common.undo, onClick: () => void make(undo, text.restored) },
      });
    } catch (error) {
      toast.failed(text.failed, errorMessage(error, common));
    }
  }
  const remove = () =>
    make(
      (all) => all.filter((one) => !isSame(one, view)),
      fill(text.deleted, { name: view.name }),
      (all) => [...all.filter((one) => !isSame(one, view)), view],
    );
  return (
    <Menu
      label={fill(text.actionsFor, { name: view.name })}
      triggerClass={`${buttonClass("secondary", "sm")} rounded-l-none border-l-0 px-1.5`}
      trigger={<Ellipsis aria-hidden className="size-4" />}
    >
      <MenuItem onClick={props.onRename}>{text.rename}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onClick={() => void remove()}>
        {common.delete}
      </MenuItem>
    </Menu>
  );
}

function NameDialog(props: {
  task: Task;
  all: SavedView[];
  added: Omit<SavedView, "name">;
  onClose: () => void;
  change: (change: ViewChange) => Promise<unknown>;
}) {
  const text = useMessages("logs").views;
  const common = useMessages("common");
  const { task, all, onClose } = props;
  const before = task.kind === "rename" ? task.view : null;
  const at = before === null ? all.length : all.findIndex((one) => isSame(one, before));
  const named = <Name,>(views: SavedView[], name: Name) =>
    before === null
      ? [...views, { ...props.added, name }]
      : views.map((one) => (isSame(one, before) ? { ...one, name } : one));
  async function send({ views }: { views: SavedView[] }) {
    const name = views[at]?.name ?? "";
    await props.change((newest) => named(newest, name));
    return name;
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={before === null ? text.save : fill(text.renameTitle, { name: before.name })}
      size="sm"
    >
      <RecordForm
        operation="PATCH /api/user/views"
        send={send}
        initial={{ views: before?.name ?? "" }}
        toBody={(draft) => ({ views: named(all, typedText(draft.views)) })}
        onSent={(name) => {
          toast.done(fill(text.saved, { name }));
          onClose();
        }}
        submitLabel={common.save}
        onCancel={onClose}
      >
        {/* What the API refuses of the list concerns the name that is typed. */}
        <TextField name="views" label={text.name} hint={text.nameHint} />
      </RecordForm>
    </Dialog>
  );
}

/** A change of the account's views, made on their newest state. */
type ViewChange = (views: SavedView[]) => SavedView[];

/** The views that the account has saved, on every machine, and the call that changes them. */
function useSavedViews() {
  const client = useQueryClient();
  const { data, error } = useRead("GET /api/user/views");
  const { mutateAsync } = useMutation({
    mutationFn: async (change: ViewChange) => {
      const { views } = await callApi("GET /api/user/views");
      return callApi("PATCH /api/user/views", { body: { views: change(views) } });
    },
    onSuccess: (saved) => client.setQueryData(readKey(read("GET /api/user/views")), saved),
  });
  return { views: data?.views ?? [], error, change: mutateAsync };
}
