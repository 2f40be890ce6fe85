"use client";

import { FileJson } from "lucide-react";
import dynamic from "next/dynamic";
import { ErrorPanel } from "../api/error-panel";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { CopyButton } from "../ui/copy-button";
import { TextLink } from "../ui/link";
import { Note } from "../ui/states";
import type { ModelAnswer } from "./conversation";

const Markdown = dynamic(() => import("./markdown").then((module) => module.Markdown), { ssr: false });

/** One model's answer with what it took: tokens, cost and time. */
export function AnswerView(props: { each: ModelAnswer; onRaw: (() => void) | null }) {
  const text = useMessages("playground");
  const { each } = props;
  const { answer } = each;
  return (
    <article
      aria-label={fill(text.answerOf, { model: each.model })}
      className="grid min-w-0 content-start gap-2"
    >
      <h2 className="flex items-center gap-2 text-xs font-medium text-muted">
        <span className="wrap-anywhere">{each.model}</span>
        <span className="font-normal">{text.protocols[each.protocol]}</span>
      </h2>
      {answer.reasoning !== "" && (
        <details className="rounded-md border px-3 py-1.5 text-sm">
          <summary className="min-h-6 cursor-pointer text-muted">{text.reasoning}</summary>
          <p className="pt-1 wrap-anywhere whitespace-pre-wrap text-muted">{answer.reasoning}</p>
        </details>
      )}
      {answer.text !== "" && <Markdown text={answer.text} />}
      {answer.toolCalls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only added at the end
        <div key={index} className="grid min-w-0 gap-1">
          <p className="text-sm">{fill(text.asksForTool, { name: call.name })}</p>
          <CodeBlock code={indented(call.input)} label={fill(text.toolInput, { name: call.name })} />
        </div>
      ))}
      {each.running && answer.text === "" && <p className="text-muted">{text.answering}</p>}
      {each.error !== null && <ErrorPanel error={each.error} ofModelCall />}
      {answer.failure !== null && (
        <Note tone="danger">
          <CodeWords text={answer.failure} />
        </Note>
      )}
      {each.stopped && <p className="text-sm text-muted">{text.stopped}</p>}
      {!each.running && <Figures {...props} />}
    </article>
  );
}

function Figures(props: { each: ModelAnswer; onRaw: (() => void) | null }) {
  const text = useMessages("playground");
  const format = useFormat();
  const { each } = props;
  const { answer } = each;
  const count = (value: number | null) => (value === null ? "–" : format.countFull(value));
  const took = each.durationMs === null ? "–" : format.duration(each.durationMs);
  const finished = each.error === null && !each.stopped;
  return (
    <div className="tabular flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
      {finished && (
        <span>
          {fill(text.tokens, { input: count(answer.inputTokens), output: count(answer.outputTokens) })}
        </span>
      )}
      {each.cost !== null && <span>{format.money(each.cost)}</span>}
      <span>
        {each.firstTokenMs !== null && each.firstTokenMs < (each.durationMs ?? 0)
          ? fill(text.took, { first: format.duration(each.firstTokenMs), total: took })
          : took}
      </span>
      {finished && answer.reason !== null && <span className="font-mono">{answer.reason}</span>}
      {each.requestId !== null && (
        <TextLink href={`/console/logs?request=${encodeURIComponent(each.requestId)}`}>
          {text.openLog}
        </TextLink>
      )}
      <span className="flex items-center">
        {answer.text !== "" && (
          <CopyButton text={answer.text} label={text.copyAnswer} iconOnly variant="ghost" />
        )}
        {props.onRaw !== null && (
          <Button size="sm" variant="ghost" onClick={props.onRaw}>
            <FileJson aria-hidden className="size-3.5" />
            {text.raw}
          </Button>
        )}
      </span>
    </div>
  );
}

/** JSON on several lines; text that is no whole JSON yet as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
