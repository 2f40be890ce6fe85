"use client";

import { BookmarkPlus, Ellipsis } from "lucide-react";
import { useState } from "react";
import { FormFrame } from "@/components/forms/form-frame";
import { type ReadResult, useRecordForm } from "@/components/forms/use-record-form";
import { errorMessage } from "../api/error-message";
import { ErrorPanel } from "../api/error-panel";
import type { SavedView } from "../api/types";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button, buttonClass } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, Input } from "../ui/field";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu";
import { toast } from "../ui/toast";
import type { UrlLogFilters } from "./use-log-filters";
import { useSavedViews, type ViewChange } from "./use-saved-views";
import { builtInViews, filtersOfUrl, sameFilters, urlOfFilters } from "./views";

const MAX_NAME = 40;

type Task = { kind: "save" } | { kind: "rename"; view: SavedView };

/** The views of the log: the built-in ones and the account's own; one click opens one. */
export function SavedViews(props: { filters: UrlLogFilters; list: SavedView["list"] }) {
  const text = useMessages("logs").views;
  const { filters } = props;
  const { views, error, change } = useSavedViews();
  const [task, setTask] = useState<Task | null>(null);
  const own = views.filter(({ list }) => list === props.list);
  const current = filtersOfUrl(filters.url);
  const isKnown = [...builtInViews, ...own].some((view) => sameFilters(view.filters, current));
  return (
    <section aria-label={text.label} className="flex flex-wrap items-center gap-2">
      <ViewButton name={text.everything} filters={filters} view={{}} />
      {builtInViews.map((view) => (
        <ViewButton key={view.id} name={text.builtIn[view.id]} filters={filters} view={view.filters} />
      ))}
      {own.map((view) => (
        <span key={view.name} className="inline-flex max-w-full items-center">
          <ViewButton name={view.name} filters={filters} view={view.filters} own />
          <ViewMenu view={view} change={change} onRename={() => setTask({ kind: "rename", view })} />
        </span>
      ))}
      {filters.filtered && !isKnown && (
        <Button size="sm" variant="ghost" onClick={() => setTask({ kind: "save" })}>
          <BookmarkPlus aria-hidden className="size-4" />
          {text.save}
        </Button>
      )}
      {error !== null && <ErrorPanel className="basis-full" error={error} />}
      {task !== null && (
        <NameDialog
          task={task}
          taken={own}
          onClose={() => setTask(null)}
          send={(name) =>
            change((all) =>
              task.kind === "save"
                ? [...all, { name, list: props.list, filters: current }]
                : all.map((one) => (isSame(one, task.view) ? { ...one, name } : one)),
            )
          }
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
      onClick={() => void filters.replace(urlOfFilters(view))}
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
      toast.done(done, undo && { label: common.undo, onClick: () => void make(undo, text.restored) });
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
  taken: SavedView[];
  onClose: () => void;
  send: (name: string) => Promise<unknown>;
}) {
  const text = useMessages("logs").views;
  const common = useMessages("common");
  const { task, onClose } = props;
  const before = task.kind === "rename" ? task.view.name : "";
  const form = useRecordForm<{ name: string }, string>({
    initial: { name: before },
    read: (draft): ReadResult<string> => {
      const name = draft.name.trim();
      const isTaken = props.taken.some(
        (view) => view.name !== before && view.name.toLowerCase() === name.toLowerCase(),
      );
      if (name === "" || [...name].length > MAX_NAME)
        return { ok: false, errors: { name: [text.nameBounds] } };
      return isTaken ? { ok: false, errors: { name: [text.nameTaken] } } : { ok: true, body: name };
    },
    send: async (name) => {
      await props.send(name);
      toast.done(fill(text.saved, { name }));
      onClose();
    },
  });
  const title = task.kind === "rename" ? fill(text.renameTitle, { name: before }) : text.save;
  return (
    <Dialog open onClose={onClose} title={title} size="sm">
      <FormFrame
        form={form}
        shown={["name"]}
        stored={task.kind === "rename"}
        submitLabel={common.save}
        onCancel={onClose}
      >
        <Field label={text.name} hint={text.nameHint} errors={form.errors.name}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={form.draft.name}
              onChange={(event) => form.change({ name: event.target.value })}
            />
          )}
        </Field>
      </FormFrame>
    </Dialog>
  );
}
