"use client";

import { CheckField, MoneyField, More, TextField } from "@/components/forms/fields";
import { RecordForm } from "@/components/forms/record-form";
import { asTyped, typedText, typedWhole, typedYuan } from "@/components/forms/typed";
import { centsToYuan } from "../../i18n/decimal";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { toast } from "../../ui/toast";
import type { AdminPlan } from "../types";
import { useAdminCall } from "../use-admin-change";

const DEFAULT_QUOTA_CENTS = 500;
const limits = ["qps", "rpm", "tpm"] as const;

/** The form of a plan, new or stored. */
export function PlanForm(props: { plan: AdminPlan | null; onClose: () => void }) {
  const text = useMessages("admin");
  const common = useMessages("common");
  const format = useFormat();
  const call = useAdminCall();
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
      onSent={({ name }) => {
        toast.done(fill(text.plans.saved, { name }));
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

function PlanFields(props: { isNew: boolean }) {
  const text = useMessages("admin").plans;
  const format = useFormat();
  const quotaHint = (typed: string) => format.typedMoney(typed, text.keyQuotaHint);
  return (
    <>
      <TextField<PlanDraft> name="name" label={text.name} />
      {limits.map((name) => (
        <TextField<PlanDraft>
          key={name}
          name={name}
          label={text[name]}
          hint={text.limitHint}
          inputMode="numeric"
        />
      ))}
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

/** The fields of a plan, as typed: the quota in yuan. */
type PlanDraft = ReturnType<typeof draftOf>;

function draftOf(plan: AdminPlan | null) {
  return {
    id: "",
    name: plan?.name ?? "",
    qps: asTyped(plan?.qps),
    rpm: asTyped(plan?.rpm),
    tpm: asTyped(plan?.tpm),
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
    keyQuotaCents: typedYuan(draft.keyQuotaCents) ?? null,
    selfService: draft.selfService,
  };
}
