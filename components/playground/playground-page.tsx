"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { bodyOf } from "@/lib/protocols/kit/call-body";
import type { Turn } from "@/lib/protocols/kit/turn";
import { useShell } from "../api/shell-facts";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Note } from "../ui/states";
import { useTokensRule } from "./call-parameters";
import { Composer } from "./composer";
import { type Exchange, turnsFor, type UserMessage } from "./conversation";
import { ConversationView } from "./conversation-view";
import { HeaderModels } from "./header-models";
import { type TooLarge, tooLarge, withUrls } from "./images";
import { PlaygroundActions } from "./playground-actions";
import { PlaygroundLayout } from "./playground-layout";
import { PlaygroundSettings } from "./playground-settings";
import { readSchema } from "./read-schema";
import { stopsIn } from "./texts";
import { readTools } from "./tools";
import { type CallSettings, callOf, useConversation } from "./use-conversation";
import { type ParameterProblem, useSettings } from "./use-settings";
import { type TabKey, useTabKey } from "./use-tab-key";

const ConversationList = dynamic(
  () => import("./conversation-list").then((module) => module.ConversationList),
  { ssr: false },
);

/** A chat with up to three models in any protocol, beside the settings of its calls. */
export function PlaygroundPage() {
  const { settings, catalog, mostTokens, unknown, problem: wrong, change } = useSettings();
  const { maxBodyBytes } = useShell();
  const tabKey = useTabKey();
  const conversation = useConversation(tabKey.get);
  const { texts, setTexts, running } = conversation;
  const tools = readTools(texts.tools);
  const problem = "problem" in tools ? tools.problem : null;
  const [toolUnsaved, setToolUnsaved] = useState(false);
  const schema = readSchema(texts.schema);
  const toolsBlock = problem !== null ? "toolsBlock" : toolUnsaved ? "toolUnsaved" : null;
  const blocked = useBlocked(toolsBlock, "problem" in schema, wrong, tabKey.problem);
  const ready = settings.models.length > 0 && blocked === null;
  const call: CallSettings = {
    ...settings,
    system: texts.system,
    tools: "tools" in tools ? tools.tools : [],
    stop: stopsIn(texts.stop),
    schema: "schema" in schema ? schema.schema : null,
  };
  /** The models of a conversation that goes on, as far as they are here. */
  const askThese = (models: readonly string[]) => {
    const known = models.filter((model) => catalog.some(({ id }) => id === model));
    if (known.length > 0) change({ models: known, own: {} });
  };
  const panel = (
    <PlaygroundSettings
      settings={settings}
      onChange={change}
      texts={texts}
      onTexts={setTexts}
      toolsProblem={problem}
      onUnsavedTool={setToolUnsaved}
      catalog={catalog}
      mostTokens={mostTokens}
      tabKey={tabKey}
      disabled={running}
    />
  );
  return (
    <PlaygroundLayout
      panel={panel}
      list={(close) => <List conversation={conversation} onModels={askThese} onDone={close} />}
      models={<HeaderModels settings={settings} catalog={catalog} disabled={running} onChange={change} />}
      actions={<PlaygroundActions call={call} conversation={conversation} />}
    >
      {unknown.length > 0 && <UnknownModels unknown={unknown} models={settings.models} />}
      <ConversationView
        conversation={conversation}
        ready={ready}
        onAgain={(message) => void conversation.sendAgain(call, message)}
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
        onEditLast={() => conversation.edit(conversation.exchanges.at(-1)?.id ?? "")}
        onKeepLast={conversation.taken?.act === "edited" ? conversation.taken.putBack : null}
      />
    </PlaygroundLayout>
  );
}

/** Why nothing can be sent with these settings; null while something can. */
function useBlocked(
  toolsBlock: "toolsBlock" | "toolUnsaved" | null,
  schemaWrong: boolean,
  wrong: ParameterProblem | null,
  key: TabKey["problem"],
): string | null {
  const text = useMessages("playground");
  const tokensRule = useTokensRule();
  if (toolsBlock !== null) return text[toolsBlock];
  if (schemaWrong) return text.schemaBlock;
  if (key !== null) return fill(text.blocked, { field: text.key.paste, rule: text.key.rules[key] });
  if (wrong === null) return null;
  const rule = wrong.field === "maxTokens" ? tokensRule(wrong.mostTokens) : text.ranges[wrong.field];
  return fill(text.blocked, { field: text[wrong.field], rule });
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

function List(props: {
  conversation: ReturnType<typeof useConversation>;
  onModels: (models: readonly string[]) => void;
  /** Something was opened or begun. */
  onDone: () => void;
}) {
  const { conversation, onModels, onDone } = props;
  return (
    <ConversationList
      current={conversation.keptId}
      onOpen={(id) => {
        onModels(conversation.open(id));
        onDone();
      }}
      onNew={() => {
        if (conversation.exchanges.length > 0) conversation.clear();
        onDone();
      }}
      onDrop={conversation.drop}
    />
  );
}
