"use client";

import { ChevronRight, CircleHelp, CircleUser, Menu as MenuIcon, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useShell } from "../api/shell-facts";
import { useRead } from "../api/use-read";
import { useLanguage, useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { buttonClass } from "../ui/button";
import { cn } from "../ui/cn";
import { Link } from "../ui/link";
import { entryOf, spaceOf } from "./navigation";
import { LanguageButton, ThemeButton } from "./preference-buttons";

/** The current location and global actions. */
export function TopBar(props: { onMenu: () => void; onPalette: () => void; onShortcuts: () => void }) {
  const text = useMessages("shell");
  const { demoProvider } = useShell();
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center gap-1 border-b bg-page px-2 print:hidden sm:px-4">
      <button
        type="button"
        className={cn(buttonClass("ghost", "icon"), "md:hidden")}
        onClick={props.onMenu}
        aria-label={text.openNavigation}
      >
        <MenuIcon aria-hidden className="size-5" />
      </button>
      <Breadcrumb />
      {demoProvider && (
        <Badge tone="info" className="ml-2 max-sm:hidden">
          {text.demoTag}
        </Badge>
      )}
      <div className="ml-auto flex items-center">
        <button
          type="button"
          onClick={props.onPalette}
          aria-keyshortcuts="Control+K Meta+K"
          className={cn(buttonClass("secondary", "sm"), "mr-1 max-sm:hidden")}
        >
          <Search aria-hidden className="size-3.5" />
          <span className="sr-only">{text.palette}</span>
          <kbd className="font-mono text-xs text-muted pointer-coarse:hidden">Ctrl K</kbd>
        </button>
        <button
          type="button"
          onClick={props.onPalette}
          aria-label={text.palette}
          className={cn(buttonClass("ghost", "icon"), "sm:hidden")}
        >
          <Search aria-hidden className="size-4" />
        </button>
        <span className="flex max-sm:hidden">
          <LazyMenu
            label={text.help}
            icon={<CircleHelp aria-hidden className="size-4" />}
            load={loadHelpMenu}
          >
            <LoadedHelpMenu onShortcuts={props.onShortcuts} />
          </LazyMenu>
        </span>
        <span className="flex max-sm:hidden">
          <LanguageButton />
          <ThemeButton />
        </span>
        <LazyMenu
          label={text.account}
          icon={<CircleUser aria-hidden className="size-5" />}
          load={loadAccountMenu}
        >
          <LoadedAccountMenu />
        </LazyMenu>
      </div>
    </header>
  );
}

/** Pages that no navigation names, below one that it does. */
const innerPages: Readonly<Record<string, "statement" | "billComparison">> = {
  "/console/billing/statement": "statement",
  "/admin/margin/bill": "billComparison",
};

function Breadcrumb() {
  const text = useMessages("shell");
  const { locale } = useLanguage();
  const path = usePathname();
  const space = spaceOf(path, useShell().role);
  const entry = entryOf(path, space);
  const account = useAccountName(path);
  const inner = innerPages[path];
  const innerName = inner === undefined ? undefined : text[inner];
  const steps = [entry?.name[locale], account ?? innerName].filter((step) => step !== undefined);
  return (
    <nav aria-label={text.breadcrumb} className="min-w-0">
      <ol className="flex items-center gap-1 text-sm">
        <li className="text-muted max-sm:hidden">
          <Link
            href={space.href}
            className="-mx-1 inline-flex min-h-6 items-center rounded-sm p-1 hover:text-fg hover:underline"
          >
            {space.name[locale]}
          </Link>
        </li>
        {steps.map((step, index) => (
          <li
            key={step}
            className={cn("flex min-w-0 items-center gap-1", index < steps.length - 1 && "max-sm:hidden")}
          >
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted max-sm:hidden" />
            {index === steps.length - 1 || entry === null ? (
              <span aria-current="page" className="truncate font-medium">
                {step}
              </span>
            ) : (
              <Link
                href={entry.href}
                className="-mx-1 inline-flex min-h-6 items-center rounded-sm p-1 text-muted hover:text-fg hover:underline"
              >
                {step}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The name of the account whose page this is, once the page has read it. */
function useAccountName(path: string): string | undefined {
  const id = /^\/admin\/users\/([^/]+)$/.exec(path)?.[1] ?? "";
  return useRead("GET /api/admin/users/{id}", { params: { id } }, { enabled: false }).data?.username;
}

const loadAccountMenu = () => import("./account-menu");
const LoadedAccountMenu = lazy(() => loadAccountMenu().then((module) => ({ default: module.AccountMenu })));

const loadHelpMenu = () => import("./help-menu");
const LoadedHelpMenu = lazy(() => loadHelpMenu().then((module) => ({ default: module.HelpMenu })));

/** A button until somebody uses it, then the menu: the code of menus is a tenth of all that a first visit needs. */
function LazyMenu(props: {
  label: string;
  icon: ReactNode;
  load: () => Promise<unknown>;
  children: ReactNode;
}) {
  const [used, setUsed] = useState(false);
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={props.label}
      title={props.label}
      className={buttonClass("ghost", "icon")}
      onPointerEnter={props.load}
      onFocus={props.load}
      onClick={() => setUsed(true)}
      onKeyDown={(event) => event.key === "ArrowDown" && setUsed(true)}
    >
      {props.icon}
    </button>
  );
  return used ? <Suspense fallback={button}>{props.children}</Suspense> : button;
}
