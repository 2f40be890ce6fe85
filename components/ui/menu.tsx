"use client";

import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { Link } from "./link";

const itemClass =
  "flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none select-none " +
  "pointer-coarse:min-h-11 data-highlighted:bg-hover data-disabled:opacity-60";

/** A menu behind a button. */
export function Menu(props: {
  label: string;
  trigger: ReactNode;
  triggerClass: string;
  align?: "start" | "end";
  /** Open from the start. */
  defaultOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <Base.Root defaultOpen={props.defaultOpen ?? false}>
      <Base.Trigger className={props.triggerClass} aria-label={props.label}>
        {props.trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50 outline-none" sideOffset={6} align={props.align ?? "end"}>
          <Base.Popup className="min-w-48 rounded-lg bg-page p-1 shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {props.children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** One action of a menu. */
export function MenuItem(props: {
  onClick: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** Why it is disabled, which is told below it. */
  disabledBecause?: string | undefined;
  children: ReactNode;
}) {
  const { disabledBecause } = props;
  return (
    <Base.Item
      className={cn(itemClass, props.danger === true && "text-danger")}
      onClick={props.onClick}
      disabled={props.disabled === true || disabledBecause !== undefined}
    >
      {disabledBecause === undefined ? (
        props.children
      ) : (
        <span className="grid max-w-64">
          {props.children}
          <span className="text-xs wrap-anywhere text-muted">{disabledBecause}</span>
        </span>
      )}
    </Base.Item>
  );
}

/** A menu entry that leads to a page. */
export function MenuLink(props: { href: string; children: ReactNode }) {
  return (
    <Base.LinkItem className={itemClass} closeOnClick render={<Link href={props.href} />}>
      {props.children}
    </Base.LinkItem>
  );
}

/** A line between groups of a menu. */
export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
