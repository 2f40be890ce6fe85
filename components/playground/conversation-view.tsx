"use client";

import { ArrowDown, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { Drawer } from "../ui/drawer";
import { focusMain } from "../ui/focus-main";
import { ScrollBox } from "../ui/scroll-box";
import { AnswerView } from "./answer-view";
import { type CallPlace, type Exchange, outcomeOf, type UserMessage } from "./conversation";
import { MessageActions } from "./message-actions";
import { SentImages } from "./message-images";
import { RawView } from "./raw-view";
import type { useConversation } from "./use-conversation";
import { useFollowEnd } from "./use-follow-end";
import type { Taken } from "./use-taken";

const columns = ["", "md:grid-cols-2", "md:grid-cols-2 xl:grid-cols-3"];

/** The messages and their answers, which scroll, and the traffic of a call in a drawer. */
export function ConversationView(props: {
  conversation: ReturnType<typeof useConversation>;
  /** Whether calls can be made with these settings. */
  ready: boolean;
  /** The last message is to be asked again. */
  onAgain: (message: UserMessage) => void;
  /** What the tools gave that an answer asks for. */
  onResults: (place: Pick<CallPlace, "id" | "model">, results: readonly string[]) => void;
}) {
  const text = useMessages("playground");
  const { exchanges, rawOf, running, taken } = props.conversation;
  const [raw, setRaw] = useState<CallPlace | null>(null);
  const { content, away, toEnd } = useFollowEnd(callsIn(exchanges));
  const last = exchanges.at(-1);
  return (
    <>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <ScrollBox label={text.conversation} className="min-h-0 flex-1 p-4">
          {/* One child, whose size the box watches. */}
          <div ref={content} className={cn(exchanges.length === 0 && "grid min-h-full content-center")}>
            {exchanges.length === 0 ? (
              <div className="mx-auto grid max-w-md gap-2 py-8 text-center">
                <p className="text-lg font-medium">{text.empty}</p>
                <p className="text-muted">{text.lead}</p>
                {taken !== null && <TakenAway taken={taken} />}
              </div>
            ) : (
              <ol className="grid gap-6">
                {exchanges.map((exchange) => (
                  <ExchangeView
                    key={exchange.id}
                    exchange={exchange}
                    busy={running || !props.ready}
                    onRaw={setRaw}
                    onEdit={running ? undefined : () => props.conversation.edit(exchange.id)}
                    onBranch={running ? undefined : (to) => props.conversation.switchBranch(exchange.id, to)}
                    onResults={exchange === last ? props.onResults : undefined}
                  />
                ))}
              </ol>
            )}
            {last !== undefined && !running && (
              <LastMessage {...props} message={{ message: last.message, images: last.images }} />
            )}
            {last !== undefined && taken !== null && <TakenAway taken={taken} />}
          </div>
        </ScrollBox>
        {away && (
          <ToLatest
            onClick={() => {
              toEnd();
              // The button goes away; the keyboard scrolls on where it was.
              content.current?.parentElement?.focus({ preventScroll: true });
            }}
          />
        )}
      </div>
      <p role="status" className="sr-only">
        {last !== undefined && (running ? text.answering : text[outcomeOf(last)])}
      </p>
      <Drawer open={raw !== null} onClose={() => setRaw(null)} title={text.raw}>
        {raw !== null && <RawView raw={rawOf(raw)} />}
      </Drawer>
    </>
  );
}

/** Says what was taken away, and puts it back. */
function TakenAway({ taken }: { taken: Taken }) {
  const text = useMessages("playground");
  const common = useMessages("common");
  return (
    <p role="status" className="flex flex-wrap items-center justify-center gap-2 text-sm text-muted">
      {text[taken.act]}
      <Button
        size="sm"
        onClick={() => {
          focusMain(); // the button goes away
          taken.putBack();
        }}
      >
        {common.undo}
      </Button>
    </p>
  );
}

/** Asks the last message again. */
function LastMessage(props: { message: UserMessage; onAgain: (message: UserMessage) => void }) {
  const text = useMessages("playground");
  return (
    <div className="mt-2 -ml-3 flex flex-wrap gap-1">
      <Button size="sm" variant="ghost" onClick={() => props.onAgain(props.message)}>
        <RotateCcw aria-hidden className="size-3.5" />
        {text.again}
      </Button>
    </div>
  );
}

function ToLatest(props: { onClick: () => void }) {
  const text = useMessages("playground");
  return (
    <Button
      size="sm"
      className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
      onClick={props.onClick}
    >
      <ArrowDown aria-hidden className="size-3.5" />
      {text.toLatest}
    </Button>
  );
}

function callsIn(exchanges: readonly Exchange[]): number {
  return exchanges.flatMap(({ answers }) => answers.flatMap(({ steps }) => steps)).length;
}

function ExchangeView(props: {
  exchange: Exchange;
  busy: boolean;
  onRaw: (place: CallPlace) => void;
  /** Absent while a call is made, like the next. */
  onEdit: (() => void) | undefined;
  onBranch: ((to: number) => void) | undefined;
  onResults: Parameters<typeof ConversationView>[0]["onResults"] | undefined;
}) {
  const text = useMessages("playground");
  const { exchange, onResults } = props;
  const { id } = exchange;
  return (
    <li className="grid min-w-0 gap-4">
      <div className="grid min-w-0 justify-items-end gap-1">
        <div className="grid max-w-[85%] gap-2 rounded-xl bg-primary-soft px-4 py-2">
          <p
            className={cn(
              "leading-6 wrap-anywhere whitespace-pre-wrap",
              exchange.message === "" && "sr-only",
            )}
          >
            <span className="sr-only">{text.you}: </span>
            <span>{exchange.message}</span>
          </p>
          {exchange.images.length > 0 && <SentImages images={exchange.images} />}
        </div>
        <MessageActions exchange={exchange} onEdit={props.onEdit} onBranch={props.onBranch} />
      </div>
      <div className={cn("grid min-w-0 gap-6", columns[exchange.answers.length - 1])}>
        {exchange.answers.map((each) => (
          <AnswerView
            key={each.model}
            each={each}
            busy={props.busy}
            onRaw={(step) => props.onRaw({ id, model: each.model, step })}
            onResults={onResults && ((results) => onResults({ id, model: each.model }, results))}
          />
        ))}
      </div>
    </li>
  );
}
