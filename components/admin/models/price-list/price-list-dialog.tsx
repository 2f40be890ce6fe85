"use client";

import { useState } from "react";
import { findPricesIn, offersOf } from "@/lib/shared/prices/offers";
import type { AdminModel } from "../../../api/admin/types";
import { DiscardGuard } from "../../../forms/discard-guard";
import { useMessages } from "../../../i18n/provider";
import type { Selection } from "../../../lists/use-selection";
import { Dialog } from "../../../ui/dialog";
import { BulkFailures } from "../../bulk/bulk-failures";
import { keepList, lastList } from "./last-list";
import { ListStep, type TypedList } from "./list-step";
import type { ModelOffer } from "./model-offer";
import { OfferStep } from "./offer-step";
import { type Applied, useApply } from "./use-apply";

type Step =
  | { name: "list" }
  | { name: "offers"; offers: ModelOffer[] }
  | { name: "progress"; offers: ModelOffer[] }
  | { name: "failures"; applied: Applied };

/** Takes prices, provider costs and limits of models from a list: the list, what it changes, and what failed. */
export function PriceListDialog(props: {
  models: AdminModel[];
  selection: Selection<AdminModel>;
  onClose: () => void;
}) {
  const words = useMessages("adminModels");
  const text = words.list;
  const [list, setList] = useState<TypedList>({
    file: null,
    pasted: "",
    ...(lastList()?.terms ?? { rate: "", markup: "0" }),
  });
  const [step, setStep] = useState<Step>({ name: "list" });
  const { apply, done } = useApply(props.selection);
  async function send(...[offers, order]: Parameters<typeof apply>) {
    setStep({ name: "progress", offers });
    const applied = await apply(offers, order);
    if (applied.failures.length === 0) props.onClose();
    else setStep({ name: "failures", applied });
  }
  if (step.name === "failures")
    return (
      <BulkFailures
        {...step.applied}
        words={{ ...words.bulk, partly: text.partly, none: text.none }}
        nameOf={(id) => props.models.find((model) => model.id === id)?.alias ?? id}
        onClose={props.onClose}
      />
    );
  return (
    <Dialog open onClose={props.onClose} title={text.title} size={step.name === "list" ? "lg" : "xl"}>
      {step.name === "list" && (
        <ListStep
          list={list}
          onList={setList}
          onRead={(entries, terms) => {
            keepList({ find: findPricesIn(entries, terms), terms });
            setStep({ name: "offers", offers: offersOf(props.models, entries, terms) });
          }}
        />
      )}
      {step.name !== "list" && (
        <OfferStep
          offers={step.offers}
          sending={step.name === "progress" ? done : null}
          onBack={() => setStep({ name: "list" })}
          onSend={send}
        />
      )}
      <DiscardGuard
        unsaved={list.file !== null || list.pasted.trim() !== ""}
        sending={step.name === "progress"}
      />
    </Dialog>
  );
}
