"use client";

import { useMutation } from "@tanstack/react-query";
import { ChevronUp } from "lucide-react";
import { type ComponentType, useId, useState } from "react";
import { errorMessage } from "../../api/error-message";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import type { Selection } from "../../lists/use-selection";
import { Button, buttonClass } from "../../ui/button";
import { cn } from "../../ui/cn";
import { Menu, MenuItem } from "../../ui/menu";
import { toast } from "../../ui/toast";
import { BulkFailures } from "./bulk-failures";
import type { BulkWords } from "./bulk-words";
import type { BulkResult, Outcome } from "./outcomes";

/** What the dialog of an action is given. */
export interface BulkProps<Row, Body> {
  rows: Row[];
  onDone: (result: BulkResult<Row, Body>) => void;
  onClose: () => void;
}

/** What can be done with all ticked records. */
export interface BulkAction<Row, Body> {
  label: string;
  /** Why it cannot be done now. */
  disabledBecause?: string | undefined;
  dialog: ComponentType<BulkProps<Row, Body>>;
}

/** All records of the filter, where they are more than are shown. */
interface AllRows<Row> {
  total: number;
  read: () => Promise<Row[]>;
  label: string;
  failed: string;
}

/** Space below the bar and above it. Units: px. */
const GAPS = 40;

/** Messages appear above the bar, however many lines it has. */
function keepFree(bar: HTMLElement | null) {
  if (bar === null) return;
  const tell = () => document.body.style.setProperty("--above-bulk-bar", `${bar.offsetHeight + GAPS}px`);
  const watch = new ResizeObserver(tell);
  watch.observe(bar);
  return () => watch.disconnect();
}

/** What can be done with all ticked records at once; it stays in view while the list scrolls, on a phone as a menu. */
export function BulkBar<Row extends { id: string }, Body>(props: {
  selection: Selection<Row>;
  words: BulkWords;
  actions: BulkAction<Row, Body>[];
  all?: AllRows<Row> | null;
  nameOf: (row: Row) => string;
  /** Told of those that were changed, as they were before. */
  onDone: (rows: Row[], body: Body) => void;
}) {
  const { selection, words } = props;
  const format = useFormat();
  const [action, setAction] = useState<BulkAction<Row, Body> | null>(null);
  const [failed, setFailed] = useState<{ done: number; failures: Outcome[] } | null>(null);
  const { rows } = selection;
  const nameOf = (id: string) => {
    const row = rows.find((one) => one.id === id);
    return row === undefined ? id : props.nameOf(row);
  };
  function finish({ rows: before, body, outcomes }: BulkResult<Row, Body>) {
    const failures = outcomes.filter(({ error }) => error !== null);
    const done = outcomes.filter(({ error }) => error === null).map(({ id }) => id);
    setAction(null);
    if (done.length > 0)
      props.onDone(
        before.filter(({ id }) => done.includes(id)),
        body,
      );
    if (failures.length > 0) setFailed({ done: done.length, failures });
  }
  const Dialog = action?.dialog;
  return (
    <section
      ref={keepFree}
      aria-label={words.region}
      data-bulk-bar
      className="sticky bottom-4 z-10 mx-auto mt-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border bg-page px-3 py-2 shadow-float"
    >
      <span role="status" className="tabular px-1 text-sm font-medium">
        {plural(words.selected, rows.length, format.locale)}
      </span>
      {props.all != null && <SelectAll {...props.all} selection={selection} />}
      <Actions
        words={words}
        actions={[
          ...props.actions.map((one) => ({ ...one, onClick: () => setAction(one) })),
          { label: words.clear, ghost: true, onClick: () => selection.keep([]) },
        ]}
      />
      {Dialog !== undefined && <Dialog rows={rows} onDone={finish} onClose={() => setAction(null)} />}
      {failed !== null && (
        <BulkFailures
          {...failed}
          words={words}
          nameOf={nameOf}
          onClose={() => {
            selection.keep(failed.failures.map(({ id }) => id));
            setFailed(null);
          }}
        />
      )}
    </section>
  );
}

interface ShownAction {
  label: string;
  disabledBecause?: string | undefined;
  ghost?: boolean;
  onClick: () => void;
}

/** Buttons, with why one is disabled; on a phone one menu. */
function Actions({ actions, words }: { actions: ShownAction[]; words: BulkWords }) {
  const reason = useId();
  const because = actions.find(({ disabledBecause }) => disabledBecause !== undefined)?.disabledBecause;
  return (
    <>
      {actions.map(({ label, disabledBecause, onClick, ghost }) => (
        <Button
          key={label}
          size="sm"
          variant={ghost === true ? "ghost" : "secondary"}
          className="max-sm:hidden"
          disabled={disabledBecause !== undefined}
          aria-describedby={disabledBecause === undefined ? undefined : reason}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
      <Menu
        label={words.actions}
        triggerClass={cn(buttonClass("secondary", "sm"), "sm:hidden")}
        trigger={
          <>
            {words.actions}
            <ChevronUp aria-hidden className="size-4" />
          </>
        }
      >
        {actions.map(({ label, disabledBecause, onClick }) => (
          <MenuItem key={label} disabledBecause={disabledBecause} onClick={onClick}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      {because !== undefined && (
        <p id={reason} className="px-1 text-xs text-muted max-sm:hidden">
          {because}
        </p>
      )}
    </>
  );
}

/** Selects what the filter finds on all pages; nothing once that is done. */
function SelectAll<Row extends { id: string }>(props: AllRows<Row> & { selection: Selection<Row> }) {
  const common = useMessages("common");
  const format = useFormat();
  const { total, selection } = props;
  const reading = useMutation({
    mutationFn: props.read,
    onSuccess: (rows) => selection.set(rows.filter(selection.takes), true),
    onError: (error) => toast.failed(props.failed, errorMessage(error, common)),
  });
  if (reading.isSuccess || selection.rows.length >= total) return null;
  return (
    <Button size="sm" variant="ghost" disabled={reading.isPending} onClick={() => reading.mutate()}>
      {fill(props.label, { count: format.countFull(total) })}
    </Button>
  );
}
