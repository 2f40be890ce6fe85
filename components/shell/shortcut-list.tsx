"use client";

import { usePathname } from "next/navigation";
import { useShell } from "../api/shell-facts";
import { fill } from "../i18n/fill";
import { useLanguage, useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { Dialog } from "../ui/dialog";
import { ScrollBox } from "../ui/scroll-box";
import { shortcutsOf, spacesFrom } from "./navigation";

/** The list of keyboard shortcuts; for admins those of each space, the current one first. */
export function ShortcutList(props: { open: boolean; onClose: () => void }) {
  const text = useMessages("shell");
  const { locale } = useLanguage();
  const list = text.shortcutList;
  const { admin, role } = useShell();
  const spaces = spacesFrom(usePathname(), role);
  const everywhere: Shortcut[] = [
    ["Ctrl K / ⌘ K", list.palette],
    ["?", list.help],
    ["Esc", list.leave],
  ];
  const inLists: Shortcut[] = [
    ["j", list.next],
    ["k", list.previous],
    ["/", list.search],
    ["e", list.edit],
    ...(admin ? [["x", list.tick] satisfies Shortcut] : []),
  ];
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={text.shortcuts}
      description={text.shortcutsHint}
      size={spaces.length > 1 ? "lg" : "sm"}
    >
      <ScrollBox label={text.shortcuts} className="max-h-[calc(100dvh-11rem)]">
        <div className={cn("grid gap-x-8 gap-y-4", spaces.length > 1 && "sm:grid-cols-2")}>
          {spaces.map((space) => (
            <section key={space.href} className="grid content-start gap-2">
              <h3 className="text-sm font-semibold">
                {spaces.length > 1 ? fill(list.inSpace, { space: space.name[locale] }) : list.pages}
              </h3>
              <Rows
                rows={shortcutsOf(space).map(({ keys, entry }) => [
                  keys,
                  fill(text.goTo, { page: entry.name[locale] }),
                ])}
              />
            </section>
          ))}
          {[
            { title: list.inLists, rows: inLists },
            { title: list.everywhere, rows: everywhere },
          ].map(({ title, rows }) => (
            <section key={title} className="grid content-start gap-2">
              <h3 className="text-sm font-semibold">{title}</h3>
              <Rows rows={rows} />
            </section>
          ))}
        </div>
      </ScrollBox>
    </Dialog>
  );
}

/** Keys, and what they do. */
type Shortcut = [keys: string, meaning: string];

function Rows(props: { rows: Shortcut[] }) {
  return (
    <dl className="grid grid-cols-[6.5rem_1fr] gap-x-6 gap-y-2">
      {props.rows.map(([keys, meaning]) => (
        <div key={keys} className="contents">
          <dt>
            <kbd className="rounded-sm border bg-card px-1.5 py-0.5 font-mono text-xs">{keys}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
