"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { TextField } from "@/components/forms/fields";
import { RecordForm } from "@/components/forms/record-form";
import { ErrorPanel } from "../../api/error-panel";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import type { Selection } from "../../lists/use-selection";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { DataTable } from "../../ui/data-table";
import { Dialog } from "../../ui/dialog";
import { toast } from "../../ui/toast";
import { BulkBar, type BulkProps } from "../bulk/bulk-bar";
import { Names } from "../bulk/names";
import { useInParts } from "../bulk/outcomes";
import { useTakeBack } from "../bulk/use-take-back";
import type { AdminModel } from "../types";
import { useAdminCall } from "../use-admin-change";
import { marginOf, priceProblems, type TokenPrices } from "./price-check";
import { type ModelsChange, priceFactorOf, scaledPrices } from "./price-factor";
import { SMALL_CALL, shareText } from "./price-preview";
import { stepToPrices, useRestorePrices } from "./restore-prices";

type Props = BulkProps<AdminModel, ModelsChange>;

const aliasOf = ({ alias }: AdminModel) => alias;

/** What can be done with all ticked models at once. */
export function ModelBulkBar({ selection }: { selection: Selection<AdminModel> }) {
  const text = useMessages("adminModels").bulk;
  const { rows } = selection;
  const some = (enabled: boolean) => rows.some((model) => model.enabled === enabled);
  const noPrice = rows.every(({ prices }) => prices === null);
  return (
    <BulkBar
      selection={selection}
      words={text}
      nameOf={aliasOf}
      onDone={useSayDone(selection)}
      actions={[
        ...(some(false) ? [{ label: text.enable, dialog: BulkEnable }] : []),
        ...(some(true) ? [{ label: text.disable, dialog: BulkDisable }] : []),
        {
          label: text.scale,
          disabledBecause: noPrice ? text.noPrices : undefined,
          dialog: BulkScale,
        },
      ]}
    />
  );
}

/** The call that changes several models. */
function useChange() {
  const call = useAdminCall();
  const text = useMessages("adminModels").bulk;
  const { changed_since } = useMessages("common").errors.reasons;
  const inParts = useInParts({ ...text.codes, changed_since, outcome_unknown: text.unknown });
  return async (models: AdminModel[], body: ModelsChange, loaded?: object) => ({
    rows: models,
    body,
    outcomes: await inParts(
      models.map(({ id }) => id),
      (ids) => call("PATCH /api/admin/models", { body: { ...body, ids }, loaded }),
    ),
  });
}

/** Says what a change did to models, with the way back. */
function useSayDone(selection: Selection<AdminModel>) {
  const text = useMessages("adminModels").bulk;
  const common = useMessages("common");
  const format = useFormat();
  const change = useChange();
  const back = { selection, nameOf: aliasOf, undone: text.undone };
  const takeBack = useTakeBack({ ...back, change });
  const restorePrices = useTakeBack({ ...back, change: useRestorePrices() });
  return (models: AdminModel[], { enabled, priceFactor = 1 }: ModelsChange) => {
    if (enabled === undefined) {
      const percent = (priceFactor < 1 ? "−" : "+") + format.percent(Math.abs(priceFactor - 1));
      const steps = models.map(stepToPrices);
      toast.done(plural(text.done.scaled, models.length, format.locale, { percent }), {
        action: { label: common.undo, onClick: () => void restorePrices(steps) },
      });
      return;
    }
    const changed = models.filter((model) => model.enabled !== enabled);
    selection.renew(models.map((model) => ({ ...model, enabled })));
    const steps = [{ body: { enabled: !enabled }, rows: changed, loaded: { enabled } }];
    toast.done(plural(enabled ? text.done.enabled : text.done.disabled, models.length, format.locale), {
      action: changed.length === 0 ? undefined : { label: common.undo, onClick: () => void takeBack(steps) },
    });
  };
}

/** Offers every ticked model that is not offered. */
function BulkEnable(props: Props) {
  const text = useMessages("adminModels").bulk;
  const models = props.rows.filter(({ enabled }) => !enabled);
  return (
    <Switch
      {...props}
      models={models}
      enabled
      title={text.enableTitle}
      body={text.enableBody}
      tone="primary"
    />
  );
}

/** Takes every ticked model that is offered from the callers. */
function BulkDisable(props: Props) {
  const text = useMessages("adminModels").bulk;
  const models = props.rows.filter(({ enabled }) => enabled);
  return (
    <Switch
      {...props}
      models={models}
      enabled={false}
      title={text.disableTitle}
      body={text.disableBody}
      tone="danger"
    />
  );
}

function Switch(
  props: Omit<Props, "rows"> & {
    models: AdminModel[];
    enabled: boolean;
    title: { one: string; other: string };
    body: string;
    tone: "primary" | "danger";
  },
) {
  const text = useMessages("adminModels").bulk;
  const format = useFormat();
  const change = useChange();
  const { models, enabled } = props;
  const send = useMutation({ mutationFn: () => change(models, { enabled }), onSuccess: props.onDone });
  return (
    <ConfirmDialog
      open
      tone={props.tone}
      onClose={props.onClose}
      onConfirm={() => send.mutate()}
      title={plural(props.title, models.length, format.locale)}
      body={
        <>
          <Names names={models.map(aliasOf)} words={text} />
          <p>{props.body}</p>
        </>
      }
      action={enabled ? text.enable : text.disable}
      busy={send.isPending}
      error={send.error === null ? undefined : <ErrorPanel error={send.error} />}
    />
  );
}

/** A typed factor, 1 where nothing is typed; null for one that is not taken. */
function factorOf(typed: string): number | null {
  const factor = priceFactorOf(typed) ?? 1;
  return typeof factor === "number" ? factor : null;
}

interface FactorDraft {
  priceFactor: string;
}

/** Multiplies the prices of every ticked model that has some. */
function BulkScale({ rows, onDone, onClose }: Props) {
  const text = useMessages("adminModels").bulk;
  const format = useFormat();
  const change = useChange();
  const priced = rows.filter(({ prices }) => prices !== null);
  return (
    <Dialog open onClose={onClose} title={plural(text.scaleTitle, priced.length, format.locale)}>
      <RecordForm
        operation="PATCH /api/admin/models"
        send={({ priceFactor }) => change(priced, { priceFactor })}
        initial={{ priceFactor: "" }}
        toBody={({ priceFactor }: FactorDraft) => ({ priceFactor: priceFactorOf(priceFactor) })}
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
