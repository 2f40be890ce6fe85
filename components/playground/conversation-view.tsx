"use client";

import { Pencil, RotateCcw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { Drawer } from "../ui/drawer";
import { ScrollBox } from "../ui/scroll-box";
import { AnswerView } from "./answer-view";
import type { Exchange, RawTraffic } from "./conversation";
import { RawView } from "./raw-view";
import type { useConversation } from "./use-conversation";

const NEAR_END_PX = 120;
const columns = ["", "md:grid-cols-2", "md:grid-cols-2 xl:grid-cols-3"];

/** The messages and their answers, which scroll, and the traffic of an answer in a drawer. */
export function ConversationView(props: {
  conversation: ReturnType<typeof useConversation>;
  /** The last message is to be asked again. */
  onAgain: (message: string) => void;
  /** The last message is to be written anew. */
  onEdit: (message: string) => void;
}) {
  const text = useMessages("playground");
  const { exchanges, rawOf, running } = props.conversation;
  const [raw, setRaw] = useState<{ id: string; model: string } | null>(null);
  const content = useStayAtEnd(exchanges);
  const last = exchanges.at(-1);
  const traffic: RawTraffic | null = raw === null ? null : rawOf(raw.id, raw.model);
  return (
    <>
      <ScrollBox label={text.conversation} className="min-h-0 flex-1 p-4">
        {/* One child, whose size the box watches. */}
        <div ref={content} className={cn(exchanges.length === 0 && "grid min-h-full content-center")}>
          {exchanges.length === 0 ? (
            <div className="mx-auto grid max-w-md gap-2 py-8 text-center">
              <p className="text-lg font-medium">{text.empty}</p>
              <p className="text-muted">{text.lead}</p>
            </div>
          ) : (
            <ol className="grid gap-6">
              {exchanges.map((exchange) => (
                <ExchangeView
                  key={exchange.id}
                  exchange={exchange}
                  hasRaw={(model) => rawOf(exchange.id, model) !== null}
                  onRaw={(model) => setRaw({ id: exchange.id, model })}
                />
              ))}
            </ol>
          )}
          {last !== undefined && !running && (
            <div className="mt-2 flex flex-wrap gap-1">
              <Button size="sm" variant="ghost" onClick={() => props.onAgain(last.message)}>
                <RotateCcw aria-hidden className="size-3.5" />
                {text.again}
              </Button>
              <Button size="sm" variant="ghost" onClick={() => props.onEdit(last.message)}>
                <Pencil aria-hidden className="size-3.5" />
                {text.edit}
              </Button>
            </div>
          )}
        </div>
      </ScrollBox>
      <p role="status" className="sr-only">
        {last !== undefined && (running ? text.answering : text[outcomeOf(last)])}
      </p>
      <Drawer open={traffic !== null} onClose={() => setRaw(null)} title={text.raw}>
        {traffic !== null && <RawView raw={traffic} />}
      </Drawer>
    </>
  );
}

/** How an exchange has ended, as its status is said. */
function outcomeOf({ answers }: Exchange): "failed" | "stopped" | "answered" {
  if (answers.some(({ error, answer }) => error !== null || answer.failure !== null)) return "failed";
  return answers.some(({ stopped }) => stopped) ? "stopped" : "answered";
}

function ExchangeView(props: {
  exchange: Exchange;
  hasRaw: (model: string) => boolean;
  onRaw: (model: string) => void;
}) {
  const text = useMessages("playground");
  const { exchange } = props;
  return (
    <li className="grid min-w-0 gap-4">
      <div className="ml-auto max-w-[85%] rounded-lg bg-primary-soft px-3 py-2">
        <span className="sr-only">{text.you}: </span>
        <span className="leading-6 wrap-anywhere whitespace-pre-wrap">{exchange.message}</span>
      </div>
      <div className={cn("grid min-w-0 gap-6", columns[exchange.answers.length - 1])}>
        {exchange.answers.map((each) => (
          <AnswerView
            key={each.model}
            each={each}
            onRaw={props.hasRaw(each.model) ? () => props.onRaw(each.model) : null}
          />
        ))}
      </div>
    </li>
  );
}

/** Scrolls to the end while an answer grows, unless somebody has scrolled away from it. */
function useStayAtEnd(exchanges: readonly Exchange[]) {
  const content = useRef<HTMLDivElement>(null);
  const count = useRef(0);
  useEffect(() => {
    const box = content.current?.parentElement;
    if (box === null || box === undefined) return;
    const added = exchanges.length !== count.current;
    count.current = exchanges.length;
    const distance = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (added || distance < NEAR_END_PX) box.scrollTop = box.scrollHeight;
  }, [exchanges]);
  return content;
}
