"use client";

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import type { FieldErrors } from "@/components/forms/use-record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Field, Input, Select } from "../../ui/field";
import { Note } from "../../ui/states";
import { useNodes } from "../queries";
import { emptyRoute, moved, type RouteDraft, shareOf } from "./route-draft";

/** The routes of an alias: node, upstream model, priority and weight as numbers; order by buttons. */
export function RouteEditor(props: {
  routes: RouteDraft[];
  onChange: (routes: RouteDraft[]) => void;
  errors: FieldErrors;
}) {
  const text = useMessages("adminModels");
  const { routes, onChange, errors } = props;
  const replace = (index: number, part: Partial<RouteDraft>) =>
    onChange(routes.map((route, at) => (at === index ? { ...route, ...part } : route)));
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">{text.routesHint}</p>
      {routes.length === 0 && <Note tone="warning">{text.noRoutes}</Note>}
      <ol className="grid gap-3">
        {routes.map((route, index) => (
          <RouteCard
            key={route.key}
            route={route}
            index={index}
            routes={routes}
            errors={errors}
            onReplace={(part) => replace(index, part)}
            onMove={(step) => onChange(moved(routes, index, step))}
            onRemove={() => onChange(routes.filter((_, at) => at !== index))}
          />
        ))}
      </ol>
      <Button className="justify-self-start" onClick={() => onChange([...routes, emptyRoute(routes)])}>
        <Plus aria-hidden className="size-4" />
        {text.addRoute}
      </Button>
    </div>
  );
}

interface CardProps {
  route: RouteDraft;
  index: number;
  routes: RouteDraft[];
  errors: FieldErrors;
  onReplace: (part: Partial<RouteDraft>) => void;
  onMove: (step: 1 | -1) => void;
  onRemove: () => void;
}

function RouteCard(props: CardProps) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const { route, index, errors } = props;
  const share = shareOf(route, props.routes);
  const number = (name: "priority" | "weight", hint?: string) => (
    <Field label={text[name]} hint={hint} errors={errors[`routes.${index}.${name}`]}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          value={route[name]}
          onChange={(event) => props.onReplace({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <li className="grid gap-3 rounded-lg border p-3">
      <RouteHead {...props} />
      <NodeField {...props} />
      <Field label={text.upstreamModel} errors={errors[`routes.${index}.model`]}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            value={route.model}
            onChange={(event) => props.onReplace({ model: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        {number("priority")}
        {number("weight", share === null ? undefined : fill(text.share, { share: format.percent(share) }))}
      </div>
    </li>
  );
}

function RouteHead(props: CardProps) {
  const text = useMessages("adminModels");
  const { index } = props;
  const n = index + 1;
  const actions = [
    { label: text.moveUp, icon: ArrowUp, off: index === 0, run: () => props.onMove(-1) },
    {
      label: text.moveDown,
      icon: ArrowDown,
      off: index === props.routes.length - 1,
      run: () => props.onMove(1),
    },
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

function NodeField(props: CardProps) {
  const text = useMessages("adminModels");
  const nodes = useNodes().data?.data ?? [];
  const { route, index, errors } = props;
  const names = [...new Set([...nodes.map((node) => node.name), ...(route.node === "" ? [] : [route.node])])];
  return (
    <Field label={text.node} errors={errors[`routes.${index}.node`]}>
      {(control) => (
        <Select
          {...control}
          value={route.node}
          options={[
            { value: "", label: text.chooseNode },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(event) => props.onReplace({ node: event.target.value })}
        />
      )}
    </Field>
  );
}
