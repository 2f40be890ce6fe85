"use client";

import type { Fate, Outlook, Rehearsed } from "@/lib/shared/outlook";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";
import { Status, type StatusTone } from "../../ui/status";
import { useAboutShare } from "./rehearsal-result";
import { type Fault, writeSuppositions } from "./suppositions";

const tones: Record<Fate, StatusTone> = {
  stops: "danger",
  already: "danger",
  alone: "warning",
  moves: "normal",
  spare: "normal",
  stays: "normal",
};

/** Where the requests for each model go now, at first, and once the router has noticed. */
export function ModelsOutlook(props: { rows: Outlook[]; assume: Record<string, Fault> }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const billed = format.moneyColumn(props.rows.flatMap(({ traffic }) => traffic?.cost ?? []));
  return (
    <DataTable
      caption={text.modelsCaption}
      rows={props.rows}
      rowId={({ model }) => model.model}
      columns={[
        {
          id: "model",
          head: text.model,
          className: "min-w-40",
          cell: ({ model }) => <TextLink href={modelRehearsal(model, props.assume)}>{model.model}</TextLink>,
        },
        {
          id: "fate",
          head: text.fate,
          card: "corner",
          className: "whitespace-nowrap",
          cell: (row) => <FateCell {...row} />,
        },
        {
          id: "traffic",
          head: text.traffic,
          end: true,
          from: "xl",
          className: "whitespace-nowrap",
          cell: ({ traffic }) =>
            traffic !== null && (
              <Asked requests={format.countFull(traffic.requestCount)} billed={billed(traffic.cost)} />
            ),
        },
        { id: "now", head: text.goesNow, card: "wide", cell: ({ model }) => <Shares shares={model.now} /> },
        { id: "first", head: text.firstGets, card: "wide", cell: ({ model }) => <First row={model} /> },
        {
          id: "later",
          head: text.goesLater,
          card: "wide",
          cell: ({
            model: {
              later: { answer, shares },
            },
          }) =>
            answer.status === 200 ? (
              <Shares shares={shares} />
            ) : (
              <span className="font-medium text-danger">
                {fill(text.noNode, { status: answer.status, code: answer.code ?? "" })}
              </span>
            ),
        },
      ]}
    />
  );
}

/** What becomes of a model, below it what that costs. */
function FateCell({ fate, extraCost, lostCapacity }: Outlook) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const signed = (share: number) => `${share < 0 ? "−" : "+"}${format.percent(Math.abs(share))}`;
  const costs = [
    ...(extraCost === null || extraCost === 0 ? [] : [fill(text.costChange, { share: signed(extraCost) })]),
    ...(lostCapacity === null ? [] : [fill(text.capacityChange, { share: signed(-lostCapacity) })]),
  ];
  return (
    <span className="grid">
      <Status tone={tones[fate]}>{text.fates[fate]}</Status>
      {costs.map((cost) => (
        <span key={cost} className="text-xs text-muted">
          {cost}
        </span>
      ))}
    </span>
  );
}

/** The requests for a model, and what they were billed. */
function Asked(props: { requests: string; billed: string }) {
  return (
    <span className="grid">
      {props.requests}
      <span className="text-xs text-muted">{props.billed}</span>
    </span>
  );
}

/** The rehearsal of one model with the same assumption. */
function modelRehearsal({ model, affected }: Rehearsed, assumed: Record<string, Fault>) {
  const assume = affected ? `&assume=${encodeURIComponent(writeSuppositions(assumed).join())}` : "";
  return `/admin/rehearsal?model=${encodeURIComponent(model)}${assume}`;
}

/** What a request gets while the router does not know of the fault. */
function First({ row: { affected, first } }: { row: Rehearsed }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  if (!affected) return <span className="text-muted">{text.unchanged}</span>;
  const { status, code, node, afterMs } = first;
  const when = afterMs === 0 ? text.atOnce : fill(text.after, { time: format.roundDuration(afterMs) });
  return status === 200 ? (
    fill(text.answered, { node: node ?? "", when })
  ) : (
    <span className="text-danger">{fill(text.refused, { status, code: code ?? "", when })}</span>
  );
}

/** Nodes with their shares of the requests, the largest first. */
function Shares({ shares }: { shares: Rehearsed["now"] }) {
  const about = useAboutShare();
  if (shares.length === 0) return "–";
  return (
    <ul className="grid gap-0.5">
      {[...shares]
        .sort((a, b) => b.share - a.share)
        .map(({ node, share }) => (
          <li key={node} className="flex flex-wrap gap-x-2">
            <span className="wrap-anywhere">{node}</span>
            {shares.length > 1 && <span className="tabular text-muted">{about(share)}</span>}
          </li>
        ))}
    </ul>
  );
}
