"use client";

import { FileJson } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useRef } from "react";
import { parseJson } from "@/lib/kernel/parse-json";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { ToolCall } from "@/lib/protocols/kit/turn";
import { ErrorPanel } from "../api/error-panel";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { warningText } from "../logs/warning-text";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { CopyButton } from "../ui/copy-button";
import { Fold } from "../ui/fold";
import { TextLink } from "../ui/link";
import { Note } from "../ui/states";
import { type AnswerStep, awaitsResults, isCut, type ModelAnswer, tokensPerSecond } from "./conversation";
import { ToolResults } from "./tool-results";

const Markdown = dynamic(() => import("./markdown").then((module) => module.Markdown), { ssr: false });

/** One model's answer, call by call, with what each took: tokens, cost and time. */
export function AnswerView(props: {
  each: ModelAnswer;
  /** Opens the traffic of a call. */
  onRaw: (step: number) => void;
  /** Sends what the tools gave; absent where the conversation has gone on without. */
  onResults?: ((results: readonly string[]) => void) | undefined;
  /** Whether nothing can be sent now. */
  busy: boolean;
}) {
  const text = useMessages("playground");
  const format = useFormat();
  const { each, onResults } = props;
  const last = each.steps.at(-1);
  return (
    <article
      aria-label={fill(text.answerOf, { model: each.model })}
      className="grid min-w-0 content-start gap-2"
    >
      <h2 className="flex flex-wrap items-center gap-x-2 text-xs font-medium text-muted">
        <span className="wrap-anywhere">{each.model}</span>
        <span className="font-normal">{protocolKits[each.protocol].name}</span>
        {each.parameters !== undefined && (
          <span className="tabular font-normal">
            {fill(text.askedWith, {
              temperature: each.parameters.temperature.toFixed(1),
              tokens: format.countFull(each.parameters.maxTokens),
            })}
          </span>
        )}
      </h2>
      {each.steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only added at the end
        <StepView key={place} step={step} json={each.json === true} onRaw={() => props.onRaw(place)} />
      ))}
      {onResults !== undefined && last !== undefined && awaitsResults(last) && (
        <ToolResults calls={last.answer.toolCalls} busy={props.busy} onSend={onResults} />
      )}
    </article>
  );
}

/** What came of one call, and what the tools gave that it asked for. */
function StepView(props: { step: AnswerStep; json: boolean; onRaw: () => void }) {
  const text = useMessages("playground");
  const { step } = props;
  const { answer } = step;
  return (
    <>
      {answer.reasoning !== "" && (
        <Fold
          className="rounded-md border px-3 py-1.5 text-sm"
          heading={text.reasoning}
          headingClass="min-h-6 text-muted"
        >
          <p className="pt-1 wrap-anywhere whitespace-pre-wrap text-muted">{answer.reasoning}</p>
        </Fold>
      )}
      {answer.text !== "" && (props.json ? <JsonView step={step} /> : <Markdown text={answer.text} />)}
      {answer.toolCalls.map((call, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only added at the end
        <CallView key={place} call={call} result={step.results?.[place] ?? null} />
      ))}
      {step.running && answer.text === "" && (
        <p className="text-muted">{step.waiting ? text.waiting : text.answering}</p>
      )}
      {step.error !== null && (
        <InView>
          <ErrorPanel error={step.error} ofModelCall />
        </InView>
      )}
      {answer.failure !== null && (
        <InView>
          <Note tone="danger">
            <CodeWords text={answer.failure} />
          </Note>
        </InView>
      )}
      {step.stopped && <p className="text-sm text-muted">{text.stopped}</p>}
      {isCut(step) && <p className="text-sm text-muted">{text.cut}</p>}
      <Warnings codes={step.warnings ?? []} />
      {!step.running && <Figures {...props} />}
    </>
  );
}

