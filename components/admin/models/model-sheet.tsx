"use client";

import { useState } from "react";
import { FormFrame } from "@/components/forms/form-frame";
import { type FieldErrors, useRecordForm } from "@/components/forms/use-record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Facts } from "../../ui/card";
import { Sheet } from "../../ui/dialog";
import { Tabs } from "../../ui/tabs";
import { toast } from "../../ui/toast";
import { onlyChanges } from "../draft";
import { ManagedNote } from "../managed-note";
import type { AdminModel } from "../types";
import { useAdminCall } from "../use-admin-change";
import { type DetailsBody, type DetailsDraft, detailsDraftOf, readDetails } from "./details-draft";
import { DetailsFields, detailsShown } from "./details-fields";
import { PricesTab } from "./prices-tab";
import { type RouteBody, type RouteDraft, readRoutes, routeDraftsOf } from "./route-draft";
import { RouteEditor } from "./route-editor";
import { RouteList } from "./route-list";

export type ModelTab = "details" | "routes" | "prices";

/** One model in parts that are saved one by one. */
export function ModelSheet(props: { model: AdminModel; tab: ModelTab; onClose: () => void }) {
  const text = useMessages("adminModels");
  const { model, onClose } = props;
  const [tab, setTab] = useState<ModelTab>(props.tab);
  const tabs = [
    { value: "details" as const, content: <Details model={model} onClose={onClose} /> },
    { value: "routes" as const, content: <Routes model={model} onClose={onClose} /> },
    { value: "prices" as const, content: <PricesTab model={model} onClose={onClose} /> },
  ];
  return (
    <Sheet open onClose={onClose} title={model.alias}>
      <div className="grid gap-4">
        {model.managedByFile && <ManagedNote />}
        <Tabs
          label={text.tabsLabel}
          value={tab}
          onChange={setTab}
          tabs={tabs.map((entry) => ({ ...entry, label: text.tabs[entry.value] }))}
        />
      </div>
    </Sheet>
  );
}

function Details(props: { model: AdminModel; onClose: () => void }) {
  return props.model.managedByFile ? <DetailsFacts model={props.model} /> : <DetailsForm {...props} />;
}

function DetailsForm(props: { model: AdminModel; onClose: () => void }) {
  const text = useMessages("adminModels");
  const admin = useMessages("admin");
  const common = useMessages("common");
  const call = useAdminCall();
  const { onClose } = props;
  // The record when the form opened, so that later changes of others are not reverted.
  const [model] = useState(props.model);
  const form = useRecordForm<DetailsDraft, DetailsBody>({
    initial: detailsDraftOf(model),
    read: (draft) => {
      const errors: FieldErrors = {};
      const body = readDetails(draft, text, admin, errors);
      return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, body };
    },
    send: async (whole) => {
      const body = onlyChanges(whole, model);
      if (Object.keys(body).length > 0) {
        await call("PATCH /api/admin/models/{id}", { params: { id: model.id }, body });
        toast.done(fill(text.saved, { name: whole.alias }));
      }
      onClose();
    },
  });
  return (
    <FormFrame form={form} shown={detailsShown} submitLabel={common.save} onCancel={onClose}>
      <DetailsFields draft={form.draft} onChange={form.change} errors={form.errors} />
    </FormFrame>
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
  return props.model.managedByFile ? <RouteList model={props.model} /> : <RoutesForm {...props} />;
}

function RoutesForm(props: { model: AdminModel; onClose: () => void }) {
  const text = useMessages("adminModels");
  const admin = useMessages("admin");
  const call = useAdminCall();
  const { model, onClose } = props;
  const form = useRecordForm<{ routes: RouteDraft[] }, RouteBody[]>({
    initial: { routes: routeDraftsOf(model) },
    read: (draft) => {
      const errors: FieldErrors = {};
      const body = readRoutes(draft.routes, admin, errors);
      return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, body };
    },
    send: async (routes) => {
      await call("PATCH /api/admin/models/{id}", { params: { id: model.id }, body: { routes } });
      toast.done(fill(text.routesSaved, { name: model.alias }));
      onClose();
    },
  });
  const shown = form.draft.routes.flatMap((_, index) =>
    ["node", "model", "priority", "weight"].map((name) => `routes.${index}.${name}`),
  );
  return (
    <FormFrame form={form} shown={shown} submitLabel={text.saveRoutes} onCancel={onClose}>
      <RouteEditor
        routes={form.draft.routes}
        onChange={(routes) => form.change({ routes })}
        errors={form.errors}
      />
    </FormFrame>
  );
}
