"use client";

import { CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from "lucide-react";
import type { Rehearsal } from "../../api/admin/types";
import { fill, plural } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Badge, type Tone } from "../../ui/badge";
import { Card } from "../../ui/card";
import { DataTable } from "../../ui/data-table";
import { Note } from "../../ui/states";

type Step = Rehearsal["order"][number];

const looks: Record<Step["result"], { tone: Tone; icon: LucideIcon }> = {
  answers: { tone: "success", icon: CircleCheck },
  fails: { tone: "danger", icon: CircleX },
  unused: { tone: "neutral", icon: CircleDashed },
};
const slowLook = { tone: "warning", icon: Clock } as const;

/** The attempts in order with their times, the skipped nodes, the answer, and the faults that the router detects. */
export function RehearsalResult(props: { result: Rehearsal }) {
  const text = useMessages("rehearsal");
  const { result } = props;
  return (
    <div className="grid gap-4">
      <Card title={text.final}>
        <Final answer={result.answer} />
      </Card>
      {result.order.length > 0 && (
        <Card title={text.order}>
          <Steps steps={result.order} />
        </Card>
      )}
      {result.learnt.length > 0 && (
        <Card title={text.learnt}>
          <Learnt learnt={result.learnt} />
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

function Final(props: { answer: Rehearsal["answer"] }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const { status, code, node, afterMs, retryAfterSeconds } = props.answer;
  const good = status === 200;
  const when = afterMs === 0 ? text.atOnce : fill(text.after, { time: format.roundDuration(afterMs) });
  return (
    <Note role="status" tone={good ? "success" : "danger"} icon={good ? CircleCheck : CircleX}>
      <p className="font-medium">
        {good
          ? fill(text.answered, { node: node ?? "", when })
          : fill(text.refused, { status, code: code ?? "", when })}
        {retryAfterSeconds !== null && fill(text.retryAfter, { seconds: retryAfterSeconds })}
      </p>
      {!good && <p>{text.notBilled}</p>}
    </Note>
  );
}

function Steps(props: { steps: Step[] }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  return (
    <ol className="grid gap-3">
      {props.steps.map((step) => {
        const { tone, icon } = step.failure === "timeout" ? slowLook : looks[step.result];
        return (
          <li key={step.n} className="flex flex-wrap items-start gap-3 text-sm">
            <span className="tabular flex size-6 shrink-0 items-center justify-center rounded-full bg-hover text-xs font-semibold">
              {step.n}
            </span>
            <div className="grid min-w-0 flex-1 gap-0.5">
              <span className="font-medium break-all">{step.node}</span>
              <span className="font-mono text-xs break-all text-muted">{step.upstreamModel}</span>
              <span className="text-xs text-muted">
                {fill(text.placed, { priority: step.priority, weight: step.weight })} ·{" "}
                {text.modes[step.mode]}
              </span>
            </div>
            <div className="grid justify-items-end gap-0.5">
              <Badge tone={tone} icon={icon}>
                {stepText(step, text, format.duration)}
              </Badge>
              {step.result !== "unused" && step.startMs > 0 && (
                <span className="tabular text-xs text-muted">
                  {fill(text.stepStarts, { time: format.roundDuration(step.startMs) })}
                </span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function stepText(step: Step, text: Messages["rehearsal"], duration: (ms: number) => string): string {
  if (step.result !== "fails") return text.results[step.result];
  if (step.mode === "trial" || step.mode === "probe") return text.stepTried;
  if (step.failure === "timeout") return fill(text.stepSlow, { time: duration(step.endMs - step.startMs) });
  return step.status === null ? text.stepFails : fill(text.stepStatus, { status: step.status });
}

function Learnt(props: { learnt: Rehearsal["learnt"] }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  return (
    <ul className="grid gap-3 text-sm">
      {props.learnt.map((entry) => (
        <li key={entry.node} className="flex flex-wrap justify-between gap-2">
          <span className="font-medium break-all">{entry.node}</span>
          <span className="grid gap-0.5 sm:text-right">
            <span>{plural(text.noticed, entry.afterRequests, format.locale)}</span>
            <span className="tabular text-xs text-muted">
              {fill(text.avoided, {
                state: text.learntStates[entry.state],
                time: format.roundDuration(entry.forMs),
              })}
            </span>
          </span>
        </li>
      ))}
    </ul>
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
                : fill(text.returns, { time: format.roundDuration(entry.returnsInMs) })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Shares(props: { shares: Rehearsal["shares"] }) {
  const text = useMessages("rehearsal");
  const about = useAboutShare();
  return (
    <DataTable
      flush
      caption={text.sharesCaption}
      rows={[...props.shares].sort((a, b) => b.share - a.share)}
      rowId={({ node }) => node}
      columns={[
        { id: "node", head: text.node, className: "break-all", cell: ({ node }) => node },
        {
          id: "share",
          head: text.share,
          card: "line",
          className: "w-3/5",
          cell: ({ share }) => (
            <span className="flex items-center gap-3">
              <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
                <span className="block h-full bg-primary" style={{ width: `${share * 100}%` }} />
              </span>
              <span className="tabular min-w-12 text-right">{about(share)}</span>
            </span>
          ),
        },
      ]}
    />
  );
}

/** A share of simulated requests: what is neither none nor all is drawn, and told without decimals. */
export function useAboutShare(): (share: number) => string {
  const text = useMessages("rehearsal");
  const whole = new Intl.NumberFormat(useFormat().locale, { style: "percent", maximumFractionDigits: 0 });
  return (share) => {
    const told = whole.format(share);
    return share === 0 || share === 1 ? told : fill(text.about, { share: told });
  };
}
