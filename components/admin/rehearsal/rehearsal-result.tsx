"use client";

import { CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from "lucide-react";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Badge, type Tone } from "../../ui/badge";
import { Card } from "../../ui/card";
import { Note } from "../../ui/states";
import { Table, Td, Th } from "../../ui/table";
import { useNodes } from "../queries";
import type { Rehearsal } from "../types";
import { type FinalAnswer, type Step, type Supposition, walk } from "./walk";

const DEFAULT_FIRST_EVENT_MS = 30_000;

const looks: Record<Step["outcome"], { tone: Tone; icon: LucideIcon }> = {
  answers: { tone: "success", icon: CircleCheck },
  fails: { tone: "danger", icon: CircleX },
  slow: { tone: "warning", icon: Clock },
  unused: { tone: "neutral", icon: CircleDashed },
};

/** The calls in order with their times, what is not tried, and what the caller gets. */
export function RehearsalResult(props: { result: Rehearsal; supposed: Record<string, Supposition> }) {
  const text = useMessages("rehearsal");
  const nodes = useNodes().data?.data ?? [];
  const { result } = props;
  const limitOf = (name: string) =>
    nodes.find((node) => node.name === name)?.timeouts.firstByteMs ?? DEFAULT_FIRST_EVENT_MS;
  const { steps, answer } = walk(result.order, props.supposed, limitOf, result.retryAfterSeconds);
  return (
    <div className="grid gap-4">
      <Card title={text.final}>
        <Final answer={answer} />
      </Card>
      {steps.length > 0 && (
        <Card title={text.order}>
          <Steps steps={steps} order={result.order} />
        </Card>
      )}
      {result.skipped.length > 0 && (
        <Card title={text.skipped}>
          <SkippedNodes skipped={result.skipped} />
        </Card>
      )}
      {result.shares.length > 0 && (
        <Card title={text.shares} flush>
          <Shares shares={result.shares} />
        </Card>
      )}
    </div>
  );
}

function Final(props: { answer: FinalAnswer }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const { answer } = props;
  return (
    <Note
      tone={answer.status === 200 ? "success" : "danger"}
      icon={answer.status === 200 ? CircleCheck : CircleX}
    >
      <p className="font-medium">{finalWords(answer, text, (ms) => format.duration(ms))}</p>
      {answer.status !== 200 && <p>{text.notBilled}</p>}
    </Note>
  );
}

function finalWords(
  answer: FinalAnswer,
  text: Messages["rehearsal"],
  duration: (ms: number) => string,
): string {
  const time = duration(answer.afterMs);
  switch (answer.status) {
    case 200:
      return fill(answer.afterMs === 0 ? text.answeredAtOnce : text.answered, { node: answer.node, time });
    case 502:
      return fill(text.upstreamError, { time });
    case 503:
      return answer.retryAfterSeconds === null
        ? text.noNodeFailed
        : fill(text.noNode, { seconds: answer.retryAfterSeconds });
  }
}

function Steps(props: { steps: Step[]; order: Rehearsal["order"] }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const words: Record<Step["outcome"], (step: Step) => string> = {
    answers: () => text.stepAnswers,
    fails: () => text.stepFails,
    slow: (step) => fill(text.stepSlow, { time: format.duration(step.endMs - step.startMs) }),
    unused: () => text.stepUnused,
  };
  return (
    <ol className="grid gap-3">
      {props.steps.map((step, index) => {
        const place = props.order[index];
        const { tone, icon } = looks[step.outcome];
        return (
          <li key={step.n} className="flex flex-wrap items-start gap-3 text-sm">
            <span className="tabular flex size-6 shrink-0 items-center justify-center rounded-full bg-hover text-xs font-semibold">
              {step.n}
            </span>
            <div className="grid min-w-0 flex-1 gap-0.5">
              <span className="font-medium break-all">{step.node}</span>
              <span className="font-mono text-xs break-all text-muted">{step.upstreamModel}</span>
              {place !== undefined && (
                <span className="text-xs text-muted">
                  {fill(text.placed, { priority: place.priority, weight: place.weight })} ·{" "}
                  {text.modes[place.mode]}
                </span>
              )}
            </div>
            <div className="grid justify-items-end gap-0.5">
              <Badge tone={tone} icon={icon}>
                {words[step.outcome](step)}
              </Badge>
              {step.outcome !== "unused" && step.startMs > 0 && (
                <span className="tabular text-xs text-muted">
                  {fill(text.stepStarts, { time: format.duration(step.startMs) })}
                </span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function SkippedNodes(props: { skipped: Rehearsal["skipped"] }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const why = (reason: string) => Object.entries(text.why).find(([name]) => name === reason)?.[1] ?? reason;
  return (
    <ul className="grid gap-3 text-sm">
      {props.skipped.map((entry) => (
        <li key={`${entry.nodeId} ${entry.upstreamModel}`} className="flex flex-wrap justify-between gap-2">
          <span className="grid min-w-0 gap-0.5">
            <span className="font-medium break-all">{entry.node}</span>
            <span className="font-mono text-xs break-all text-muted">{entry.upstreamModel}</span>
          </span>
          <span className="grid gap-0.5 sm:text-right">
            <span>{why(entry.why)}</span>
            <span className="tabular text-xs text-muted">
              {entry.returnsInMs === null
                ? text.notByItself
                : fill(text.returns, { time: format.duration(entry.returnsInMs) })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Shares(props: { shares: Rehearsal["shares"] }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  return (
    <Table caption={text.sharesCaption}>
      <thead>
        <tr>
          <Th>{text.node}</Th>
          <Th className="w-1/2">
            <span className="sr-only">{text.share}</span>
          </Th>
          <Th end>{text.share}</Th>
        </tr>
      </thead>
      <tbody>
        {[...props.shares]
          .sort((a, b) => b.share - a.share)
          .map(({ node, share }) => (
            <tr key={node} className="last:*:border-b-0">
              <Td className="break-all">{node}</Td>
              <Td>
                <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
                  <div className="h-full bg-primary" style={{ width: `${share * 100}%` }} />
                </div>
              </Td>
              <Td end>{format.percent(share)}</Td>
            </tr>
          ))}
      </tbody>
    </Table>
  );
}
