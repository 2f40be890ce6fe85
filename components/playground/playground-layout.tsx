"use client";

import { History, PanelRight, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { Drawer } from "../ui/drawer";
import { iconOnPhones } from "./playground-actions";

/**
 * The chat fills the window's height. The list of conversations and the settings are panels that fold, or sheets on
 * narrow screens.
 */
export function PlaygroundLayout(props: {
  panel: ReactNode;
  /** The list of conversations; gets what closes its sheet. */
  list: (close: () => void) => ReactNode;
  models: ReactNode;
  actions: ReactNode;
  children: ReactNode;
}) {
  const text = useMessages("playground");
  const [open, setOpen] = useState(true);
  const [sheet, setSheet] = useState<"settings" | "list" | null>(null);
  const [listed, setListed] = useState(false);
  const panelId = useId();
  const listId = useId();
  const page = useFillHeight();
  return (
    <div ref={page} className="flex h-[calc(100dvh-6.5rem)] min-h-[26rem] flex-col gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ListButtons
          listed={listed}
          listId={listId}
          onSheet={() => setSheet("list")}
          onToggle={() => setListed(!listed)}
        />
        <h1 className="text-xl font-semibold max-[380px]:sr-only">{text.title}</h1>
        {props.models}
        <div className="ml-auto flex items-center gap-2">
          {props.actions}
          <SettingsButtons
            open={open}
            panelId={panelId}
            onSheet={() => setSheet("settings")}
            onToggle={() => setOpen(!open)}
          />
        </div>
      </header>
      <div className="flex min-h-0 flex-1 gap-4">
        <section
          id={listId}
          aria-label={text.kept.title}
          hidden={!listed}
          className="w-60 shrink-0 overflow-y-auto rounded-lg border bg-page p-3 max-xl:hidden"
        >
          {listed && props.list(() => {})}
        </section>
        <section className="flex min-w-0 flex-1 flex-col rounded-lg border bg-page">{props.children}</section>
        <section
          id={panelId}
          aria-label={text.settings}
          hidden={!open}
          className="w-80 shrink-0 overflow-y-auto rounded-lg border bg-page p-4 max-lg:hidden"
        >
          {props.panel}
        </section>
      </div>
      <Drawer open={sheet === "settings"} onClose={() => setSheet(null)} title={text.settings}>
        {props.panel}
      </Drawer>
      <Drawer open={sheet === "list"} onClose={() => setSheet(null)} title={text.kept.title} forReading>
        {props.list(() => setSheet(null))}
      </Drawer>
    </div>
  );
}

/** Opens the list of conversations: a sheet, or a panel where there is room. */
function ListButtons(props: { listed: boolean; listId: string; onSheet: () => void; onToggle: () => void }) {
  const text = useMessages("playground");
  return (
    <>
      <Button
        size="icon"
        className="xl:hidden"
        aria-label={text.kept.title}
        title={text.kept.title}
        onClick={props.onSheet}
      >
        <History aria-hidden className="size-4" />
      </Button>
      <Button
        size="icon"
        className="max-xl:hidden"
        aria-label={text.kept.title}
        title={text.kept.title}
        aria-expanded={props.listed}
        aria-controls={props.listId}
        onClick={props.onToggle}
      >
        <History aria-hidden className="size-4" />
      </Button>
    </>
  );
}

/** The same for the settings. */
function SettingsButtons(props: {
  open: boolean;
  panelId: string;
  onSheet: () => void;
  onToggle: () => void;
}) {
  const text = useMessages("playground");
  return (
    <>
      <Button className={cn("lg:hidden", iconOnPhones)} title={text.settings} onClick={props.onSheet}>
        <SlidersHorizontal aria-hidden className="size-4" />
        <span className="max-sm:sr-only">{text.settings}</span>
      </Button>
      <Button
        className="max-lg:hidden"
        aria-expanded={props.open}
        aria-controls={props.panelId}
        onClick={props.onToggle}
      >
        <PanelRight aria-hidden className="size-4" />
        {text.settings}
      </Button>
    </>
  );
}

const SPACE_BELOW_PX = 24;

/** Ends an element at the end of the window, whatever banners stand above it. */
function useFillHeight() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fill = () => {
      const top = (element.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
      element.current?.style.setProperty("height", `calc(100dvh - ${Math.round(top) + SPACE_BELOW_PX}px)`);
    };
    const observer = new ResizeObserver(fill);
    observer.observe(document.body);
    fill();
    return () => observer.disconnect();
  }, []);
  return element;
}