/** What the gateway left out or changed of the request. */
function Warnings({ codes }: { codes: readonly string[] }) {
  const text = useMessages("playground");
  if (codes.length === 0) return null;
  return (
    <Note tone="warning">
      <p className="font-medium">{text.changedRequest}</p>
      <ul className="list-disc pl-5">
        {codes.map((code) => (
          <li key={code} className="wrap-anywhere">
            {warningText(code, text.warnings)}
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** An answer that is to be JSON: as a text until it is whole, and when it is none. */
function JsonView({ step }: { step: AnswerStep }) {
  const text = useMessages("playground");
  const json = step.answer.text;
  if (!step.running && isJson(json))
    return <CodeBlock code={indented(json)} label={text.body} copyLabel={text.copyAnswer} />;
  return (
    <>
      <p className="font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">{json}</p>
      {!step.running && !step.stopped && step.error === null && (
        <p className="text-xs text-muted">{text.notJson}</p>
      )}
    </>
  );
}

/** The call of a tool, and its result once that was sent. */
function CallView({ call, result }: { call: ToolCall; result: string | null }) {
  const text = useMessages("playground");
  return (
    <div className="grid min-w-0 gap-1">
      <p className="text-sm">{fill(text.asksForTool, { name: call.name })}</p>
      <CodeBlock code={indented(call.input)} label={fill(text.toolInput, { name: call.name })} />
      {result !== null && (
        <>
          <p className="text-sm">{fill(text.toolResult, { name: call.name })}</p>
          <CodeBlock code={indented(result)} label={fill(text.toolResult, { name: call.name })} />
        </>
      )}
    </div>
  );
}

/** Scrolls into view when it appears: nobody should wait for an answer that has failed out of sight. */
function InView(props: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which is no cleanup.
    place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return <div ref={place}>{props.children}</div>;
}

function Figures(props: { step: AnswerStep; json: boolean; onRaw: () => void }) {
  const text = useMessages("playground");
  const format = useFormat();
  const { step } = props;
  const { answer } = step;
  const count = (value: number | null) => (value === null ? "–" : format.countFull(value));
  const took = step.durationMs === null ? "–" : format.duration(step.durationMs);
  const canCopy = answer.text !== "" && !(props.json && isJson(answer.text)); // JSON has its own button
  const finished = step.error === null && answer.failure === null && !step.stopped;
  const rate = tokensPerSecond(step);
  return (
    <div className="tabular flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
      {finished && (answer.inputTokens ?? answer.outputTokens) !== null && (
        <span>
          {fill(text.tokens, { input: count(answer.inputTokens), output: count(answer.outputTokens) })}
        </span>
      )}
      {step.cost !== null && <span>{format.money(step.cost)}</span>}
      {finished && rate !== null && <span>{fill(text.rate, { count: format.countFull(rate) })}</span>}
      <span>
        {step.firstTokenMs !== null && step.firstTokenMs < (step.durationMs ?? 0)
          ? fill(text.took, { first: format.duration(step.firstTokenMs), total: took })
          : took}
      </span>
      {finished && answer.reason !== null && (
        <span>
          {text.ended} <span className="font-mono">{answer.reason}</span>
        </span>
      )}
      {step.requestId !== null && (
        <TextLink href={`/console/logs?request=${encodeURIComponent(step.requestId)}`}>
          {text.openLog}
        </TextLink>
      )}
      {/* Where it begins a line, its first icon is below the text above. */}
      <span className={cn("flex items-center", canCopy ? "-ml-2 pointer-coarse:-ml-4" : "-ml-3")}>
        {canCopy && <CopyButton text={answer.text} label={text.copyAnswer} iconOnly variant="ghost" />}
        <Button size="sm" variant="ghost" onClick={props.onRaw}>
          <FileJson aria-hidden className="size-3.5" />
          {text.raw}
        </Button>
      </span>
    </div>
  );
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** JSON on several lines; text that is no whole JSON yet as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
