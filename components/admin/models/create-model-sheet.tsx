"use client";

import { useWatch } from "react-hook-form";
import { RecordForm } from "@/components/forms/record-form";
import type { ModelKind } from "@/lib/protocols/protocol";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Drawer } from "../../ui/drawer";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";
import { detailsBody, detailsDraftOf, MainDetails, MoreDetails } from "./details-fields";
import { PriceFields } from "./price-fields";
import { priceBody, priceDraftOf } from "./price-units";
import { emptyRoute, routesBody } from "./route-draft";
import { RouteEditor } from "./route-editor";

const blank = { ...detailsDraftOf(null), routes: [emptyRoute([])], prices: priceDraftOf(null) };

/** Creates a model with its routes and first price. */
export function CreateModelSheet(props: { onClose: () => void }) {
  const text = useMessages("adminModels");
  const call = useAdminCall();
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
        onSent={({ alias }) => {
          props.onClose();
          toast.done(fill(text.saved, { name: alias }));
        }}
        submitLabel={text.create}
        onCancel={props.onClose}
      >
        <CreateFields />
      </RecordForm>
    </Drawer>
  );
}

function CreateFields() {
  const text = useMessages("adminModels");
  const kind: ModelKind = useWatch({ name: "kind" });
  const heading = (words: string) => <h3 className="mt-2 text-sm font-semibold">{words}</h3>;
  return (
    <>
      <MainDetails />
      {heading(text.tabs.routes)}
      <RouteEditor kind={kind} />
      {heading(text.tabs.prices)}
      <PriceFields kind={kind} prefix="prices." now={null} />
      <MoreDetails open={false} />
    </>
  );
}
