"use client";

import { SendHorizontal, Square } from "lucide-react";
import { type FormEvent, useState } from "react";
import { usePersistedDraft } from "@/components/api/persisted-draft";
import { ErrorPanel } from "../api/error-panel";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { cn } from "../ui/cn";
import { TextArea } from "../ui/field";
import { TextLink } from "../ui/link";
import { Note } from "../ui/states";
import type { Turn } from "./calls";
import type { PlaygroundDraft } from "./playground-page";
import type { CallState, useConversation } from "./use-conversation";

/** The turns, the answer as it grows, and the box to write in. */
export function ConversationView(props: {
  conversation: ReturnType<typeof useConversation>;
  draft: PlaygroundDraft;
}) {
  const text = useMessages("playground");
  const { turns, state, clear } = props.conversation;
  const pending = state.running ? state.answer.text : null;
  return (
    <Card
      title={text.conversation}
      actions={
        turns.length > 0 && (
          <Button size="sm" variant="ghost" onClick={clear}>
            {text.clear}
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {turns.length === 0 && <p className="py-8 text-center text-muted">{text.empty}</p>}
        <ol className="grid gap-3">
          {turns.map((turn, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added at the end
            <TurnView key={index} turn={turn} />
          ))}
          {pending !== null && <TurnView turn={{ role: "assistant", text: pending }} />}
        </ol>
        <Outcome state={state} />
        <Composer {...props} />
      </div>
    </Card>
  );
}

function TurnView(props: { turn: Turn }) {
  const text = useMessages("playground");
  const mine = props.turn.role === "user";
  return (
    <li className={cn("grid gap-1 rounded-lg px-3 py-2", mine ? "ml-6 bg-primary-soft sm:ml-12" : "bg-card")}>
      <span className="text-xs font-medium text-muted">{mine ? text.you : text.answer}</span>
      <span className="leading-6 wrap-anywhere whitespace-pre-wrap">
        {props.turn.text === "" ? text.answering : props.turn.text}
      </span>
    </li>
  );
}

function Outcome(props: { state: CallState }) {
  const text = useMessages("playground");
  const format = useFormat();
  const { state } = props;
  const { answer } = state;
  const count = (value: number | null) => (value === null ? "–" : format.countFull(value));
  if (state.error !== null) return <ErrorPanel error={state.error} ofModelCall />;
  return (
    <div role="status" className="tabular text-sm text-muted empty:hidden">
      {answer.failure !== null && <Note tone="danger">{answer.failure}</Note>}
      {state.stopped && <p>{text.stopped}</p>}
      {!state.running && state.durationMs !== null && (
        <p>
          {!state.stopped &&
            fill(text.finished, {
              reason: answer.reason ?? "–",
              duration: format.duration(state.durationMs),
              input: count(answer.inputTokens),
              output: count(answer.outputTokens),
            })}{" "}
          {state.requestId !== null && (
            <TextLink href={`/console/logs?request=${encodeURIComponent(state.requestId)}`}>
              {text.openLog}
            </TextLink>
          )}
        </p>
      )}
    </div>
  );
}

function Composer(props: { conversation: ReturnType<typeof useConversation>; draft: PlaygroundDraft }) {
  const text = useMessages("playground");
  const { state, send, stop } = props.conversation;
  const [message, setMessage] = useState("");
  usePersistedDraft({
    name: "playground",
    draft: { message },
    restore: (kept) => setMessage(kept.message ?? ""),
  });
  const ready = message.trim() !== "" && props.draft.model !== "" && !state.running;
  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!ready) return;
    void send(props.draft, message.trim());
    setMessage("");
  }
  return (
    <form onSubmit={submit} className="grid gap-2">
      <TextArea
        rows={3}
        aria-label={text.message}
        placeholder={text.messagePlaceholder}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      <div className="flex justify-end gap-2">
        {state.running ? (
          <Button onClick={stop}>
            <Square aria-hidden className="size-4" />
            {text.stop}
          </Button>
        ) : (
          <Button type="submit" variant="primary" disabled={!ready}>
            <SendHorizontal aria-hidden className="size-4" />
            {text.send}
          </Button>
        )}
      </div>
    </form>
  );
}
