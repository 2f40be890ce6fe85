"use client";

import { Ellipsis, Pencil, Plus, Trash2 } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button, buttonClass } from "../ui/button";
import { cn } from "../ui/cn";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Input } from "../ui/field";
import { Menu, MenuItem } from "../ui/menu";
import { toast } from "../ui/toast";
import {
  type KeptSummary,
  keptConversations,
  MAX_KEPT,
  onKeptChange,
  removeKept,
  renameKept,
} from "./kept-conversations";

/** The conversations that this browser keeps, the latest first. */
export function ConversationList(props: {
  /** Of the one that is open; null for none of them. */
  current: string | null;
  onOpen: (id: string) => void;
  onNew: () => void;
  /** The one that was open is deleted. */
  onDrop: () => void;
}) {
  const text = useMessages("playground").kept;
  const common = useMessages("common");
  const conversations = useKept();
  const [typed, setTyped] = useState("");
  const [renaming, setRenaming] = useState<string | null>(null);
  const found = conversations.filter((each) => isFound(each, typed));
  function remove(ids: readonly string[]) {
    const putBack = removeKept(ids);
    if (props.current !== null && ids.includes(props.current)) props.onDrop();
    const said = ids.length === 1 ? text.deleted : text.allDeleted;
    toast.done(said, { action: { label: common.undo, onClick: putBack } });
  }
  return (
    <div className="grid min-h-0 content-start gap-3">
      <Button className="w-full" onClick={props.onNew}>
        <Plus aria-hidden className="size-4" />
        {text.begin}
      </Button>
      {conversations.length > 5 && (
        <Input
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {conversations.length === 0 && <p className="text-sm text-muted">{text.none}</p>}
      {conversations.length > 0 && found.length === 0 && (
        <p className="text-sm text-muted">{common.noMatches}</p>
      )}
      <ul aria-label={text.title} className="grid gap-0.5">
        {found.map((each) =>
          each.id === renaming ? (
            <li key={each.id}>
              <TitleForm conversation={each} onEnd={() => setRenaming(null)} />
            </li>
          ) : (
            <Row
              key={each.id}
              conversation={each}
              isOpen={each.id === props.current}
              onOpen={() => props.onOpen(each.id)}
              onRename={() => setRenaming(each.id)}
              onDelete={() => remove([each.id])}
            />
          ),
        )}
      </ul>
      <p className="text-xs text-muted">{fill(text.where, { count: MAX_KEPT })}</p>
      {conversations.length > 1 && (
        <DeleteAll count={conversations.length} onDelete={() => remove(conversations.map(({ id }) => id))} />
      )}
    </div>
  );
}

/** The list as it is now, also after a change in another tab. */
function useKept(): readonly KeptSummary[] {
  const [conversations, setConversations] = useState<readonly KeptSummary[]>(keptConversations);
  useEffect(() => {
    const read = () => setConversations(keptConversations());
    read(); // another tab may have written since the first frame
    return onKeptChange(read);
  }, []);
  return conversations;
}

function isFound({ title, models }: KeptSummary, typed: string): boolean {
  const words = [title, ...models].join("\n").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

function Row(props: {
  conversation: KeptSummary;
  isOpen: boolean;
  onOpen: () => void;
  onRename: () => void;
  onDelete: () => void;
}) {
  const text = useMessages("playground").kept;
  const common = useMessages("common");
  const format = useFormat();
  const { conversation, isOpen } = props;
  const { title, models, cost, at } = conversation;
  const facts = [format.relative(at), models.join(", ")];
  return (
    <li
      className={cn(
        "group flex items-start rounded-md hover:bg-hover",
        isOpen && "bg-primary-soft hover:bg-primary-soft",
      )}
    >
      <button
        type="button"
        aria-current={isOpen ? "true" : undefined}
        onClick={props.onOpen}
        className="grid min-h-11 min-w-0 flex-1 content-center gap-0.5 rounded-md px-3 py-1.5 text-left"
      >
        <span className={cn("truncate text-sm", isOpen && "font-medium")}>{title}</span>
        <span className="tabular flex gap-2 text-xs text-muted">
          <span className="min-w-0 flex-1 truncate">{facts.join(" · ")}</span>
          {cost !== null && <span>{format.money(cost)}</span>}
        </span>
      </button>
      <Menu
        label={fill(text.actions, { title })}
        triggerClass={cn(buttonClass("ghost", "mini"), "mt-2 mr-1")}
        trigger={<Ellipsis aria-hidden className="size-4" />}
      >
        <MenuItem onClick={props.onRename}>
          <Pencil aria-hidden className="size-4" />
          {text.rename}
        </MenuItem>
        <MenuItem danger onClick={props.onDelete}>
          <Trash2 aria-hidden className="size-4" />
          {common.delete}
        </MenuItem>
      </Menu>
    </li>
  );
}

/** Writes a title; Enter and leaving the field keep it, Escape does not. */
function TitleForm(props: { conversation: KeptSummary; onEnd: () => void }) {
  const text = useMessages("playground").kept;
  const [title, setTitle] = useState(props.conversation.title);
  function keep(event?: FormEvent) {
    event?.preventDefault();
    const named = title.trim();
    if (named !== "" && named !== props.conversation.title) renameKept(props.conversation.id, named);
    props.onEnd();
  }
  return (
    <form onSubmit={keep}>
      <Input
        autoFocus
        aria-label={text.newTitle}
        maxLength={80}
        value={title}
        onFocus={({ target }) => target.select()}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={() => keep()}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation(); // the sheet stays open
          props.onEnd();
        }}
      />
    </form>
  );
}

function DeleteAll(props: { count: number; onDelete: () => void }) {
  const text = useMessages("playground").kept;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="sm" variant="ghost" className="w-fit text-danger" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden className="size-3.5" />
        {text.deleteAll}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          props.onDelete();
        }}
        title={text.deleteAll}
        body={<p>{fill(text.deleteAllBody, { count: props.count })}</p>}
        action={text.deleteAll}
      />
    </>
  );
}
