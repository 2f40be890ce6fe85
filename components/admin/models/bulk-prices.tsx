"use client";

import { useWatch } from "react-hook-form";
import { marginOf, priceProblems, type TokenPrices } from "@/lib/shared/prices/price-check";
import { priceFactorOf, scaledPrices } from "@/lib/shared/prices/price-factor";
import { typedMoment } from "@/lib/shared/typed";
import type { AdminModel } from "../../api/admin/types";
import { MomentField, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { DataTable } from "../../ui/data-table";
import { Dialog } from "../../ui/dialog";
import type { BulkProps } from "../bulk/bulk-bar";
import { SMALL_CALL, shareText } from "./price-preview";
import type { ModelsChange } from "./use-models-change";
import { useChange } from "./use-models-change";

/** A typed factor, 1 where nothing is typed; null for one that is not taken. */
function factorOf(typed: string): number | null {
  const factor = priceFactorOf(typed) ?? 1;
  return typeof factor === "number" ? factor : null;
}

interface FactorDraft {
  priceFactor: string;
  validFrom: string;
}

/** Multiplies the prices of every ticked model that has some. */
export function BulkScale({ rows, onDone, onClose }: BulkProps<AdminModel, ModelsChange>) {
  const words = useMessages("adminModels");
  const text = words.bulk;
  const format = useFormat();
  const change = useChange();
  const priced = rows.filter(({ prices }) => prices !== null);
  return (
    <Dialog open onClose={onClose} title={plural(text.scaleTitle, priced.length, format.locale)}>
      <RecordForm
        operation="PATCH /api/admin/models"
        send={({ priceFactor, validFrom }) => change(priced, { priceFactor, validFrom })}
        initial={{ priceFactor: "", validFrom: "" }}
        toBody={({ priceFactor, validFrom }: FactorDraft) => ({
          priceFactor: priceFactorOf(priceFactor),
          validFrom: typedMoment(validFrom, format.timeZone),
        })}
        cannotSend={({ priceFactor }) => (factorOf(priceFactor) ?? 1) === 1}
        onSent={onDone}
        submitLabel={text.scaleAction}
        onCancel={onClose}
      >
        <TextField<FactorDraft>
          name="priceFactor"
          label={text.percent}
          hint={(typed) =>
            factorOf(typed) === null ? (
              <span className="text-danger">{text.percentRule}</span>
            ) : (
              text.percentHint
            )
          }
          rule={text.percentRule}
        />
        <MomentField<FactorDraft>
          name="validFrom"
          label={fill(words.validFrom, { zone: format.zoneLabel() })}
          hint={words.validFromHint}
        />
        <PricesAfter models={priced} />
        {priced.length < rows.length && (
          <p className="text-sm">{plural(text.withoutPrice, rows.length - priced.length, format.locale)}</p>
        )}
        <p className="text-sm text-muted">{text.scaleBody}</p>
      </RecordForm>
    </Dialog>
  );
}

/** The margin of a small call at the route that leaves least of it; null where no cost is known. */
function leastMargin({ routes }: AdminModel): (prices: TokenPrices) => number | null {
  return (prices) => {
    const shares = routes.map(({ cost }) => cost && marginOf(prices, cost, SMALL_CALL));
    const known = shares.filter((share) => share !== null);
    return known.length === 0 ? null : Math.min(...known);
  };
}

/** The prices and the margin of each model before and after, and what looks like a mistake. */
function PricesAfter({ models }: { models: AdminModel[] }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const typed: string = useWatch({ name: "priceFactor" });
  const factor = factorOf(typed);
  const rows = models.flatMap((model) => {
    const { prices: now } = model;
    if (now === null || factor === null) return [];
    const prices = scaledPrices(now, factor);
    const belowCost = priceProblems({ ...model, prices, now: null }).some(({ kind }) => kind === "belowCost");
    return { ...model, now, after: prices, belowCost, margins: [now, prices].map(leastMargin(model)) };
  });
  if (rows.length === 0) return null;
  const areCostsKnown = rows.some(({ margins }) => margins.some((share) => share !== null));
  const change = (name: "input" | "output") => (row: (typeof rows)[number]) => (
    <span className="tabular whitespace-nowrap">
      <span className="text-muted">{format.moneyExact(row.now[name])} → </span>
      {format.moneyExact(row.after[name])}
    </span>
  );
  const marginChange = ({ margins: [now = null, after = null] }: (typeof rows)[number]) =>
    now === null && after === null ? (
      "–"
    ) : (
      <span className="tabular whitespace-nowrap">
        <span className="text-muted">{shareText(now, format)} → </span>
        <span className={(after ?? 0) < 0 ? "text-danger" : undefined}>{shareText(after, format)}</span>
      </span>
    );
  return (
    <div className="max-h-72 overflow-y-auto">
      <DataTable
        caption={text.pricesHint}
        rows={rows}
        rowId={({ id }) => id}
        columns={[
          {
            id: "alias",
            head: text.alias,
            className: "wrap-anywhere",
            cell: ({ alias, belowCost, plannedPrices }) => (
              <span className="grid">
                {alias}
                {belowCost && <span className="text-xs text-warning">{text.bulk.belowCost}</span>}
                {plannedPrices !== null && (
                  <span className="text-xs text-warning">
                    {fill(text.bulk.plannedStays, { date: format.date(plannedPrices.validFrom) })}
                  </span>
                )}
              </span>
            ),
          },
          { id: "input", head: fill(text.perMillion, { price: text.prices.input }), cell: change("input") },
          {
            id: "output",
            head: fill(text.perMillion, { price: text.prices.output }),
            cell: (row) => (row.kind === "embedding" ? "–" : change("output")(row)),
          },
          ...(areCostsKnown ? [{ id: "margin", head: text.bulk.margin, cell: marginChange }] : []),
        ]}
      />
      {areCostsKnown && <p className="pt-2 text-xs text-muted">{text.bulk.marginHint}</p>}
    </div>
  );
}
