"use client";

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { cookieNames } from "../i18n/locale";
import { setCookie } from "../i18n/preferences";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "../ui/button";
import { cn } from "../ui/cn";
import { Link } from "../ui/link";
import { Logo } from "./logo";
import { adminEntries, consoleEntries, entryOf, type NavigationEntry } from "./navigation";

/** The left rail: wide, or icons only on middle screens and by choice. */
export function Rail(props: { admin: boolean; collapsed: boolean }) {
  const text = useMessages("shell");
  const common = useMessages("common");
  const [collapsed, setCollapsed] = useState(props.collapsed);
  function toggle() {
    setCookie(cookieNames.rail, collapsed ? "open" : "collapsed");
    setCollapsed(!collapsed);
  }
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside
      aria-label={common.menu}
      data-collapsed={collapsed}
      className={cn(
        "group/rail sticky top-0 z-10 flex h-dvh w-14 shrink-0 flex-col border-r bg-card max-md:hidden",
        !collapsed && "xl:w-60",
      )}
    >
      <Link
        href="/"
        className="flex h-12 items-center gap-2 border-b px-4 font-semibold"
        aria-label={common.productName}
      >
        <Logo className="size-6 shrink-0" />
        <span aria-hidden className={cn("max-xl:hidden", collapsed && "hidden")}>
          {common.productName}
        </span>
      </Link>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        <NavigationLists admin={props.admin} wordClass={cn("max-xl:sr-only", collapsed && "sr-only")} />
      </div>
      <div className="hidden border-t p-2 xl:block">
        <button
          type="button"
          onClick={toggle}
          className={cn(buttonClass("ghost", "icon"), "text-muted")}
          aria-label={collapsed ? text.expand : text.collapse}
          title={collapsed ? text.expand : text.collapse}
        >
          <Icon aria-hidden className="size-4" />
        </button>
      </div>
    </aside>
  );
}

/** The links of the console and, for administrators, of the administration. */
export function NavigationLists(props: { admin: boolean; wordClass: string; onFollow?: () => void }) {
  const text = useMessages("shell");
  return (
    <>
      <nav aria-label={text.mainNavigation}>
        <NavigationList entries={consoleEntries} {...props} />
      </nav>
      {props.admin && (
        <nav aria-label={text.adminNavigation} className="mt-3 border-t pt-3">
          <p className={cn("px-2 pb-1 text-xs font-medium text-muted", props.wordClass)}>{text.admin}</p>
          <NavigationList entries={adminEntries} {...props} />
        </nav>
      )}
    </>
  );
}

function NavigationList(props: { entries: NavigationEntry[]; wordClass: string; onFollow?: () => void }) {
  const text = useMessages("shell");
  const current = entryOf(usePathname());
  return (
    <ul className="grid gap-0.5">
      {props.entries.map((entry) => {
        const here = entry === current;
        return (
          <li key={entry.href}>
            <Link
              href={entry.href}
              aria-current={here ? "page" : undefined}
              title={entry.label(text)}
              onClick={props.onFollow}
              className={cn(
                "flex h-9 items-center gap-3 rounded-md px-3 text-base pointer-coarse:h-11",
                here ? "bg-primary-soft font-medium text-primary" : "text-muted hover:bg-hover hover:text-fg",
              )}
            >
              <entry.icon aria-hidden className="size-4 shrink-0" />
              <span className={props.wordClass}>{entry.label(text)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
