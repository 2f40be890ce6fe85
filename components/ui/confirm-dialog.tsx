"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";
import { Input } from "./field";

/**
 * Confirms an action that cannot be undone; with `typed`, its name must be typed first. While it is under way the dialog
 * stays, so that its answer is seen.
 */
export function ConfirmDialog(props: {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  body: ReactNode;
  action: string;
  /** What the button that changes nothing says; "Cancel" unless given. */
  cancel?: string;
  typed?: string;
  busy?: boolean;
  error?: ReactNode;
  tone?: "danger" | "primary";
}) {
  const onClose = () => props.busy !== true && props.onClose();
  return (
    <Dialog open={props.open} onClose={onClose} title={props.title} size="sm" role="alertdialog">
      <ConfirmForm {...props} onClose={onClose} />
    </Dialog>
  );
}

function ConfirmForm(props: Parameters<typeof ConfirmDialog>[0]) {
  const text = useMessages("common");
  const [typed, setTyped] = useState("");
  const id = useId();
  const ready = props.typed === undefined || asShown(typed) === asShown(props.typed);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && props.busy !== true) props.onConfirm();
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-2 text-sm">{props.body}</div>
      {props.typed !== undefined && (
        <div className="grid gap-1.5">
          <label htmlFor={id} className="text-sm font-medium wrap-anywhere">
            {fill(text.typeToConfirm, { name: props.typed })}
          </label>
          <Input
            id={id}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      )}
      {props.error}
      <DialogActions>
        {/* What changes nothing has the focus, unless there is something to type. */}
        <Button onClick={props.onClose} data-first-focus={props.typed === undefined || undefined}>
          {props.cancel ?? text.cancel}
        </Button>
        <Button type="submit" variant={props.tone ?? "danger"} disabled={!ready || props.busy === true}>
          {props.action}
        </Button>
      </DialogActions>
    </form>
  );
}

/** HTML collapses several spaces into one. */
function asShown(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
