"use client";

import { useWatch } from "react-hook-form";
import { usePlans, useSelf } from "../api/queries";
import type { Plan } from "../api/types";
import { MomentField, MoneyField, More, SelectField, TextField } from "../forms/fields";
import { fromScaled, toScaled, yuanToCents } from "../i18n/decimal";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import type { ExpiryChoice, KeyDraft } from "./key-form-state";
import { ModelPicker } from "./model-picker";

const expiryChoices: ExpiryChoice[] = ["never", "d7", "d30", "d90", "custom"];

/** Every field of a key; less common ones are collapsed while they are empty. */
export function KeyFields(props: { isNew: boolean; unfolded: boolean }) {
  const text = useMessages("keys");
  return (
    <>
      <TextField<KeyDraft> name="name" label={text.name} hint={text.nameHint} maxLength={100} required />
      <QuotaField isNew={props.isNew} />
      <More label={text.advanced} open={props.unfolded}>
        <ExpiryFields />
        <PlanField />
        <ModelPicker />
      </More>
    </>
  );
}

/** The allowance; its hint tells the default, that the balance counts too, and that 0 refuses every call. */
function QuotaField(props: { isNew: boolean }) {
  const text = useMessages("keys");
  const format = useFormat();
  const planId: string = useWatch({ name: "planId" });
  const plans = usePlans().data?.data ?? [];
  const plan = plans.find(({ id, current }) => (planId === "" ? current : String(id) === planId)) ?? plans[0];
  const self = useSelf().data;
  const left = self && format.left(fromScaled(toScaled(self.quota) - toScaled(self.usedExact)));
  const balance = left === undefined ? "" : fill(text.quotaHint, { balance: left });
  const hint = (typed: string) => {
    if (yuanToCents(typed) === 0) return <span className="text-warning">{text.quotaZero}</span>;
    return props.isNew && typed.trim() === "" && plan !== undefined
      ? fill(text.quotaDefault, { amount: format.money(plan.keyQuotaCents), balance })
      : format.typedMoney(typed, balance);
  };
  return <MoneyField<KeyDraft> name="quota" label={text.quota} hint={hint} optional={props.isNew} />;
}

function ExpiryFields() {
  const text = useMessages("keys");
  const format = useFormat();
  const expiry: ExpiryChoice = useWatch({ name: "expiry" });
  const options = expiryChoices.map((value) => ({ value, label: text.expiryChoices[value] }));
  return (
    <div className="grid gap-3">
      <SelectField<KeyDraft> name="expiry" label={text.expiry} options={options} />
      {expiry === "custom" && (
        <MomentField<KeyDraft> name="expiresAt" label={fill(text.expiryAt, { zone: format.zoneLabel() })} />
      )}
    </div>
  );
}

/** A key on the plan of its account follows it; on any other it stays. Source: docs/contract.md#s4. */
function PlanField() {
  const text = useMessages("keys");
  const common = useMessages("common");
  const format = useFormat();
  const plans = usePlans().data?.data ?? [];
  const chosen: string = useWatch({ name: "planId" });
  const own = plans.find((plan) => plan.current);
  const label = (plan: Plan) => {
    const limits = (["qps", "rpm", "tpm"] as const).flatMap((name) => {
      const allowed = plan[name];
      return allowed === null ? [] : [fill(text.planLimits[name], { count: format.countFull(allowed) })];
    });
    const name = plan === own ? fill(text.planAccount, { plan: plan.name }) : plan.name;
    return [name, ...(limits.length === 0 ? [common.unlimited] : limits)].join(" · ");
  };
  const value = (plan: Plan) => (plan === own && chosen === "" ? "" : String(plan.id));
  const others = plans.filter((plan) => plan !== own && (plan.selfService || String(plan.id) === chosen));
  const options = [...(own === undefined ? [] : [own]), ...others].map((plan) => ({
    value: value(plan),
    label: label(plan),
  }));
  const follows = chosen === "" || chosen === String(own?.id);
  return (
    <SelectField<KeyDraft>
      name="planId"
      label={text.plan}
      options={options}
      hint={follows ? text.planFollows : text.planFixed}
    />
  );
}
