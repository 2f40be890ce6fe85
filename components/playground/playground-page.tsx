"use client";

import { Code, PanelRight, Plus, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { useShell } from "../shell/shell-context";
import { Button, buttonClass } from "../ui/button";
import { cn } from "../ui/cn";
import { copyText } from "../ui/copy-button";
import { Drawer } from "../ui/drawer";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu";
import { Note } from "../ui/states";
import { toast } from "../ui/toast";
import { useTokensRule } from "./call-parameters";
import { callSnippet, type SnippetLanguage, snippetLanguages } from "./call-snippet";
import { bodyOf } from "./calls";
import { withFileNames } from "./code-images";
import { Composer } from "./composer";
import { type Exchange, turnsFor, type UserMessage } from "./conversation";
import { ConversationView } from "./conversation-view";
import { type TooLarge, tooLarge, withUrls } from "./images";
import { fragmentOf } from "./link-texts";
import { PlaygroundSettings } from "./playground-settings";
import { readTools } from "./tools";
import type { Turn } from "./turns";
import { type CallSettings, callOf, useConversation } from "./use-conversation";
import { stopsIn } from "./use-playground-storage";
import { useSettings } from "./use-settings";
import { useTabKey } from "./use-tab-key";

/** A chat with up to three models in any protocol, beside the settings of its calls. */
export function PlaygroundPage() {
  const text = useMessages("playground");
  const { settings, catalog, mostTokens, unknown, problem: wrong, change } = useSettings();
  const tokensRule = useTokensRule();
  const { maxBodyBytes } = useShell();
  const tabKey = useTabKey();
  const conversation = useConversation(tabKey.get);
  const { texts, setTexts, running } = conversation;
  const tools = readTools(texts.tools);
  const problem = "problem" in tools ? tools.problem : null;
  const blocked =
    problem !== null
      ? text.toolsBlock
      : wrong === null
        ? null
        : fill(text.blocked, {
            field: text[wrong.field],
            rule: wrong.field === "topP" ? text.topPRule : tokensRule(wrong.mostTokens),
          });
  const ready = settings.models.length > 0 && blocked === null;
  const call: CallSettings = {
    ...settings,
    system: texts.system,
    tools: "tools" in tools ? tools.tools : [],
    stop: stopsIn(texts.stop),
  };
  const panel = (
    <PlaygroundSettings
      settings={settings}
      onChange={change}
      texts={texts}
      onTexts={setTexts}
      toolsProblem={problem}
      catalog={catalog}
      mostTokens={mostTokens}
      tabKey={tabKey}
      disabled={running}
    />
  );
  return (
    <Layout
      panel={panel}
      models={settings.models}
      actions={<Actions call={call} conversation={conversation} />}
    >
      {unknown.length > 0 && <UnknownModels unknown={unknown} models={settings.models} />}
      <ConversationView
        conversation={conversation}
        ready={ready}
        onAgain={(message) => void conversation.sendAgain(call, message)}
        onEdit={conversation.editLast}
        onResults={(place, results) => void conversation.sendResults(call, place, results)}
      />
      <Composer
        ready={ready}
        blocked={blocked}
        running={running}
        suggests={conversation.exchanges.length === 0}
        draft={conversation.draft}
        tooLargeWith={(message) => tooLargeWith(call, conversation.exchanges, message, maxBodyBytes)}
        onSend={(message) => void conversation.send(call, message)}
        onStop={conversation.stop}
      />
    </Layout>
  );
}

/** Whether the images of a message, with those before it, make a call larger than the gateway takes. */
function tooLargeWith(
  call: CallSettings,
  exchanges: readonly Exchange[],
  { message, images }: UserMessage,
  maxBodyBytes: number,
): TooLarge | null {
  const earlier = exchanges.flatMap((exchange) => exchange.images);
  if (earlier.length + images.length === 0) return null;
  const restBytes = call.models.map((model) => {
    const turns: Turn[] = [...turnsFor(model, exchanges), { role: "user", text: message, images }];
    const body = bodyOf({ ...callOf(call, model), turns: withUrls(turns, () => "") });
    return new Blob([JSON.stringify(body)]).size;
  });
  return tooLarge({ earlier, written: images }, Math.max(0, ...restBytes), maxBodyBytes);
}

/** Says that the address names models that are not here, and which ones answer. */
function UnknownModels(props: { unknown: readonly string[]; models: readonly string[] }) {
  const text = useMessages("playground");
  const format = useFormat();
  return (
    <Note tone="warning" role="status" className="m-3 mb-0">
      {fill(text.unknownModels, {
        unknown: format.list([...props.unknown]),
        models: format.list([...props.models]),
      })}
    </Note>
  );
}

/** The chat fills the window's height. The settings are a panel that folds, or a sheet on narrow screens. */
function Layout(props: {
  panel: ReactNode;
  models: readonly string[];
  actions: ReactNode;
  children: ReactNode;
}) {
  const text = useMessages("playground");
  const [open, setOpen] = useState(true);
  const [sheet, setSheet] = useState(false);
  const panelId = useId();
  const page = useFillHeight();
  return (
    <div ref={page} className="flex h-[calc(100dvh-6.5rem)] min-h-[26rem] flex-col gap-3">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold">{text.title}</h1>
          <p className={cn("font-mono text-xs break-all text-muted", open && "lg:hidden")}>
            <span className="sr-only">{text.model}: </span>
            {props.models.join(", ")}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {props.actions}
          <Button className="lg:hidden" onClick={() => setSheet(true)}>
            <SlidersHorizontal aria-hidden className="size-4" />
            {text.settings}
          </Button>
          <Button
            className="max-lg:hidden"
            aria-expanded={open}
            aria-controls={panelId}
            onClick={() => setOpen(!open)}
          >
            <PanelRight aria-hidden className="size-4" />
            {text.settings}
          </Button>
        </div>
      </header>
      <div className="flex min-h-0 flex-1 gap-4">
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
      <Drawer open={sheet} onClose={() => setSheet(false)} title={text.settings}>
        {props.panel}
      </Drawer>
    </div>
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

function Actions(props: { call: CallSettings; conversation: ReturnType<typeof useConversation> }) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const { publicUrl } = useShell();
  const { call, conversation } = props;
  async function copy(content: string, done = common.copied) {
    if (await copyText(content)) toast.done(done);
    else toast.failed(common.copyFailed);
  }
  function copyLink() {
    const fragment = fragmentOf(conversation.texts);
    const said =
      fragment === null ? text.linkTooLong : fragment === "" ? text.linkCopied : text.linkWithTexts;
    return copy(window.location.href.replace(/#.*/, "") + (fragment ?? ""), said);
  }
  function code(language: SnippetLanguage): string {
    const model = call.models[0] ?? "";
    const turns = turnsFor(model, conversation.exchanges);
    const asked = turns.at(-1)?.role === "assistant" ? turns.slice(0, -1) : turns;
    const body = bodyOf({
      ...callOf(call, model),
      turns: asked.length > 0 ? withFileNames(asked) : [{ role: "user", text: "Hello!", images: [] }],
    });
    return callSnippet(language, call.protocol, publicUrl, body);
  }
  return (
    <>
      <Button onClick={conversation.clear} disabled={conversation.exchanges.length === 0}>
        <Plus aria-hidden className="size-4" />
        {text.clear}
      </Button>
      <Menu
        label={text.copyAs}
        triggerClass={buttonClass("secondary")}
        trigger={
          <>
            <Code aria-hidden className="size-4" />
            {text.copyAs}
          </>
        }
      >
        {snippetLanguages.map((language) => (
          <MenuItem key={language} onClick={() => void copy(code(language))}>
            {text.languages[language]}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onClick={() => void copyLink()}>{text.copyLink}</MenuItem>
      </Menu>
    </>
  );
}
