"use client";

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useFieldArray, useFormContext, useWatch } from "react-hook-form";
import type { ModelKind } from "@/lib/protocols/protocol";
import { hasPrices } from "@/lib/shared/prices/price-units";
import { emptyRoute, prioritiesAfterMove, type RouteDraft, shareOf } from "@/lib/shared/prices/route-draft";
import { useRead } from "../../api/use-read";
import { More, SelectField, TextField, useField } from "../../forms/fields";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { Note } from "../../ui/states";
import { ModelInput, useModelsHint } from "../nodes/model-choice";
import { PriceFields } from "./price-fields";

interface RoutesDraft {
  routes: RouteDraft[];
}

/** The routes of an alias: node, upstream model, priority and weight as numbers; order by buttons. */
export function RouteEditor(props: { kind: ModelKind }) {
  const text = useMessages("adminModels");
  const form = useFormContext<RoutesDraft>();
  const list = useFieldArray<RoutesDraft, "routes">({ name: "routes" });
  const routes = useWatch<RoutesDraft, "routes">({ name: "routes" });
  function move(index: number, other: number) {
    const priorities = prioritiesAfterMove(routes, index, other);
    list.swap(index, other);
    for (const [place, priority] of priorities.entries()) {
      form.setValue(`routes.${place}.priority`, priority, { shouldDirty: true });
    }
  }
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">{text.routesHint}</p>
      {list.fields.length === 0 && <Note tone="warning">{text.noRoutes}</Note>}
      <ol className="grid gap-3">
        {list.fields.map(({ id }, index) => (
          <li key={id} className="grid gap-3 rounded-lg border p-3">
            <RouteHead
              n={index + 1}
              last={index === list.fields.length - 1}
              onMove={(step) => move(index, index + step)}
              onRemove={() => list.remove(index)}
            />
            <RouteFields index={index} routes={routes} />
            <RouteCost index={index} route={routes[index]} kind={props.kind} />
          </li>
        ))}
      </ol>
      <Button className="justify-self-start" onClick={() => list.append(emptyRoute(routes))}>
        <Plus aria-hidden className="size-4" />
        {text.addRoute}
      </Button>
    </div>
  );
}

function RouteHead(props: {
  n: number;
  last: boolean;
  onMove: (step: 1 | -1) => void;
  onRemove: () => void;
}) {
  const text = useMessages("adminModels");
  const { n } = props;
  const actions = [
    { label: text.moveUp, icon: ArrowUp, off: n === 1, run: () => props.onMove(-1) },
    { label: text.moveDown, icon: ArrowDown, off: props.last, run: () => props.onMove(1) },
    { label: text.removeRoute, icon: Trash2, off: false, run: props.onRemove },
  ];
  return (
    <div className="flex items-center justify-between gap-2">
      <h4 className="text-sm font-semibold">{fill(text.route, { n })}</h4>
      <span className="flex gap-1">
        {actions.map(({ label, icon: Icon, off, run }) => (
          <Button
            key={label}
            variant="ghost"
            size="icon"
            disabled={off}
            aria-label={fill(label, { n })}
            title={fill(label, { n })}
            onClick={run}
          >
            <Icon aria-hidden className="size-4" />
          </Button>
        ))}
      </span>
    </div>
  );
}

function RouteFields(props: { index: number; routes: RouteDraft[] }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const nodes = useRead("GET /api/admin/nodes").data?.data ?? [];
  const { index, routes } = props;
  const route = routes[index];
  const share = route === undefined ? null : shareOf(route, routes);
  const stored = route === undefined || route.node === "" ? [] : [route.node];
  const names = [...new Set([...nodes.map((node) => node.name), ...stored])];
  const options = names.map((name) => ({ value: name, label: name }));
  return (
    <>
      <SelectField<RoutesDraft>
        name={`routes.${index}.node`}
        label={text.node}
        options={[{ value: "", label: text.chooseNode }, ...options]}
      />
      <ModelField index={index} nodeId={nodes.find((node) => node.name === route?.node)?.id ?? null} />
      <div className="grid grid-cols-2 gap-3">
        <TextField<RoutesDraft> name={`routes.${index}.priority`} label={text.priority} inputMode="numeric" />
        <TextField<RoutesDraft>
          name={`routes.${index}.weight`}
          label={text.weight}
          hint={share === null ? undefined : fill(text.share, { share: format.percent(share) })}
          inputMode="numeric"
        />
      </div>
    </>
  );
}

/** The node is asked for its models when the field gets the focus. */
function ModelField(props: { index: number; nodeId: string | null }) {
  const text = useMessages("adminModels");
  const [wanted, setWanted] = useState(false);
  const { field, errors } = useField(`routes.${props.index}.model`);
  const asked = wanted ? props.nodeId : null;
  const list = useRead(
    "GET /api/admin/nodes/{id}/models",
    { params: { id: asked ?? "" } },
    { enabled: asked !== null },
  );
  const nodes = useRead("GET /api/admin/nodes").data?.data ?? [];
  const hint = useModelsHint(list, nodes.find(({ id }) => id === props.nodeId)?.baseUrl ?? "");
  const typed = String(field.value).trim();
  const listed = list.data?.models ?? [];
  const isUnknown = typed !== "" && listed.length > 0 && !listed.some(({ id }) => id === typed);
  const unknown = <span className="text-warning">{fill(text.notListed, { model: typed })}</span>;
  return (
    <Field label={text.upstreamModel} hint={isUnknown ? unknown : hint} errors={errors}>
      {(control) => <ModelInput {...control} {...field} models={listed} onFocus={() => setWanted(true)} />}
    </Field>
  );
}

/** What the node of a route charges; folded away where it is not known. */
function RouteCost(props: { index: number; route: RouteDraft | undefined; kind: ModelKind }) {
  const text = useMessages("adminModels");
  const { index, route, kind } = props;
  const [open] = useState(() => route !== undefined && hasPrices(route.cost));
  return (
    <More label={text.routeCost} open={open}>
      <p className="text-sm text-muted">{text.routeCostHint}</p>
      {/* Lists in the cost of a route that has moved begin anew under their new names. */}
      <PriceFields key={index} kind={kind} prefix={`routes.${index}.cost.`} now={null} />
    </More>
  );
}
