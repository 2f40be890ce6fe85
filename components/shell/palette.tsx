"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useShell } from "../api/shell-facts";
import { useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { focusAfterLayer } from "../ui/focus-main";
import { isWeakMatch, rankCommands, withGuides } from "./rank-commands";
import { type Command, useCommands } from "./use-commands";
import { useFoundGuides } from "./use-found-guides";
import { useFoundRecords } from "./use-found-records";

/** A searchable list of all pages and actions, of the records that what is typed names, and of the docs that have it. */
export function CommandPalette(props: { open: boolean; onClose: () => void }) {
  const text = useMessages("shell");
  const before = useRef<Element>(null);
  return (
    <Base.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim fixed inset-0 z-50" />
        <Base.Popup
          initialFocus={() => {
            before.current = document.activeElement;
            return true;
          }}
          finalFocus={() => focusAfterLayer(before.current)}
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[560px] max-w-[calc(100vw-24px)] -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-page shadow-float"
        >
          <Base.Title className="sr-only">{text.palette}</Base.Title>
          <PaletteBody onClose={props.onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function PaletteBody(props: { onClose: () => void }) {
  const text = useMessages("shell");
  const { admin } = useShell();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const { query, type, found, current, searching, run, onKeyDown } = useChoice(props.onClose);
  return (
    <>
      <div className="flex items-center gap-2 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          ref={input}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
          aria-label={text.palette}
          placeholder={admin ? text.palettePlaceholderOfAdmin : text.palettePlaceholder}
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
      </div>
      <div id={listId} role="listbox" aria-label={text.palette} className="min-h-0 overflow-y-auto p-2">
        {found.map((command) => (
          <PaletteOption
            key={command.id}
            id={`${listId}-${command.id}`}
            command={command}
            selected={command === current}
            onRun={() => {
              run(command);
              input.current?.focus();
            }}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="px-4 pb-4 text-muted">
          {searching ? text.paletteSearching : text.paletteEmpty}
        </p>
      )}
    </>
  );
}

/** What is typed, what it finds, and which of that is chosen with the keyboard. */
function useChoice(onClose: () => void) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState<string | null>(null);
  /** Enter was pressed, and waits while records are searched for that may replace what is found. */
  const [waiting, setWaiting] = useState(false);
  const records = useFoundRecords(query);
  const isTyped = ({ types }: Command) => types?.toLowerCase() === query.trimStart().toLowerCase();
  const commands = useCommands().filter((command) => !isTyped(command));
  const ranked = rankCommands(commands, records.found, query);
  const { guides, searching: searchingGuides } = useFoundGuides(query, ranked.length === 0);
  const found = withGuides(ranked, guides, query);
  const current = found.find(({ id }) => id === active) ?? found[0];
  function run(command: Command | undefined) {
    if (command === undefined) return;
    if (command.types !== undefined) return type(command.types);
    onClose();
    command.run();
  }
  const runFirst = useEffectEvent(() => {
    setWaiting(false);
    run(current);
  });
  const searching = records.searching || searchingGuides;
  const mayChange = active === null && (current === undefined || isWeakMatch(current, query));
  const settled = !searching || !mayChange;
  useEffect(() => {
    if (waiting && settled) runFirst();
  }, [waiting, settled]);
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      const at = current === undefined ? 0 : found.indexOf(current);
      setActive(found[(at + step + found.length) % found.length]?.id ?? null);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      if (settled) run(current);
      else setWaiting(true);
    }
  }
  function type(text: string) {
    setQuery(text);
    setActive(null);
    setWaiting(false);
  }
  return { query, type, found, current, searching, run, onKeyDown };
}

function PaletteOption(props: { id: string; command: Command; selected: boolean; onRun: () => void }) {
  const Icon = props.command.icon;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keyboard, by aria-activedescendant
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={props.selected}
      onClick={props.onRun}
      className={cn(
        "flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 pointer-coarse:min-h-11",
        props.selected ? "bg-hover" : "hover:bg-hover",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{props.command.label}</span>
      {props.command.note !== undefined && (
        <span className="max-w-1/2 truncate text-xs text-muted">{props.command.note}</span>
      )}
      {props.command.hint !== undefined && (
        <kbd className="font-mono text-xs text-muted pointer-coarse:hidden">{props.command.hint}</kbd>
      )}
    </div>
  );
}
