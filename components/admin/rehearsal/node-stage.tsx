"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { callApi } from "../../api/client";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { DataTable } from "../../ui/data-table";
import { Field, Select } from "../../ui/field";
import { TextLink } from "../../ui/link";
import { EmptyState, Note } from "../../ui/states";
import { Status, type StatusTone } from "../../ui/status";
import { adminKeys } from "../page-reads";
import { useNodes } from "../queries";
import { QueryRegion } from "../query-region";
import type { ModelsRehearsal } from "../types";
import { faults, writeSuppositions } from "./suppositions";

type Fault = (typeof faults)[number];
type Rehearsed = ModelsRehearsal["data"][number];

/**
 * What becomes of a model, the gravest first: no node is left, a single one is left, its requests go to other nodes, it
 * loses a node that is asked only after others, or nothing changes.
 */
const fates = ["stops", "alone", "moves", "spare", "stays"] as const;
type Fate = (typeof fates)[number];

const tones: Record<Fate, StatusTone> = {
  stops: "danger",
  alone: "warning",
  moves: "normal",
  spare: "normal",
  stays: "normal",
};

/** Supposes that one node fails, and shows what becomes of every model. */
export function NodeStage() {
  const text = useMessages("rehearsal");
  const nodes = (useNodes().data?.data ?? []).filter(({ enabled }) => enabled);
  const [url, setUrl] = useQueryStates({
    node: parseAsString,
    state: parseAsStringLiteral(faults).withDefault("down"),
  });
  const node = nodes.find(({ name }) => name === url.node) ?? nodes[0];
  if (node === undefined) return <EmptyState title={text.noNodes} />;
  return (
    <div className="grid gap-4">
      <div className="grid gap-3 sm:grid-cols-2 lg:max-w-160">
        <Field label={text.node}>
          {(control) => (
            <Select
              {...control}
              value={node.name}
              options={nodes.map(({ name }) => ({ value: name, label: name }))}
              onChange={(event) => void setUrl({ node: event.target.value })}
            />
          )}
        </Field>
        <Field label={text.supposed}>
          {(control) => (
            <Select
              {...control}
              value={url.state}
              options={faults.map((value) => ({ value, label: text.suppositions[value] }))}
              onChange={(event) =>
                void setUrl({ state: faults.find((value) => value === event.target.value) ?? null })
              }
            />
          )}
        </Field>
      </div>
      <Outcome node={node.name} state={url.state} />
    </div>
  );
}

function Outcome({ node, state }: { node: string; state: Fault }) {
  const rehearsal = useQuery({
    queryKey: [...adminKeys.all, "rehearsal", "models", node, state],
    queryFn: ({ signal }) =>
      callApi("POST /api/admin/rehearsal/models", { signal, body: { assume: { [node]: state } } }),
    staleTime: 5_000,
  });
  return (
    <QueryRegion query={rehearsal}>
      {({ data }) => (
        <div className="grid min-w-0 gap-4">
          <Summary models={data} node={node} />
          <Models models={data} node={node} state={state} />
        </div>
      )}
    </QueryRegion>
  );
}

function fateOf({ affected, now, later }: Rehearsed, failing: string): Fate {
  if (!affected) return "stays";
  if (later.answer.status !== 200) return "stops";
  if (later.nodes === 1) return "alone";
  return now.some(({ node }) => node === failing) ? "moves" : "spare";
}

/** How many models there are of each fate. */
function Summary({ models, node }: { models: Rehearsed[]; node: string }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const count = (fate: Fate) => models.filter((model) => fateOf(model, node) === fate).length;
  const stops = count("stops");
  const alone = count("alone");
  const look =
    stops > 0
      ? ({ tone: "danger", icon: CircleX } as const)
      : alone > 0
        ? ({ tone: "warning", icon: TriangleAlert } as const)
        : ({ tone: "success", icon: CircleCheck } as const);
  const told = fates.filter((fate) => fate === "stops" || count(fate) > 0);
  return (
    <Note role="status" {...look}>
      <p className="font-medium">{fill(text.without, { node })}</p>
      <ul>
        {told.map((fate) => (
          <li key={fate}>{plural(text.fateCounts[fate], count(fate), format.locale)}</li>
        ))}
      </ul>
    </Note>
  );
}

/** Where the requests for each model go now, at first, and once the router has noticed; the gravest fate first. */
function Models(props: { models: Rehearsed[]; node: string; state: Fault }) {
  const text = useMessages("rehearsal");
  const rank = (model: Rehearsed) => fates.indexOf(fateOf(model, props.node));
  const rows = [...props.models].sort((a, b) => rank(a) - rank(b) || a.model.localeCompare(b.model));
  return (
    <DataTable
      caption={text.modelsCaption}
      rows={rows}
      rowId={({ model }) => model}
      columns={[
        {
          id: "model",
          head: text.model,
          className: "min-w-40",
          cell: (row) => <TextLink href={modelRehearsal(row, props)}>{row.model}</TextLink>,
        },
        {
          id: "fate",
          head: text.fate,
          card: "corner",
          className: "whitespace-nowrap",
          cell: (row) => {
            const fate = fateOf(row, props.node);
            return <Status tone={tones[fate]}>{text.fates[fate]}</Status>;
          },
        },
        { id: "now", head: text.goesNow, card: "wide", cell: ({ now }) => <Shares shares={now} /> },
        { id: "first", head: text.firstGets, card: "wide", cell: (row) => <First row={row} /> },
        {
          id: "later",
          head: text.goesLater,
          card: "wide",
          cell: ({ later: { answer, shares } }) =>
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

/** The rehearsal of one model with the same assumption. */
function modelRehearsal({ model, affected }: Rehearsed, { node, state }: { node: string; state: Fault }) {
  const assume = affected ? `&assume=${encodeURIComponent(writeSuppositions({ [node]: state }).join())}` : "";
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
  const format = useFormat();
  if (shares.length === 0) return "–";
  return (
    <ul className="grid gap-0.5">
      {[...shares]
        .sort((a, b) => b.share - a.share)
        .map(({ node, share }) => (
          <li key={node} className="flex flex-wrap gap-x-2">
            <span className="wrap-anywhere">{node}</span>
            {shares.length > 1 && (
              <span className="tabular text-muted">{format.percent(Math.round(share * 100) / 100)}</span>
            )}
          </li>
        ))}
    </ul>
  );
}
