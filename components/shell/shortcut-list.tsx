"use client";

import { useMessages } from "../i18n/provider";
import { Dialog } from "../ui/dialog";

/** The list of keyboard shortcuts. */
export function ShortcutList(props: { open: boolean; onClose: () => void }) {
  const text = useMessages("shell");
  const list = text.shortcutList;
  const rows: Array<[string, string]> = [
    ["Ctrl K / ⌘ K", list.palette],
    ["?", list.help],
    ["g o", list.overview],
    ["g k", list.keys],
    ["g u", list.usage],
    ["g l", list.logs],
    ["/", list.search],
    ["j", list.next],
    ["k", list.previous],
  ];
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={text.shortcuts}
      description={text.shortcutsHint}
      size="sm"
    >
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-2">
        {rows.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-sm border bg-card px-1.5 py-0.5 font-mono text-xs">{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
