"use client";

import { useMutation } from "@tanstack/react-query";
import type { AdminModel } from "../../api/admin/types";
import { ErrorPanel } from "../../api/error-panel";
import { plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import type { Selection } from "../../lists/use-selection";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { toast } from "../../ui/toast";
import { BulkBar, type BulkProps } from "../bulk/bulk-bar";
import { Names } from "../bulk/names";
import { useTakeBack } from "../bulk/use-take-back";
import { BulkScale } from "./bulk-prices";
import { stepToPrices, useRestorePrices, useWithdrawPlanned } from "./restore-prices";
import type { ModelsChange } from "./use-models-change";
import { useChange } from "./use-models-change";

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

/** Says what a change did to models, with the way back. */
function useSayDone(selection: Selection<AdminModel>) {
  const text = useMessages("adminModels").bulk;
  const common = useMessages("common");
  const format = useFormat();
  const change = useChange();
  const back = { selection, nameOf: aliasOf, undone: text.undone };
  const takeBack = useTakeBack({ ...back, change });
  const restorePrices = useTakeBack({ ...back, change: useRestorePrices() });
  const withdraw = useTakeBack({ ...back, change: useWithdrawPlanned(), undone: text.withdrawn });
  const sayPriced = (models: AdminModel[], { priceFactor = 1, validFrom }: ModelsChange) => {
    const percent = (priceFactor < 1 ? "−" : "+") + format.percent(Math.abs(priceFactor - 1));
    const steps = models.map((model) => ({ ...stepToPrices(model), body: { ...model, validFrom } }));
    const [words, takeBackAll] =
      validFrom === undefined ? [text.done.scaled, restorePrices] : [text.done.planned, withdraw];
    const time = validFrom === undefined ? "" : format.dateTime(validFrom);
    toast.done(plural(words, models.length, format.locale, { percent, time }), {
      action: { label: common.undo, onClick: () => void takeBackAll(steps) },
    });
  };
  return (models: AdminModel[], body: ModelsChange) => {
    const { enabled } = body;
    if (enabled === undefined) return sayPriced(models, body);
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
