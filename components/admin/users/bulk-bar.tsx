"use client";

import { useMutation } from "@tanstack/react-query";
import { ChevronUp } from "lucide-react";
import { useId, useState } from "react";
import { errorMessage } from "../../api/error-message";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useShell } from "../../shell/shell-context";
import { Button, buttonClass } from "../../ui/button";
import { cn } from "../../ui/cn";
import { Menu, MenuItem } from "../../ui/menu";
import { toast } from "../../ui/toast";
import type { AdminUser } from "../types";
import { BulkGrant, BulkPlan, BulkReactivate, BulkSuspend } from "./bulk-dialogs";
import { BulkFailures } from "./bulk-failures";
import type { BulkResult, Outcome } from "./use-bulk";
import { useSayDone } from "./use-say-done";
import { isSelectable, type Selection } from "./use-selection";

const dialogs = { grant: BulkGrant, plan: BulkPlan, suspend: BulkSuspend, reactivate: BulkReactivate };

/** All accounts of the filter, where they are more than are shown. */
interface AllAccounts {
  total: number;
  read: () => Promise<AdminUser[]>;
}

interface BulkAction {
  label: string;
  disabled?: boolean;
  ghost?: boolean;
  onClick: () => void;
}

/** What can be done with all ticked accounts at once; it stays in view while the list scrolls, on a phone as a menu. */
export function BulkBar(props: { selection: Selection; all: AllAccounts | null }) {
  const { selection } = props;
  const text = useMessages("adminUsers").bulk;
  const format = useFormat();
  const [task, setTask] = useState<keyof typeof dialogs | null>(null);
  const [failed, setFailed] = useState<{ done: number; failures: Outcome[] } | null>(null);
  const { users } = selection;
  const some = (isSuspended: boolean) => users.some(({ status }) => (status === "suspended") === isSuspended);
  const { username } = useShell();
  const onlySelf = users.every((user) => user.username === username);
  const actions: BulkAction[] = [
    { label: text.grant, onClick: () => setTask("grant") },
    { label: text.plan, onClick: () => setTask("plan") },
    ...(some(false) ? [{ label: text.suspend, disabled: onlySelf, onClick: () => setTask("suspend") }] : []),
    ...(some(true) ? [{ label: text.reactivate, onClick: () => setTask("reactivate") }] : []),
    { label: text.clear, ghost: true, onClick: () => selection.keep([]) },
  ];
  const Dialog = task === null ? null : dialogs[task];
  const sayDone = useSayDone(selection);
  function finish({ users: before, body, outcomes }: BulkResult) {
    const failures = outcomes.filter(({ error }) => error !== null);
    const done = outcomes.filter(({ error }) => error === null).map(({ id }) => id);
    setTask(null);
    if (done.length > 0)
      sayDone(
        before.filter(({ id }) => done.includes(id)),
        body,
      );
    if (failures.length > 0) setFailed({ done: done.length, failures });
  }
  return (
    <section
      aria-label={text.region}
      className="sticky bottom-4 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border bg-page px-3 py-2 shadow-float"
    >
      <span role="status" className="tabular px-1 text-sm font-medium">
        {plural(text.selected, users.length, format.locale)}
      </span>
      {props.all !== null && <SelectAll {...props.all} selection={selection} />}
      <BulkActions actions={actions} />
      {Dialog !== null && <Dialog users={users} onDone={finish} onClose={() => setTask(null)} />}
      {failed !== null && (
        <BulkFailures
          {...failed}
          users={users}
          onClose={() => {
            selection.keep(failed.failures.map(({ id }) => id));
            setFailed(null);
          }}
        />
      )}
    </section>
  );
}

/** Buttons, with why one is disabled; on a phone one menu. */
function BulkActions({ actions }: { actions: BulkAction[] }) {
  const text = useMessages("adminUsers").bulk;
  const reason = useId();
  return (
    <>
      {actions.map(({ label, disabled, onClick, ghost }) => (
        <Button
          key={label}
          size="sm"
          variant={ghost === true ? "ghost" : "secondary"}
          className="max-sm:hidden"
          disabled={disabled}
          aria-describedby={disabled ? reason : undefined}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
      <Menu
        label={text.actions}
        triggerClass={cn(buttonClass("secondary", "sm"), "sm:hidden")}
        trigger={
          <>
            {text.actions}
            <ChevronUp aria-hidden className="size-4" />
          </>
        }
      >
        {actions.map(({ label, disabled, onClick }) => (
          <MenuItem
            key={label}
            disabled={disabled === true}
            hint={disabled ? text.onlySelf : undefined}
            onClick={onClick}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
      {actions.some(({ disabled }) => disabled) && (
        <p id={reason} className="px-1 text-xs text-muted max-sm:hidden">
          {text.onlySelf}
        </p>
      )}
    </>
  );
}

/** Selects what the filter finds on all pages; nothing once that is done. */
function SelectAll({ total, read, selection }: AllAccounts & { selection: Selection }) {
  const text = useMessages("adminUsers").bulk;
  const common = useMessages("common");
  const format = useFormat();
  const reading = useMutation({
    mutationFn: read,
    onSuccess: (users) => selection.set(users.filter(isSelectable), true),
    onError: (error) => toast.failed(text.allFailed, errorMessage(error, common)),
  });
  if (reading.isSuccess || selection.users.length >= total) return null;
  return (
    <Button size="sm" variant="ghost" disabled={reading.isPending} onClick={() => reading.mutate()}>
      {fill(text.all, { count: format.countFull(total) })}
    </Button>
  );
}
