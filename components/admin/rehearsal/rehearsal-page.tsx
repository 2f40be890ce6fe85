"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from "nuqs";
import type { AdminModel, AssumedState, NodeView } from "../../api/admin/types";
import { callApi } from "../../api/client";
import { QueryRegion } from "../../api/query-region";
import { keyUnder } from "../../api/read";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Card, PageHeader } from "../../ui/card";
import { Field, Select } from "../../ui/field";
import { Segmented } from "../../ui/segmented";
import { EmptyState } from "../../ui/states";
import { NodeStage } from "./node-stage";
import { RehearsalResult } from "./rehearsal-result";
import { readSuppositions, type Supposition, suppositions, writeSuppositions } from "./suppositions";

const subjects = ["model", "node"] as const;

/** Simulates requests with assumed states of nodes. */
export function RehearsalPage() {
  const text = useMessages("rehearsal");
  const models = useRead("GET /api/admin/models");
  const [of, setOf] = useQueryState("of", parseAsStringLiteral(subjects).withDefault("model"));
  const ByOne = of === "model" ? Stage : NodeStage;
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={
          <Segmented
            label={text.of}
            value={of}
            onChange={(subject) => void setOf(subject)}
            options={subjects.map((value) => ({ value, label: text.subjects[value] }))}
          />
        }
      />
      <QueryRegion query={models}>
        {(list) => {
          const live = list.data.filter((model) => model.live);
          return live.length === 0 ? <EmptyState title={text.noModels} /> : <ByOne models={live} />;
        }}
      </QueryRegion>
    </>
  );
}

/** The model that a failing node tells most about. */
function withMostNodes(models: AdminModel[]): AdminModel | undefined {
  const nodes = (model: AdminModel) => new Set(model.routes.map(({ node }) => node)).size;
  return models.toSorted((a, b) => nodes(b) - nodes(a))[0];
}

function Stage(props: { models: AdminModel[] }) {
  const text = useMessages("rehearsal");
  const [url, setUrl] = useQueryStates({
    model: parseAsString,
    assume: parseAsArrayOf(parseAsString).withDefault([]),
  });
  const supposed = readSuppositions(url.assume);
  const model =
    props.models.find((candidate) => candidate.alias === url.model) ?? withMostNodes(props.models);
  const nodes = useEnabledNodes(model);
  const enabled = nodes.map(({ name }) => name);
  const relevant = Object.fromEntries(enabled.map((name) => [name, supposed[name] ?? "now"]));
  if (model === undefined) return null;
  const suppose = (states: Record<string, Supposition>) => setUrl({ assume: writeSuppositions(states) });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[360px_minmax(0,1fr)]">
      <div className="grid gap-4">
        <Field label={text.model}>
          {(control) => (
            <Select
              {...control}
              value={model.alias}
              options={props.models.map(({ alias }) => ({ value: alias, label: alias }))}
              onChange={(event) => setUrl({ model: event.target.value })}
            />
          )}
        </Field>
        <Card
          title={text.nodes}
          actions={
            <span className="flex flex-wrap gap-2">
              <Button
                size="sm"
                onClick={() => suppose(Object.fromEntries(enabled.map((name) => [name, "ejected"])))}
              >
                {text.allOpen}
              </Button>
              <Button size="sm" onClick={() => suppose({})}>
                {text.allNow}
              </Button>
            </span>
          }
        >
          <div className="grid gap-3">
            {nodes.map(({ name, now }) => (
              <SuppositionField
                key={name}
                node={name}
                now={now}
                value={relevant[name] ?? "now"}
                onChange={(state) => suppose({ ...supposed, [name]: state })}
              />
            ))}
          </div>
        </Card>
      </div>
      <Outcome model={model.alias} supposed={relevant} />
    </div>
  );
}

type CircuitState = NodeView["health"]["circuit"]["state"];

/** The nodes of a model that can be called at all, each once, and how they are for it now. */
function useEnabledNodes(model: AdminModel | undefined): { name: string; now: CircuitState }[] {
  const nodes = useRead("GET /api/admin/nodes").data?.data ?? [];
  const routes = model?.routes ?? [];
  return [...new Set(routes.map((route) => route.node))].flatMap((name) => {
    const node = nodes.find((one) => one.name === name && one.enabled);
    const upstream = routes.filter((route) => route.node === name).map((route) => route.model);
    return node === undefined ? [] : [{ name, now: stateFor(node, upstream) }];
  });
}

/** The gravest state of a node's own circuit and of those of the upstream models. */
function stateFor({ health }: NodeView, upstream: string[]): CircuitState {
  const circuits = [
    health.circuit,
    ...health.models.filter(({ upstreamModel }) => upstream.includes(upstreamModel)),
  ];
  const states = new Set<string>(circuits.map(({ state }) => state));
  return graveFirst.find((state) => states.has(state)) ?? "healthy";
}

const graveFirst = ["ejected", "cooling", "half-open"] as const;

function SuppositionField(props: {
  node: string;
  now: CircuitState;
  value: Supposition;
  onChange: (state: Supposition) => void;
}) {
  const text = useMessages("rehearsal");
  return (
    <Field
      label={
        <>
          <span className="sr-only">{fill(text.supposeFor, { name: "" })}</span>
          <span className="break-all">{props.node}</span>
        </>
      }
    >
      {(control) => (
        <Select
          {...control}
          value={props.value}
          options={suppositions.map((value) => ({
            value,
            label: fill(text.suppositions[value], { state: text.suppositions[props.now] }),
          }))}
          onChange={(event) =>
            props.onChange(suppositions.find((value) => value === event.target.value) ?? "now")
          }
        />
      )}
    </Field>
  );
}

function Outcome(props: { model: string; supposed: Record<string, Supposition> }) {
  const assume: Record<string, AssumedState> = {};
  for (const [node, state] of Object.entries(props.supposed)) if (state !== "now") assume[node] = state;
  const rehearsal = useQuery({
    queryKey: [...keyUnder("/api/admin"), "rehearsal", props.model, assume],
    queryFn: ({ signal }) =>
      callApi("POST /api/admin/rehearsal", { signal, body: { model: props.model, assume } }),
    staleTime: 5_000,
  });
  return (
    <div className="min-w-0">
      <QueryRegion query={rehearsal}>{(result) => <RehearsalResult result={result} />}</QueryRegion>
    </div>
  );
}
