"use client";

import { usePlans } from "../api/queries";
import type { Plan } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { DateInput } from "../ui/date-input";
import { Field, Input, Select } from "../ui/field";
import type { ExpiryChoice, KeyDraft } from "./key-form-state";
import { ModelPicker } from "./model-picker";

const expiryChoices: ExpiryChoice[] = ["never", "d7", "d30", "d90", "custom"];

interface FieldsProps {
  draft: KeyDraft;
  onChange: (draft: KeyDraft) => void;
  errors: Record<string, string[]>;
  quotaOptional: boolean;
}

/** Every field of a key; less common ones are collapsed. */
export function KeyFields(props: FieldsProps & { unfolded: boolean }) {
  const text = useMessages("keys");
  const { draft, onChange, errors } = props;
  const troubled = ["planId", "models", "expiresAt"].some((name) => errors[name] !== undefined);
  return (
    <>
      <Field label={text.name} hint={text.nameHint} errors={errors.name}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            maxLength={100}
            required
            autoComplete="off"
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <QuotaField {...props} />
      <details open={props.unfolded || troubled ? true : undefined} className="rounded-md border">
        <summary className="min-h-9 px-3 py-2 text-sm font-medium">{text.advanced}</summary>
        <div className="grid gap-4 border-t p-3">
          <ExpiryFields {...props} />
          <PlanField {...props} />
          <ModelPicker
            value={draft.models}
            onChange={(models) => onChange({ ...draft, models })}
            errors={errors.models}
          />
        </div>
      </details>
    </>
  );
}

function QuotaField({ draft, onChange, errors, quotaOptional }: FieldsProps) {
  const text = useMessages("keys");
  const format = useFormat();
  const plans = usePlans().data?.data ?? [];
  const plan = plans.find((candidate) => String(candidate.id) === draft.planId) ?? plans[0];
  const hint =
    quotaOptional && draft.quota.trim() === "" && plan !== undefined
      ? fill(text.quotaDefault, { amount: format.money(plan.keyQuotaCents) })
      : fill(text.quotaHint, { amount: format.typedMoney(draft.quota) });
  return (
    <Field label={text.quota} hint={hint} errors={errors.quota}>
      {(control) => (
        <Input
          {...control}
          value={draft.quota}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => onChange({ ...draft, quota: event.target.value })}
        />
      )}
    </Field>
  );
}

function ExpiryFields({ draft, onChange, errors }: FieldsProps) {
  const text = useMessages("keys");
  const format = useFormat();
  return (
    <div className="grid gap-3">
      <Field label={text.expiry} errors={draft.expiry === "custom" ? undefined : errors.expiresAt}>
        {(control) => (
          <Select
            {...control}
            value={draft.expiry}
            options={expiryChoices.map((value) => ({ value, label: text.expiryChoices[value] }))}
            onChange={(event) => {
              const expiry = expiryChoices.find((choice) => choice === event.target.value) ?? "never";
              onChange({ ...draft, expiry });
            }}
          />
        )}
      </Field>
      {draft.expiry === "custom" && (
        <Field label={fill(text.expiryAt, { zone: format.zoneLabel() })} errors={errors.expiresAt}>
          {(control) => (
            <DateInput
              {...control}
              kind="moment"
              value={draft.expiryAt}
              onChange={(expiryAt) => onChange({ ...draft, expiryAt })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function PlanField({ draft, onChange, errors }: FieldsProps) {
  const text = useMessages("keys");
  const common = useMessages("common");
  const format = useFormat();
  const plans = usePlans().data?.data ?? [];
  const limit = (value: number | null) => (value === null ? common.unlimited : format.countFull(value));
  const label = (plan: Plan) =>
    fill(text.planLine, {
      name: plan.name,
      qps: limit(plan.qps),
      rpm: limit(plan.rpm),
      tpm: limit(plan.tpm),
    });
  const options = plans
    .filter((plan) => plan.selfService || String(plan.id) === draft.planId)
    .map((plan) => ({ value: String(plan.id), label: label(plan) }));
  return (
    <Field label={text.plan} errors={errors.planId}>
      {(control) => (
        <Select
          {...control}
          value={draft.planId}
          options={[{ value: "", label: text.planAccount }, ...options]}
          onChange={(event) => onChange({ ...draft, planId: event.target.value })}
        />
      )}
    </Field>
  );
}
