"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import type { Protocol } from "@/lib/protocols/protocol";
import { useGeneratingModels } from "../api/queries";
import { useMessages } from "../i18n/provider";
import { Card, PageHeader } from "../ui/card";
import { ConversationView } from "./conversation-view";
import { PlaygroundSettings } from "./playground-settings";
import { RawView } from "./raw-view";
import { useConversation } from "./use-conversation";
import { useTabKey } from "./use-tab-key";

/** The settings of the next call. */
export interface PlaygroundDraft {
  protocol: Protocol;
  model: string;
  system: string;
  maxTokens: number;
  temperature: number;
  stream: boolean;
}

/** A chat with a model in either protocol that shows the exact HTTP traffic. */
export function PlaygroundPage() {
  const text = useMessages("playground");
  const models = useGeneratingModels();
  const [chosen, setChosen] = useQueryState("model", parseAsString);
  const [rest, setRest] = useState<Omit<PlaygroundDraft, "model">>({
    protocol: "chat",
    system: "",
    maxTokens: 512,
    temperature: 1,
    stream: true,
  });
  const model = models.find((candidate) => candidate.id === chosen)?.id ?? models[0]?.id ?? "";
  const draft: PlaygroundDraft = { ...rest, model };
  const tabKey = useTabKey();
  const conversation = useConversation(tabKey.get);
  function change(next: PlaygroundDraft) {
    const { model: nextModel, ...others } = next;
    setRest(others);
    if (nextModel !== model) void setChosen(nextModel);
  }
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <div className="grid items-start gap-4 lg:grid-cols-[260px_minmax(0,1fr)] xl:grid-cols-[260px_minmax(0,1fr)_360px]">
        <Card title={text.settings}>
          <PlaygroundSettings
            draft={draft}
            models={models}
            onChange={change}
            tabKey={tabKey}
            disabled={conversation.state.running}
          />
        </Card>
        <ConversationView conversation={conversation} draft={draft} />
        <Card title={text.raw} className="lg:col-span-2 xl:col-span-1">
          <RawView state={conversation.state} stream={draft.stream} />
        </Card>
      </div>
    </>
  );
}
