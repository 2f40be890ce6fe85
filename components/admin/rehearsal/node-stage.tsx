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
import type { AdminModel, NodeView } from "../types";
import { type Fate, fates, type Outlook, outlooks, type Rehearsed } from "./outlook";
import { useAboutShare } from "./rehearsal-result";
import { faults, writeSuppositions } from "./suppositions";

type Fault = (typeof faults)[number];

const tones: Record<Fate, StatusTone> = {
  stops: "danger",
  already: "danger",
  alone: "warning",
  moves: "normal",
  spare: "normal",
  stays: "normal",
};

/** Supposes that one node fails, and shows what becomes of every model. */
export function NodeStage({ models }: { models: AdminModel[] }) {
  const nodes = useNodes();
  return (
    <QueryRegion query={nodes}>
      {({ data }) => <Stage models={models} nodes={data.filter(({ enabled }) => enabled)} />}
    </QueryRegion>
  );
}

function Stage({ models, nodes }: { models: AdminModel[]; nodes: NodeView[] }) {
  const text = useMessages("rehearsal");
  const [url, setUrl] = useQueryStates({
    node: parseAsString,
    state: parseAsStringLiteral(faults).withDefault("down"),
  });
  const routesOf = ({ name }: NodeView) =>
    models.flatMap(({ routes }) => routes.filter(({ node }) => node === name)).length;
  const [busiest] = nodes.toSorted((a, b) => routesOf(b) - routesOf(a));
  const node = nodes.find(({ name }) => name === url.node) ?? busiest;
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
      <Outcome node={node.name} state={url.state} known={{ models, nodes }} />
    </div>
  );
}

function Outcome(props: { node: string; state: Fault; known: { models: AdminModel[]; nodes: NodeView[] } }) {
  const { node, state, known } = props;
  const rehearsal = useQuery({
    queryKey: [...adminKeys.all, "rehearsal", "models", node, state],
    queryFn: ({ signal }) =>
      callApi("POST /api/admin/rehearsal/models", { signal, body: { assume: { [node]: state } } }),
    staleTime: 5_000,
  });
  return (
    <QueryRegion query={rehearsal}>
      {({ data }) => {
        const rows = outlooks(data, node, known);
        return (
          <div className="grid min-w-0 gap-4">
            <Summary rows={rows} node={node} />
            <Models rows={rows} node={node} state={state} />
          </div>
        );
      }}
    </QueryRegion>
  );
}

/** So many models without service are named in the sentence. */
const MOST_NAMED = 5;

/** What callers notice, in one sentence, and how many models there are of each fate. */
function Summary({ rows, node }: { rows: Outlook[]; node: string }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const of = (...some: Fate[]) => rows.filter(({ fate }) => some.includes(fate));
  const [stops, goOn] = [of("stops"), of("alone", "moves", "spare")];
  const look =
    stops.length > 0
      ? ({ tone: "danger", icon: CircleX } as const)
      : of("alone").length > 0
        ? ({ tone: "warning", icon: TriangleAlert } as const)
        : ({ tone: "success", icon: CircleCheck } as const);
  const names = stops.slice(0, MOST_NAMED).map(({ model }) => model.model);
  const models = format.list(stops.length > MOST_NAMED ? [...names, "…"] : names);
  const limits = [
    ...mostOf(goOn, "extraCost").map((share) => fill(text.upToCost, { share: format.percent(share) })),
    ...mostOf(goOn, "lostCapacity").map((share) => fill(text.upToCapacity, { share: format.percent(share) })),
  ];
  const terms = limits.length === 0 ? "" : fill(text.terms, { terms: format.list(limits) });
  const sentence = fill(goOn.length === 0 ? text.out : text.outWithOthers, {
    node,
    stops:
      stops.length === 0 ? text.noneStops : plural(text.someStop, stops.length, format.locale, { models }),
    goOn: plural(text.someGoOn, goOn.length, format.locale) + terms,
  });
  return (
    <Note role="status" {...look}>
      <p className="font-medium">{sentence}</p>
      <ul>
        {fates
          .filter((fate): fate is Exclude<Fate, "stops"> => fate !== "stops" && of(fate).length > 0)
          .map((fate) => (
            <li key={fate}>{plural(text.fateCounts[fate], of(fate).length, format.locale)}</li>
          ))}
      </ul>
    </Note>
  );
}

/** The largest of known shares above zero, where there is one. */
function mostOf(rows: Outlook[], name: "extraCost" | "lostCapacity"): number[] {
  const most = Math.max(0, ...rows.map((row) => row[name] ?? 0));
  return most > 0 ? [most] : [];
}

/** Where the requests for each model go now, at first, and once the router has noticed. */
function Models(props: { rows: Outlook[]; node: string; state: Fault }) {
  const text = useMessages("rehearsal");
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
          cell: ({ model }) => <TextLink href={modelRehearsal(model, props)}>{model.model}</TextLink>,
        },
        {
          id: "fate",
          head: text.fate,
          card: "corner",
          className: "whitespace-nowrap",
          cell: (row) => <FateCell {...row} />,
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
