"use client";

import { FormFrame } from "@/components/forms/form-frame";
import { type FieldErrors, useRecordForm } from "@/components/forms/use-record-form";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Sheet } from "../../ui/dialog";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";
import { type DetailsBody, type DetailsDraft, detailsDraftOf, readDetails } from "./details-draft";
import { DetailsFields, detailsShown } from "./details-fields";
import { type PriceBody, type PriceDraft, PriceFields, priceDraftOf, readPrices } from "./price-fields";
import { emptyRoute, type RouteBody, type RouteDraft, readRoutes } from "./route-draft";
import { RouteEditor } from "./route-editor";

interface ModelDraft {
  details: DetailsDraft;
  routes: RouteDraft[];
  prices: PriceDraft;
}

type ModelBody = DetailsBody & { routes: RouteBody[]; prices: PriceBody };

/** Creates a model with its routes and first price. */
export function CreateModelSheet(props: { onClose: () => void }) {
  const text = useMessages("adminModels");
  return (
    <Sheet open onClose={props.onClose} title={text.createTitle}>
      <CreateModelForm onClose={props.onClose} />
    </Sheet>
  );
}

function CreateModelForm(props: { onClose: () => void }) {
  const text = useMessages("adminModels");
  const admin = useMessages("admin");
  const call = useAdminCall();
  const form = useRecordForm<ModelDraft, ModelBody>({
    keep: { name: "model" },
    initial: { details: detailsDraftOf(null), routes: [emptyRoute([])], prices: priceDraftOf(null) },
    read: (draft) => {
      const errors: FieldErrors = {};
      const details = readDetails(draft.details, text, admin, errors);
      const routes = readRoutes(draft.routes, admin, errors);
      const prices = readPrices(draft.prices, text, errors, draft.details.kind, "prices.");
      if (prices === null || Object.keys(errors).length > 0) return { ok: false, errors };
      return { ok: true, body: { ...details, routes, prices } };
    },
    send: async (body) => {
      await call("POST /api/admin/models", { body });
      props.onClose();
      toast.done(fill(text.saved, { name: body.alias }));
    },
  });
  const { draft, change, errors } = form;
  const heading = (words: string) => <h3 className="mt-2 text-sm font-semibold">{words}</h3>;
  return (
    <FormFrame
      form={form}
      shown={[...detailsShown, ...Object.keys(errors).filter((name) => /^(routes|prices)\./.test(name))]}
      submitLabel={text.create}
      onCancel={props.onClose}
    >
      <DetailsFields
        draft={draft.details}
        onChange={(part) => change({ details: { ...draft.details, ...part } })}
        errors={errors}
      />
      {heading(text.tabs.routes)}
      <RouteEditor routes={draft.routes} onChange={(routes) => change({ routes })} errors={errors} />
      {heading(text.tabs.prices)}
      <PriceFields
        draft={draft.prices}
        onChange={(prices) => change({ prices })}
        errors={errors}
        kind={draft.details.kind}
        prefix="prices."
        now={null}
      />
    </FormFrame>
  );
}
