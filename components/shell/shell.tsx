"use client";

import { usePathname } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useState } from "react";
import { QueryProvider } from "../api/query-provider";
import { type ShellFacts, ShellFactsProvider } from "../api/shell-facts";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { focusMain } from "../ui/focus-main";
import { dialogIsOpen, layerIsOpen, leavesField, useShortcuts } from "../ui/shortcuts";
import { ToastArea } from "../ui/toast";
import { useFocusOnNavigation } from "./focus-on-navigation";
import { shortcutsOf, spaceOf } from "./navigation";
import { useOfflineNotice, useOpenPage } from "./offline";
import { Rail } from "./rail";
import type { ShellProps } from "./shell-props";
import { TopBar } from "./top-bar";

/** The frame of every signed-in page. */
export function Shell(props: ShellProps & { children: ReactNode }) {
  return (
    <NuqsAdapter>
      <QueryProvider>
        <ShellFactsProvider facts={props.facts}>
          <ToastArea>
            <Frame {...props} />
          </ToastArea>
        </ShellFactsProvider>
      </QueryProvider>
    </NuqsAdapter>
  );
}

function Frame(props: ShellProps & { children: ReactNode }) {
  const common = useMessages("common");
  const [layer, setLayer] = useState<Layer>(null);
  useFocusOnNavigation();
  useKeyboard(layer, setLayer, props.facts);
  const close = () => setLayer(null);
  return (
    <div className="flex min-h-dvh">
      <Watch username={props.facts.username} />
      <a href="#main" className="skip-link rounded-md bg-primary px-3 py-2 text-on-primary">
        {common.skipToContent}
      </a>
      <Rail role={props.facts.role} collapsed={props.railCollapsed} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar
          onMenu={() => setLayer("menu")}
          onPalette={() => setLayer("palette")}
          onShortcuts={() => setLayer("shortcuts")}
        />
        <div className="print:hidden">{props.banners}</div>
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-main flex-1 px-4 py-4 [--head-top:3rem] has-data-bulk-bar:flex has-data-bulk-bar:flex-col sm:p-6"
        >
          {props.children}
        </main>
      </div>
      <Layers layer={layer} onClose={close} role={props.facts.role} />
    </div>
  );
}

function useKeyboard(layer: Layer, open: (layer: Layer) => void, { role, shortcuts }: ShellFacts): void {
  const openPage = useOpenPage();
  const space = spaceOf(usePathname(), role);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // The code is there when the second key comes; a failure shows itself when the palette opens.
    if (event.key === "Control" || event.key === "Meta") loadPalette().catch(() => {});
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (layer === "palette") return open(null);
      // A page that the palette opened would take away what a dialog holds: a new key, a form half filled in. A drawer
      // with such a form asks first.
      if (layer === null && dialogIsOpen()) return;
      open("palette");
    } else if (leavesField(event)) focusMain();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
  const handlers = useMemo(
    () => ({
      "?": () => open("shortcuts"),
      ...Object.fromEntries(shortcutsOf(space).map(({ keys, entry }) => [keys, () => openPage(entry.href)])),
      "/": () => {
        const search = document.querySelector<HTMLInputElement>("main input[type=search]");
        if (search === null || layerIsOpen()) return false;
        search.focus();
        return true;
      },
    }),
    [open, openPage, space],
  );
  useShortcuts(handlers, shortcuts, true);
}

/** Watches the connection and the account; apart from the frame, which is not drawn again when they are read. */
function Watch(props: { username: string }): null {
  useOfflineNotice();
  useSameAccount(props.username);
  return null;
}

/** Loads the page again once another account has signed in, in another tab: nothing of the first one stays. */
function useSameAccount(username: string): void {
  const now = useRead("GET /api/user/self").data?.username;
  useEffect(() => {
    if (now !== undefined && now !== username) window.location.reload();
  }, [now, username]);
}

const loadPalette = () => import("./palette");
const CommandPalette = lazy(() => loadPalette().then((module) => ({ default: module.CommandPalette })));

const PhoneNavigation = lazy(() =>
  import("./phone-navigation").then((module) => ({ default: module.PhoneNavigation })),
);

const ShortcutList = lazy(() =>
  import("./shortcut-list").then((module) => ({ default: module.ShortcutList })),
);

/** What lies over the page; at most one at a time. */
type Layer = "palette" | "menu" | "shortcuts" | null;

/** The layers of the shell. The code of each is loaded when it is opened first. */
function Layers(props: { layer: Layer; onClose: () => void; role: ShellFacts["role"] }) {
  const { layer, onClose } = props;
  const [used, setUsed] = useState<readonly Layer[]>([]);
  // A layer that was open once stays, closed, so that it can leave with its transition.
  if (layer !== null && !used.includes(layer)) setUsed([...used, layer]);
  return (
    <Suspense fallback={null}>
      {used.includes("menu") && (
        <PhoneNavigation open={layer === "menu"} onClose={onClose} role={props.role} />
      )}
      {used.includes("palette") && <CommandPalette open={layer === "palette"} onClose={onClose} />}
      {used.includes("shortcuts") && <ShortcutList open={layer === "shortcuts"} onClose={onClose} />}
    </Suspense>
  );
}
