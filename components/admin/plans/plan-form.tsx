"use client";

import { useWatch } from "react-hook-form";
import { centsToYuan } from "@/lib/shared/decimal";
import { asTyped, typedText, typedWhole, typedYuan } from "@/lib/shared/typed";
import type { AdminPlan } from "../../api/admin/types";
import { CheckField, MoneyField, More, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { toast } from "../../ui/toast";
import { useAdminCall, useUndo } from "../use-admin-change";

const DEFAULT_QUOTA_CENTS = 500;
const limits = ["qps", "rpm", "tpm"] as const;
const ofAccount = ["qps", "rpm", "tpm", "concurrent", "keys"] as const;

/** The form of a plan, new or stored. */
export function PlanForm(props: { plan: AdminPlan | null; onClose: () => void }) {
  const text = useMessages("admin");
  const common = useMessages("common");
  const format = useFormat();
  const call = useAdminCall();
  const undoing = useUndoPlan();
  const { plan, onClose } = props;
  return (
    <RecordForm
      {...(plan === null
        ? { operation: "POST /api/admin/plans" as const }
        : { operation: "PATCH /api/admin/plans/{id}" as const, params: { id: plan.id }, record: plan })}
      call={call}
      keep={{ name: `plan ${plan?.id ?? ""}` }}
      initial={draftOf(plan)}
      toBody={bodyOf}
      onSent={(saved) => {
        toast.done(fill(text.plans.saved, { name: saved.name }), {
          record: String(saved.id),
          action: plan === null ? undefined : undoing(plan, saved),
        });
        onClose();
      }}
      submitLabel={plan === null ? text.plans.create : common.save}
      onCancel={onClose}
    >
      <PlanFields isNew={plan === null} />
      {plan !== null && (
        <p className="text-sm text-muted">
          {fill(text.plans.affects, {
            accounts: plural(text.plans.accountCount, plan.currentUserCount, format.locale),
            keys: plural(text.plans.keyCount, plan.keyCount, format.locale),
          })}
        </p>
      )}
    </RecordForm>
  );
}

/** The way back to the values of a plan before it was saved, as long as nobody else has changed them since. */
function useUndoPlan() {
  const text = useMessages("admin").plans;
  const undoing = useUndo();
  return ({ id, ...before }: AdminPlan, saved: PlanValues) =>
    undoing({
      record: String(id),
      send: (call) =>
        call("PATCH /api/admin/plans/{id}", {
          params: { id },
          body: valuesOf(before),
          loaded: valuesOf(saved),
        }),
      done: fill(text.undone, { name: before.name }),
    });
}

type PlanValues = Omit<AdminPlan, "id" | "managedByFile" | "keyCount" | "userCount" | "currentUserCount">;

function valuesOf({
  name,
  qps,
  rpm,
  tpm,
  concurrent,
  accountLimits,
  keyQuotaCents,
  selfService,
}: PlanValues) {
  return { name, qps, rpm, tpm, concurrent, accountLimits, keyQuotaCents, selfService };
}

function PlanFields(props: { isNew: boolean }) {
  const text = useMessages("admin").plans;
  const format = useFormat();
  const idleLimit = useIdleLimit();
  const quotaHint = (typed: string) => format.typedMoney(typed, text.keyQuotaHint);
  return (
    <>
      <TextField<PlanDraft> name="name" label={text.name} />
      {limits.map((name) => (
        <TextField<PlanDraft>
          key={name}
          name={name}
          label={text[name]}
          hint={
            idleLimit?.name === name ? (
              <span role="status" className="text-warning">
                {fill(text.idleLimits[name], { other: format.countFull(idleLimit.other) })}
              </span>
            ) : (
              text.limitHint
            )
          }
          inputMode="numeric"
        />
      ))}
      <TextField<PlanDraft>
        name="concurrent"
        label={text.concurrent}
        hint={text.concurrentHint}
        inputMode="numeric"
        optional
      />
      <fieldset className="grid gap-3 rounded-md border p-3">
        <legend className="px-1 text-sm font-medium">{text.accountLimits}</legend>
        <p className="text-xs text-muted">{text.accountLimitsHint}</p>
        <div className="grid gap-3 sm:grid-cols-2">
          {ofAccount.map((name) => (
            <TextField<PlanDraft>
              key={name}
              name={`accountLimits.${name}`}
              label={text.ofAccount[name]}
              inputMode="numeric"
              optional
            />
          ))}
        </div>
      </fieldset>
      <MoneyField<PlanDraft> name="keyQuotaCents" label={text.keyQuotaYuan} hint={quotaHint} />
      <CheckField<PlanDraft> name="selfService" label={text.selfServiceLabel} />
      {props.isNew && (
        <More>
          <TextField<PlanDraft> name="id" label={text.id} hint={text.idHint} optional inputMode="numeric" />
        </More>
      )}
    </>
  );
}

const SECONDS_PER_MINUTE = 60;

/**
 * Of the two limits of requests the one that can never be met before the other: as many in one second as are allowed in a
 * minute, or more a minute than its seconds allow. Null: each of them matters, or one is none.
 */
export function idleLimitOf(qps: unknown, rpm: unknown): { name: "qps" | "rpm"; other: number } | null {
  if (typeof qps !== "number" || typeof rpm !== "number" || qps <= 0 || rpm <= 0) return null;
  if (qps >= rpm) return { name: "qps", other: rpm };
  return qps * SECONDS_PER_MINUTE <= rpm ? { name: "rpm", other: qps * SECONDS_PER_MINUTE } : null;
}

function useIdleLimit() {
  const [qps, rpm] = useWatch({ name: ["qps", "rpm"] });
  return idleLimitOf(typedWhole(String(qps)), typedWhole(String(rpm)));
}

/** The fields of a plan, as typed: the quota in yuan. */
type PlanDraft = ReturnType<typeof draftOf>;

function draftOf(plan: AdminPlan | null) {
  return {
    id: "",
    name: plan?.name ?? "",
    qps: asTyped(plan?.qps),
    rpm: asTyped(plan?.rpm),
    tpm: asTyped(plan?.tpm),
    concurrent: asTyped(plan?.concurrent),
    accountLimits: {
      qps: asTyped(plan?.accountLimits.qps),
      rpm: asTyped(plan?.accountLimits.rpm),
      tpm: asTyped(plan?.accountLimits.tpm),
      concurrent: asTyped(plan?.accountLimits.concurrent),
      keys: asTyped(plan?.accountLimits.keys),
    },
    keyQuotaCents: centsToYuan(plan?.keyQuotaCents ?? DEFAULT_QUOTA_CENTS),
    selfService: plan?.selfService ?? false,
  };
}

function bodyOf(draft: PlanDraft) {
  return {
    id: typedWhole(draft.id),
    name: typedText(draft.name),
    qps: typedWhole(draft.qps) ?? null,
    rpm: typedWhole(draft.rpm) ?? null,
    tpm: typedWhole(draft.tpm) ?? null,
    concurrent: typedWhole(draft.concurrent) ?? null,
    accountLimits: {
      qps: typedWhole(draft.accountLimits.qps) ?? null,
      rpm: typedWhole(draft.accountLimits.rpm) ?? null,
      tpm: typedWhole(draft.accountLimits.tpm) ?? null,
      concurrent: typedWhole(draft.accountLimits.concurrent) ?? null,
      keys: typedWhole(draft.accountLimits.keys) ?? null,
    },
    keyQuotaCents: typedYuan(draft.keyQuotaCents) ?? null,
    selfService: draft.selfService,
  };
}
