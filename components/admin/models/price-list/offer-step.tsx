"use client";

import { useState } from "react";
import { changeBy, changesSomething, offerProblems } from "@/lib/shared/prices/offers";
import { typedMoment } from "@/lib/shared/typed";
import { fill, plural } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { selectColumn } from "../../../lists/select-column";
import { useSelection } from "../../../lists/use-selection";
import { Button } from "../../../ui/button";
import { DataTable } from "../../../ui/data-table";
import { DateInput } from "../../../ui/date-input";
import { DialogActions } from "../../../ui/dialog";
import { Checkbox, Field } from "../../../ui/field";
import { Note } from "../../../ui/states";
import type { ModelOffer } from "./model-offer";
import { useOfferColumns } from "./offer-columns";
import type { Order } from "./use-apply";

/** What the list changes of each model, and which of it is taken. */
export function OfferStep(props: {
  offers: ModelOffer[];
  /** How many models are done; null: nothing is being sent. */
  sending: number | null;
  onBack: () => void;
  onSend: (offers: ModelOffer[], order: Order) => unknown;
}) {
  const words = useMessages("adminModels");
  const text = words.list;
  const format = useFormat();
  const { offers, sending } = props;
  const { selection, chosen, replacesLimits, replaceLimits } = useChoice(offers);
  const [moment, setMoment] = useState("");
  const [past, setPast] = useState(false);
  const columns = useOfferColumns(replacesLimits);
  function send() {
    const validFrom = typedMoment(moment, format.timeZone);
    const isPast = validFrom !== undefined && !(Date.parse(validFrom) > Date.now());
    setPast(isPast);
    if (!isPast) props.onSend(chosen, { validFrom, replacesLimits });
  }
  if (offers.length === 0) return <NoOffers onBack={props.onBack} />;
  return (
    <div className="grid gap-4">
      <p className="text-sm">{text.offersLead}</p>
      <DataTable
        caption={text.caption}
        rows={offers}
        rowId={({ id }) => id}
        columns={[
          selectColumn({
            rows: offers,
            selection,
            label: words.selectAll,
            hint: words.selectHint,
            labelOf: ({ model }) => fill(words.selectOne, { name: model.alias }),
          }),
          ...columns,
        ]}
      />
      <Checkbox
        label={text.replaceLimits}
        checked={replacesLimits}
        onChange={({ target }) => replaceLimits(target.checked)}
      />
      <ValidFrom
        moment={moment}
        past={past}
        onMoment={(typed) => {
          setPast(false);
          setMoment(typed);
        }}
      />
      <DialogActions>
        <Button disabled={sending !== null} onClick={props.onBack}>
          {text.back}
        </Button>
        <Button variant="primary" disabled={sending !== null || chosen.length === 0} onClick={send}>
          {sending === null
            ? plural(text.apply, chosen.length, format.locale)
            : fill(text.applying, { done: sending, count: chosen.length })}
        </Button>
      </DialogActions>
    </div>
  );
}

/** The models that are taken: all that would change and look right, unless the reader chooses otherwise. */
function useChoice(offers: ModelOffer[]) {
  const [replacesLimits, setReplacesLimits] = useState(false);
  const changes = (offer: ModelOffer, limits: boolean) =>
    !offer.model.managedByFile && changesSomething(changeBy(offer, limits));
  const takes = (offer: ModelOffer) => changes(offer, replacesLimits);
  const looksRight = (offer: ModelOffer) => offerProblems(offer).length === 0;
  const selection = useSelection(
    undefined,
    takes,
    offers.filter((offer) => takes(offer) && looksRight(offer)),
  );
  function replaceLimits(wanted: boolean) {
    setReplacesLimits(wanted);
    // Models of which nothing else changes are ticked as the others were.
    if (wanted)
      selection.set(
        offers.filter((offer) => !takes(offer) && changes(offer, true)),
        true,
      );
  }
  return { selection, chosen: selection.rows.filter(takes), replacesLimits, replaceLimits };
}

function NoOffers(props: { onBack: () => void }) {
  const text = useMessages("adminModels").list;
  return (
    <div className="grid gap-4">
      <Note tone="info">{text.noMatches}</Note>
      <DialogActions>
        <Button onClick={props.onBack}>{text.back}</Button>
      </DialogActions>
    </div>
  );
}

/** When the prices come into force. */
function ValidFrom(props: { moment: string; past: boolean; onMoment: (typed: string) => void }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  return (
    <Field
      label={fill(text.validFrom, { zone: format.zoneLabel() })}
      hint={text.list.validFromHint}
      errors={props.past ? ["must not be in the past"] : undefined}
    >
      {(control) => <DateInput {...control} kind="moment" value={props.moment} onChange={props.onMoment} />}
    </Field>
  );
}
