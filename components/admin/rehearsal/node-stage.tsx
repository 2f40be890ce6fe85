"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { sumDecimals } from "@/lib/shared/decimal";
import { type Fate, fates, type Outlook, outlooks } from "@/lib/shared/outlook";
import type { AdminModel, NodeView } from "../../api/admin/types";
import { callApi } from "../../api/client";
import { QueryRegion } from "../../api/query-region";
import { keyUnder } from "../../api/read";
import { useRead } from "../../api/use-read";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Checkbox, Field, Select } from "../../ui/field";
import { Fold } from "../../ui/fold";
import { EmptyState, Note } from "../../ui/states";
import { ModelsOutlook } from "./models-outlook";
import { type Fault, faults } from "./suppositions";

/** Supposes that one or more nodes fail, and shows what becomes of every model. */
export function NodeStage({ models }: { models: AdminModel[] }) {
  const nodes = useRead("GET /api/admin/nodes");
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
    with: parseAsArrayOf(parseAsString).withDefault([]),
    state: parseAsStringLiteral(faults).withDefault("down"),
  });
  const routesOf = ({ name }: NodeView) =>
    models.flatMap(({ routes }) => routes.filter(({ node }) => node === name)).length;
  const [busiest] = nodes.toSorted((a, b) => routesOf(b) - routesOf(a));
  const node = nodes.find(({ name }) => name === url.node) ?? busiest;
  if (node === undefined) return <EmptyState title={text.noNodes} />;
  const others = nodes.map(({ name }) => name).filter((name) => name !== node.name);
  const failing = [node.name, ...others.filter((name) => url.with.includes(name))];
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
      {others.length > 0 && (
        <Together
          others={others}
          chosen={url.with}
          onChange={(names) => void setUrl({ with: names.length === 0 ? null : names })}
        />
      )}
      <Outcome failing={failing} state={url.state} known={{ models, nodes }} />
    </div>
  );
}

/** Other nodes that fail at the same time, as those of one provider do. */
function Together(props: { others: string[]; chosen: string[]; onChange: (names: string[]) => void }) {
  const text = useMessages("rehearsal");
  const { others, chosen, onChange } = props;
  return (
    <Fold
      heading={text.together}
      headingClass="min-h-6 w-fit text-sm"
      open={others.some((name) => chosen.includes(name)) || undefined}
    >
      <div className="mt-2 flex max-h-44 flex-wrap gap-x-6 gap-y-1 overflow-y-auto">
        {others.map((name) => (
          <Checkbox
            key={name}
            label={<span className="break-all">{name}</span>}
            checked={chosen.includes(name)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
      </div>
    </Fold>
  );
}

function Outcome(props: {
  failing: string[];
  state: Fault;
  known: { models: AdminModel[]; nodes: NodeView[] };
}) {
  const { failing, state, known } = props;
  const format = useFormat();
  const assume = Object.fromEntries(failing.map((name) => [name, state]));
  const rehearsal = useQuery({
    queryKey: [...keyUnder("/api/admin"), "rehearsal", "models", assume],
    queryFn: ({ signal }) => callApi("POST /api/admin/rehearsal/models", { signal, body: { assume } }),
    staleTime: 5_000,
  });
  const week = useRead("GET /api/admin/stats", { query: { period: "7d", tz: format.timeZone } }).data;
  return (
    <QueryRegion query={rehearsal}>
      {({ data }) => {
        const rows = outlooks(data, failing, { ...known, traffic: week?.modelBreakdown });
        return (
          <div className="grid min-w-0 gap-4">
            <Summary rows={rows} nodes={format.list(failing)} />
            <ModelsOutlook rows={rows} assume={assume} />
          </div>
        );
      }}
    </QueryRegion>
  );
}

/** So many models without service are named in the sentence. */
const MOST_NAMED = 5;

/** What callers notice, in one sentence, and how many models there are of each fate. */
function Summary({ rows, nodes }: { rows: Outlook[]; nodes: string }) {
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
  const others = stops.length - names.length;
  const models =
    others === 0
      ? format.list(names)
      : plural(text.andMore, others, format.locale, { names: names.join(text.nameGap) });
  const limits = [
    ...mostOf(goOn, "extraCost").map((share) => fill(text.upToCost, { share: format.percent(share) })),
    ...mostOf(goOn, "lostCapacity").map((share) => fill(text.upToCapacity, { share: format.percent(share) })),
  ];
  const terms = limits.length === 0 ? "" : fill(text.terms, { terms: format.list(limits) });
  const sentence = fill(goOn.length === 0 ? text.out : text.outWithOthers, {
    nodes,
    stops:
      stops.length === 0 ? text.noneStops : plural(text.someStop, stops.length, format.locale, { models }),
    goOn: plural(text.someGoOn, goOn.length, format.locale) + terms,
  });
  return (
    <Note role="status" {...look}>
      <p className="font-medium">{sentence}</p>
      <Stopped rows={stops} all={rows} />
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

/** What the models that lose service were asked and billed lately, as the table of all models shows amounts. */
function Stopped({ rows, all }: { rows: Outlook[]; all: Outlook[] }) {
  const text = useMessages("rehearsal");
  const format = useFormat();
  const traffic = rows.flatMap((row) => row.traffic ?? []);
  const requests = traffic.reduce((sum, { requestCount }) => sum + requestCount, 0);
  if (requests === 0) return null;
  const print = format.moneyColumn(all.flatMap((row) => row.traffic?.cost ?? []));
  const cost = print(sumDecimals(traffic.map((one) => one.cost)));
  return <p>{plural(text.stopped, requests, format.locale, { cost })}</p>;
}

/** The largest of known shares above zero, where there is one. */
function mostOf(rows: Outlook[], name: "extraCost" | "lostCapacity"): number[] {
  const most = Math.max(0, ...rows.map((row) => row[name] ?? 0));
  return most > 0 ? [most] : [];
}
