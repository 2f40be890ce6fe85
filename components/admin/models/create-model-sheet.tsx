"use client";

import { useState } from "react";
import { useWatch } from "react-hook-form";
import type { ModelKind } from "@/lib/protocols/protocol";
import { type Pricing, priceProblems, typedCosts, typedPrices } from "@/lib/shared/prices/price-check";
import { type PriceDraft, priceBody, priceDraftOf } from "@/lib/shared/prices/price-units";
import { emptyRoute, type RouteDraft, routesBody } from "@/lib/shared/prices/route-draft";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Drawer } from "../../ui/drawer";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";
import { detailsBody, detailsDraftOf, MainDetails, MoreDetails } from "./details-fields";
import { PriceDoubt, useDoubt } from "./price-doubt";
import { PriceFields } from "./price-fields";
import { ListedPrices } from "./price-list/listed-prices";
import { PriceCheck } from "./price-preview";
import { RouteEditor } from "./route-editor";

const blank = { ...detailsDraftOf(null), routes: [emptyRoute([])], prices: priceDraftOf(null) };

/** The first prices and the routes as typed. */
function typedPricing(draft: { kind: ModelKind; prices: PriceDraft; routes: RouteDraft[] }): Pricing {
  const { kind, prices, routes } = draft;
  return { kind, prices: typedPrices(prices, kind), now: null, routes: typedCosts(routes, kind) };
}

/** Creates a model with its routes and first price. */
export function CreateModelSheet(props: { onClose: () => void }) {
  const text = useMessages("adminModels");
  const call = useAdminCall();
  const doubt = useDoubt();
  const [asked, setAsked] = useState("");
  return (
    <Drawer onClose={props.onClose} title={text.createTitle}>
      <RecordForm
        operation="POST /api/admin/models"
        call={call}
        keep={{ name: "model" }}
        initial={blank}
        toBody={({ routes, prices, ...details }) => ({
          ...detailsBody(details),
          routes: routesBody(routes, details.kind),
          prices: priceBody(prices, details.kind),
        })}
        confirm={(draft) => {
          setAsked(draft.alias.trim());
          return doubt.ask(priceProblems(typedPricing(draft)));
        }}
        onSent={({ alias }) => {
          props.onClose();
          toast.done(fill(text.saved, { name: alias }));
        }}
        submitLabel={text.create}
        onCancel={props.onClose}
      >
        <CreateFields />
        <PriceDoubt doubt={doubt} of="prices" name={asked} />
      </RecordForm>
    </Drawer>
  );
}

function CreateFields() {
  const text = useMessages("adminModels");
  const [kind, alias, routes] = useWatch<typeof blank, ["kind", "alias", "routes"]>({
    name: ["kind", "alias", "routes"],
  });
  const heading = (words: string) => <h3 className="mt-2 text-sm font-semibold">{words}</h3>;
  return (
    <>
      <MainDetails />
      {heading(text.tabs.routes)}
      <RouteEditor kind={kind} />
      {heading(text.tabs.prices)}
      <ListedPrices of={{ alias, kind, routes }} prefix="prices." />
      <PriceFields kind={kind} prefix="prices." now={null} />
      <TypedPricing />
      <MoreDetails open={false} />
    </>
  );
}

/** What the first prices leave of the typed costs. */
function TypedPricing() {
  const [kind, prices, routes] = useWatch<typeof blank, ["kind", "prices", "routes"]>({
    name: ["kind", "prices", "routes"],
  });
  return <PriceCheck {...typedPricing({ kind, prices, routes })} week={null} />;
}
