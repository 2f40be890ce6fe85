"use client";

import { useState } from "react";
import { useWatch } from "react-hook-form";
import { costProblems, typedCosts } from "@/lib/shared/prices/price-check";
import { type RouteDraft, routeDraftsOf, routesBody } from "@/lib/shared/prices/route-draft";
import type { AdminModel } from "../../api/admin/types";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Facts } from "../../ui/card";
import { Drawer } from "../../ui/drawer";
import { toast } from "../../ui/toast";
import { LeftFileNote, ManagedNote } from "../managed-note";
import { useAdminCall, useUndo } from "../use-admin-change";
import { detailsBody, detailsDraftOf, MainDetails, MoreDetails } from "./details-fields";
import { PriceDoubt, useDoubt } from "./price-doubt";
import { PriceCheckOfModel } from "./price-preview";
import { PricesTab } from "./prices-tab";
import { RouteEditor } from "./route-editor";

export type ModelTab = "details" | "routes" | "prices";

/** One model in parts that are saved one by one; what is typed in the others stays. */
export function ModelSheet(props: {
  model: AdminModel;
  tab: ModelTab;
  onTab: (tab: ModelTab) => void;
  onClose: () => void;
}) {
  const text = useMessages("adminModels");
  const { model, onClose } = props;
  const [tab, setTab] = useState<ModelTab>(props.tab);
  const tabs = [
    { value: "details" as const, content: <Details model={model} onClose={onClose} /> },
    { value: "routes" as const, content: <Routes model={model} onClose={onClose} /> },
    { value: "prices" as const, content: <PricesTab model={model} onClose={onClose} /> },
  ];
  return (
    <Drawer
      onClose={onClose}
      title={model.alias}
      tabs={{
        label: text.tabsLabel,
        value: tab,
        onChange: (chosen) => {
          setTab(chosen);
          props.onTab(chosen);
        },
        keep: true,
        tabs: tabs.map((entry) => ({ ...entry, label: text.tabs[entry.value] })),
      }}
    >
      {model.managedByFile && <ManagedNote />}
      {model.leftFileAt !== null && <LeftFileNote since={model.leftFileAt} />}
    </Drawer>
  );
}

function Details(props: { model: AdminModel; onClose: () => void }) {
  return props.model.managedByFile ? <DetailsFacts model={props.model} /> : <DetailsForm {...props} />;
}

function DetailsForm(props: { model: AdminModel; onClose: () => void }) {
  const text = useMessages("adminModels");
  const common = useMessages("common");
  const call = useAdminCall();
  const { model, onClose } = props;
  const { alsoKnownAs, contextWindow, maxOutputTokens, defaultMaxTokens, profile } = model;
  const numbers = [contextWindow, maxOutputTokens, defaultMaxTokens].some((value) => value !== null);
  return (
    <RecordForm
      operation="PATCH /api/admin/models/{id}"
      params={{ id: model.id }}
      record={model}
      call={call}
      initial={detailsDraftOf(model)}
      toBody={detailsBody}
      stays
      onSent={({ alias }) => {
        toast.done(fill(text.saved, { name: alias }));
      }}
      submitLabel={common.save}
      onCancel={onClose}
    >
      <MainDetails />
      <MoreDetails open={numbers || alsoKnownAs.length > 0 || Object.keys(profile).length > 0} />
    </RecordForm>
  );
}

function DetailsFacts(props: { model: AdminModel }) {
  const text = useMessages("adminModels");
  const common = useMessages("common");
  const format = useFormat();
  const { model } = props;
  const count = (value: number | null) => (value === null ? common.none : format.countFull(value));
  return (
    <Facts
      rows={[
        [text.alias, model.alias],
        [text.kind, text.kinds[model.kind]],
        [text.displayName, model.displayName || common.none],
        [text.alsoKnownAs, model.alsoKnownAs.join(", ") || common.none],
        [text.contextWindow, count(model.contextWindow)],
        [text.maxOutputTokens, count(model.maxOutputTokens)],
        [text.defaultMaxTokens, count(model.defaultMaxTokens)],
        [text.profile, <code key="profile">{JSON.stringify(model.profile)}</code>],
        [text.enabledLabel, model.enabled ? common.yes : common.no],
      ]}
    />
  );
}

function Routes(props: { model: AdminModel; onClose: () => void }) {
  const { model } = props;
  const [restored, setRestored] = useState<string[]>([]);
  if (model.managedByFile) return <RouteList model={model} />;
  // A form of its own for the routes that are back, once the page has read them.
  const times = restored.filter((moment) => moment <= model.updatedAt).length;
  return <RoutesForm key={times} {...props} onRestored={(moment) => setRestored([...restored, moment])} />;
}

function RoutesForm(props: {
  model: AdminModel;
  onClose: () => void;
  onRestored: (updatedAt: string) => void;
}) {
  const text = useMessages("adminModels");
  const call = useAdminCall();
  const undoing = useUndo();
  const { model, onClose } = props;
  const doubt = useDoubt();
  const params = { id: model.id };
  const before = model.routes.map(({ nodeId: _, protocol: __, ...route }) => route);
  return (
    <RecordForm
      operation="PATCH /api/admin/models/{id}"
      params={params}
      record={model}
      call={call}
      initial={{ routes: routeDraftsOf(model) }}
      toBody={({ routes }) => ({ routes: routesBody(routes, model.kind) })}
      confirm={({ routes }) => doubt.ask(costProblems(model, typedCosts(routes, model.kind)))}
      stays
      onSent={({ alias, routes }) => {
        toast.done(fill(text.routesSaved, { name: alias }), {
          action: undoing({
            send: async (again) => {
              const body = { routes: before };
              const back = await again("PATCH /api/admin/models/{id}", { params, body, loaded: { routes } });
              props.onRestored(back.updatedAt);
            },
            done: fill(text.routesRestored, { name: alias }),
          }),
        });
      }}
      submitLabel={text.saveRoutes}
      onCancel={onClose}
    >
      <RouteEditor kind={model.kind} />
      <TypedCosts model={model} />
      <PriceDoubt doubt={doubt} of="costs" name={model.alias} />
    </RecordForm>
  );
}

/** What the typed costs leave of the prices in force. */
function TypedCosts({ model }: { model: AdminModel }) {
  const drafts: RouteDraft[] = useWatch({ name: "routes" });
  const routes = typedCosts(drafts, model.kind);
  const problems = costProblems(model, routes);
  return <PriceCheckOfModel {...model} now={model.prices} routes={routes} problems={problems} />;
}

/** The routes of a model, read-only. */
function RouteList(props: { model: AdminModel }) {
  const text = useMessages("adminModels");
  const nodes = useMessages("adminNodes");
  const { routes } = props.model;
  if (routes.length === 0) return <p className="text-sm text-muted">{text.noRoutes}</p>;
  return (
    <ol className="grid gap-2 text-sm">
      {routes.map((route) => (
        <li key={`${route.nodeId} ${route.model}`} className="grid gap-0.5">
          <span className="wrap-anywhere">
            <span className="font-medium">{route.node}</span>
            <span className="text-muted"> → </span>
            <span className="font-mono text-xs break-all">{route.model}</span>
          </span>
          <span className="text-xs text-muted">
            {fill(nodes.priorityWeight, { priority: route.priority, weight: route.weight })}
          </span>
        </li>
      ))}
    </ol>
  );
}
