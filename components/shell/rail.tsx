"use client";

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { usePathname } from "next/navigation";
import { useId, useState } from "react";
import type { Profile } from "../api/types";
import { cookieNames } from "../i18n/locale";
import { setCookie } from "../i18n/preferences";
import { useLanguage, useMessages } from "../i18n/provider";
import { buttonClass } from "../ui/button";
import { cn } from "../ui/cn";
import { Link } from "../ui/link";
import { Logo } from "./logo";
import { entryOf, spaceOf, spacesOf } from "./navigation";
import type { NavigationGroup, Space } from "./space";

/** The left rail: wide, or icons only on middle screens and by choice. */
export function Rail(props: { role: Profile["role"]; collapsed: boolean }) {
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
        "group/rail sticky top-0 z-10 flex h-dvh w-14 shrink-0 flex-col border-r bg-card max-md:hidden print:hidden",
        !collapsed && "xl:w-60",
      )}
    >
      <Link
        href="/"
        className="flex h-12 min-w-0 items-center gap-2 border-b px-4 font-semibold"
        aria-label={common.productName}
        title={common.productName}
      >
        <Logo className="size-6 shrink-0" />
        <span aria-hidden className={cn("truncate max-xl:hidden", collapsed && "hidden")}>
          {common.productName}
        </span>
      </Link>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        <NavigationLists role={props.role} wordClass={cn("max-xl:sr-only", collapsed && "sr-only")} />
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

/** The switch between the spaces, for who sees both, and the links of the space that the page belongs to. */
export function NavigationLists(props: { role: Profile["role"]; wordClass: string; onFollow?: () => void }) {
  const { locale } = useLanguage();
  const space = spaceOf(usePathname(), props.role);
  return (
    <>
      {spacesOf(props.role).length > 1 && <SpaceSwitch current={space} {...props} />}
      <nav aria-label={space.navigation[locale]} className="grid gap-3">
        {space.groups.map((group) => (
          <NavigationList key={group.id} group={group} space={space} {...props} />
        ))}
      </nav>
    </>
  );
}

function SpaceSwitch(props: {
  role: Profile["role"];
  current: Space;
  wordClass: string;
  onFollow?: () => void;
}) {
  const text = useMessages("shell");
  const { locale } = useLanguage();
  return (
    <nav aria-label={text.spaces} className="mb-3">
      <ul className="flex flex-wrap gap-1 rounded-md bg-sunken p-1">
        {spacesOf(props.role).map((space) => (
          <li key={space.href} className="flex-1">
            <Link
              href={space.href}
              aria-current={space === props.current ? "true" : undefined}
              title={space.name[locale]}
              onClick={props.onFollow}
              className={cn(
                "flex h-8 items-center justify-center gap-2 rounded-sm px-2 pointer-coarse:h-11",
                space === props.current
                  ? "border bg-page font-medium"
                  : "text-muted hover:bg-hover hover:text-fg",
              )}
            >
              <space.icon aria-hidden className="size-4 shrink-0" />
              <span className={props.wordClass}>{space.name[locale]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NavigationList(props: {
  group: NavigationGroup;
  space: Space;
  wordClass: string;
  onFollow?: () => void;
}) {
  const { locale } = useLanguage();
  const id = useId();
  const current = entryOf(usePathname(), props.space);
  const { name } = props.group;
  return (
    <div>
      {name !== null && (
        <p id={id} className={cn("px-3 pb-1 text-xs text-muted", props.wordClass)}>
          {name[locale]}
        </p>
      )}
      <ul aria-labelledby={name === null ? undefined : id} className="grid gap-0.5">
        {props.group.entries.map((entry) => {
          const here = entry === current;
          return (
            <li key={entry.href}>
              <Link
                href={entry.href}
                aria-current={here ? "page" : undefined}
                title={entry.name[locale]}
                onClick={props.onFollow}
                className={cn(
                  "flex h-8 items-center gap-3 rounded-md px-3 pointer-coarse:h-11",
                  here ? "bg-hover font-medium text-fg" : "text-muted hover:bg-hover hover:text-fg",
                )}
              >
                <entry.icon aria-hidden className="size-4 shrink-0" />
                <span className={props.wordClass}>{entry.name[locale]}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
