"use client";

import { useWatch } from "react-hook-form";
import { fromScaled, toScaled, yuanToCents } from "@/lib/shared/decimal";
import type { Plan, Profile } from "../api/types";
import { MomentField, MoneyField, More, SelectField, TextField } from "../forms/fields";
import { ModelPicker } from "../forms/model-picker";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { useFormat, useMessages } from "../i18n/provider";
import type { ExpiryChoice, KeyDraft } from "./key-form-state";

const expiryChoices: ExpiryChoice[] = ["never", "d7", "d30", "d90", "custom"];

/** The account that has the key, and how it is spoken of. */
export interface KeyOwner {
  plans: Plan[];
  /** Its keys may have every plan, not only those that it may choose. */
  anyPlan: boolean;
  balance: Pick<Profile, "quota" | "usedExact"> | undefined;
  /** Another account, of whose plan and balance nothing is told. */
  other?: true;
  words: Pick<Messages["keys"], "quotaHint" | "planAccount" | "planFollows" | "planFixed">;
}

/** Every field of a key; less common ones are collapsed while they are empty. */
export function KeyFields(props: { isNew: boolean; unfolded: boolean; owner: KeyOwner }) {
  const text = useMessages("keys");
  return (
    <>
      <TextField<KeyDraft> name="name" label={text.name} hint={text.nameHint} maxLength={100} required />
      <QuotaField isNew={props.isNew} owner={props.owner} />
      <More label={text.advanced} open={props.unfolded}>
        <ExpiryFields />
        <PlanField owner={props.owner} />
        <ModelPicker text={text} />
      </More>
    </>
  );
}

/** The allowance; its hint tells the default, that the balance counts too, and that 0 refuses every call. */
function QuotaField(props: { isNew: boolean; owner: KeyOwner }) {
  const text = useMessages("keys");
  const format = useFormat();
  const planId: string = useWatch({ name: "planId" });
  const { plans, balance: has, words } = props.owner;
  const plan = plans.find(({ id, current }) => (planId === "" ? current : String(id) === planId)) ?? plans[0];
  const left = has && format.left(fromScaled(toScaled(has.quota) - toScaled(has.usedExact)));
  const balance = left === undefined ? "" : fill(words.quotaHint, { balance: left });
  const hint = (typed: string) => {
    if (yuanToCents(typed) === 0) return <span className="text-warning">{text.quotaZero}</span>;
    if (props.isNew && typed.trim() === "" && props.owner.other) return text.quotaOfPayer;
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
function PlanField(props: { owner: KeyOwner }) {
  const text = useMessages("keys");
  const common = useMessages("common");
  const format = useFormat();
  const { plans, anyPlan, words } = props.owner;
  const chosen: string = useWatch({ name: "planId" });
  const own = plans.find((plan) => plan.current);
  const label = (plan: Plan) => {
    const limits = (["qps", "rpm", "tpm"] as const).flatMap((name) => {
      const allowed = plan[name];
      return allowed === null ? [] : [fill(text.planLimits[name], { count: format.countFull(allowed) })];
    });
    const name = plan === own ? fill(words.planAccount, { plan: plan.name }) : plan.name;
    return [name, ...(limits.length === 0 ? [common.unlimited] : limits)].join(" · ");
  };
  const value = (plan: Plan) => (plan === own && chosen === "" ? "" : String(plan.id));
  const others = plans.filter(
    (plan) => plan !== own && (anyPlan || plan.selfService || String(plan.id) === chosen),
  );
  const offered = [...(own === undefined ? [] : [own]), ...others].map((plan) => ({
    value: value(plan),
    label: label(plan),
  }));
  const options = props.owner.other ? [{ value: "", label: text.planOfPayer }, ...offered] : offered;
  const follows = chosen === "" || chosen === String(own?.id);
  return (
    <SelectField<KeyDraft>
      name="planId"
      label={text.plan}
      options={options}
      hint={follows ? words.planFollows : words.planFixed}
    />
  );
}
