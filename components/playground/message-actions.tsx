"use client";

import { ChevronLeft, ChevronRight, Pencil } from "lucide-react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import type { Exchange } from "./conversation";

/** What can be done with a message that was sent, and the way to the other branches of the conversation from it on. */
export function MessageActions(props: {
  exchange: Exchange;
  /** Absent while it cannot be edited, and no other branch be shown. */
  onEdit: (() => void) | undefined;
  onBranch: ((to: number) => void) | undefined;
}) {
  const text = useMessages("playground");
  const { exchange, onEdit } = props;
  return (
    <div className="-mr-1.5 flex items-center text-muted">
      {exchange.branches !== undefined && <BranchSwitch {...exchange.branches} onBranch={props.onBranch} />}
      {exchange.message !== "" && (
        <CopyButton text={exchange.message} label={text.copyQuestion} iconOnly variant="ghost" />
      )}
      <Button size="mini" variant="ghost" title={text.edit} disabled={onEdit === undefined} onClick={onEdit}>
        <Pencil aria-hidden className="size-3.5" />
        <span className="sr-only">{text.edit}</span>
      </Button>
    </div>
  );
}

function BranchSwitch(props: {
  at: number;
  all: readonly unknown[];
  onBranch: ((to: number) => void) | undefined;
}) {
  const text = useMessages("playground").branches;
  const { at, all, onBranch } = props;
  const last = all.length - 1;
  return (
    <fieldset aria-label={text.title} className="tabular flex items-center text-xs">
      <Button
        size="mini"
        variant="ghost"
        aria-label={text.previous}
        aria-disabled={onBranch === undefined || at === 0}
        onClick={() => at > 0 && onBranch?.(at - 1)}
      >
        <ChevronLeft aria-hidden className="size-3.5" />
      </Button>
      <span aria-live="polite">{fill(text.place, { at: at + 1, count: all.length })}</span>
      <Button
        size="mini"
        variant="ghost"
        aria-label={text.next}
        aria-disabled={onBranch === undefined || at === last}
        onClick={() => at < last && onBranch?.(at + 1)}
      >
        <ChevronRight aria-hidden className="size-3.5" />
      </Button>
    </fieldset>
  );
}
