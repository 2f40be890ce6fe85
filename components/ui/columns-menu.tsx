"use client";

import { Columns3 } from "lucide-react";
import { lazy, type RefObject, Suspense, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Badge } from "./badge";
import { Button, buttonClass } from "./button";
import type { ColumnChoice } from "./column-choice";
import { type Column, isTooWide } from "./columns";
import { useColumnsSlot } from "./columns-place";

/** Loaded when it is first opened. */
const Popover = lazy(() => import("./popover").then((module) => ({ default: module.Popover })));

type Optional = Pick<Column<never>, "id" | "head" | "from" | "extra">;

/** The menu of a table's columns: which are shown, and which of them the table is too narrow for. */
export function ColumnsMenu(props: {
  columns: Optional[];
  choice: ColumnChoice;
  /** The table, whose width decides while nothing is chosen. */
  table: RefObject<HTMLElement | null>;
}) {
  const text = useMessages("common").columns;
  const format = useFormat();
  const slot = useColumnsSlot();
  const width = useWidth(props.table);
  const [wanted, setWanted] = useState(false);
  if (slot === null) return null;
  const narrow = props.columns.filter(
    (column) => props.choice.wants(column) && props.choice.of(column.id) === null && isTooWide(column, width),
  );
  const words = (
    <>
      <Columns3 aria-hidden className="size-4" />
      {text.name}
      {narrow.length > 0 && (
        <Badge tone="neutral">
          <span aria-hidden>−{narrow.length}</span>
          <span className="sr-only">{plural(text.hidden, narrow.length, format.locale)}</span>
        </Badge>
      )}
    </>
  );
  const look = "w-full px-3 data-popup-open:bg-hover";
  const button = (
    <Button aria-haspopup="dialog" className={look} onClick={() => setWanted(true)}>
      {words}
    </Button>
  );
  const menu = wanted ? (
    <Suspense fallback={button}>
      <Popover
        defaultOpen
        label={text.name}
        triggerClass={`${buttonClass()} ${look}`}
        trigger={words}
        className="w-72"
      >
        <Choices {...props} narrow={narrow} />
      </Popover>
    </Suspense>
  ) : (
    button
  );
  return createPortal(menu, slot);
}

/** A check box for each column, and the way back to what the width allows. */
function Choices(props: { columns: Optional[]; choice: ColumnChoice; narrow: Optional[] }) {
  const text = useMessages("common").columns;
  const { choice, narrow } = props;
  return (
    <div className="grid gap-3">
      <div className="grid">
        {props.columns.map((column) => {
          const isNarrow = narrow.includes(column);
          return (
            <label
              key={column.id}
              className="-mx-2 flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-sm hover:bg-hover"
            >
              <input
                type="checkbox"
                className="check-box"
                checked={choice.wants(column) && !isNarrow}
                onChange={({ target }) => choice.choose(column.id, target.checked)}
              />
              <span className="min-w-0 flex-1">{column.head}</span>
              {isNarrow && <span className="text-xs text-muted">{text.narrow}</span>}
            </label>
          );
        })}
      </div>
      <p className="text-xs text-muted">{text.hint}</p>
      <Button size="sm" disabled={!choice.any} onClick={choice.reset}>
        {text.reset}
      </Button>
    </div>
  );
}

/** The width of an element inside its border; null until it is measured. Unit: px. */
function useWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? null));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
