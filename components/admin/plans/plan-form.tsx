"use client";

import { FormFrame } from "@/components/forms/form-frame";
import { type FieldErrors, type ReadResult, useRecordForm } from "@/components/forms/use-record-form";
import type { ApiInput } from "@/lib/api/routes";
import { centsToYuan, yuanToCents } from "../../i18n/decimal";
import { fill, plural } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Checkbox, Field, Input } from "../../ui/field";
import { readWhole, typedNumber } from "../draft";
import type { AdminPlan } from "../types";

const MAX_LIMIT = 2_000_000_000;
const limits = ["qps", "rpm", "tpm"] as const;
const shown = ["id", "name", ...limits, "keyQuotaCents"];

interface PlanDraft {
  id: string;
  name: string;
  qps: string;
  rpm: string;
  tpm: string;
  keyQuota: string;
  selfService: boolean;
}

/** The body of a plan's form. */
export type PlanBody = ApiInput<"POST /api/admin/plans">["body"];

type PlanFormState = Pick<
  ReturnType<typeof useRecordForm<PlanDraft, PlanBody>>,
  "draft" | "change" | "errors"
>;

/** The form of a plan, new or stored. */
export function PlanForm(props: {
  plan: AdminPlan | null;
  onSend: (body: PlanBody) => Promise<void>;
  onCancel: () => void;
}) {
  const text = useMessages("admin");
  const common = useMessages("common");
  const format = useFormat();
  const { plan } = props;
  const form = useRecordForm({
    keep: { name: `plan ${plan?.id ?? ""}` },
    initial: draftOf(plan),
    read: (draft: PlanDraft) => readPlan(draft, text),
    send: props.onSend,
  });
  return (
    <FormFrame
      form={form}
      shown={shown}
      stored={plan !== null}
      submitLabel={plan === null ? text.plans.create : common.save}
      onCancel={props.onCancel}
    >
      <PlanFields form={form} isNew={plan === null} />
      {plan !== null && (
        <p className="text-sm text-muted">{plural(text.plans.affects, plan.keyCount, format.locale)}</p>
      )}
    </FormFrame>
  );
}

function PlanFields(props: { form: PlanFormState; isNew: boolean }) {
  const text = useMessages("admin");
  const common = useMessages("common");
  const format = useFormat();
  const { draft, change, errors } = props.form;
  return (
    <>
      <Field label={text.plans.name} errors={errors.name}>
        {(control) => (
          <Input {...control} value={draft.name} onChange={(event) => change({ name: event.target.value })} />
        )}
      </Field>
      {props.isNew && (
        <Field label={text.plans.id} hint={text.plans.idHint} errors={errors.id} optional={common.optional}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft.id}
              onChange={(event) => change({ id: event.target.value })}
            />
          )}
        </Field>
      )}
      {limits.map((name) => (
        <Field key={name} label={text.plans[name]} hint={text.plans.limitHint} errors={errors[name]}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft[name]}
              onChange={(event) => change({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Field
        label={text.plans.keyQuotaYuan}
        hint={fill(text.plans.keyQuotaHint, { amount: format.typedMoney(draft.keyQuota) })}
        errors={errors.keyQuotaCents}
      >
        {(control) => (
          <Input
            {...control}
            inputMode="decimal"
            value={draft.keyQuota}
            onChange={(event) => change({ keyQuota: event.target.value })}
          />
        )}
      </Field>
      <Checkbox
        label={text.plans.selfServiceLabel}
        checked={draft.selfService}
        onChange={(event) => change({ selfService: event.target.checked })}
      />
    </>
  );
}

function draftOf(plan: AdminPlan | null): PlanDraft {
  return {
    id: "",
    name: plan?.name ?? "",
    qps: typedNumber(plan?.qps),
    rpm: typedNumber(plan?.rpm),
    tpm: typedNumber(plan?.tpm),
    keyQuota: centsToYuan(plan?.keyQuotaCents ?? 500),
    selfService: plan?.selfService ?? false,
  };
}

function readPlan(draft: PlanDraft, text: Messages["admin"]): ReadResult<PlanBody> {
  const errors: FieldErrors = {};
  const name = draft.name.trim();
  if (name === "") errors.name = [text.required];
  const id = readWhole(draft.id, 1, 1_000_000);
  if (id === undefined) errors.id = [fill(text.numberBetween, { min: 1, max: 1_000_000 })];
  const [qps, rpm, tpm] = limits.map((limit) => {
    const value = readWhole(draft[limit], 1, MAX_LIMIT);
    if (value === undefined) errors[limit] = [text.number];
    return value ?? null;
  });
  const keyQuotaCents = yuanToCents(draft.keyQuota);
  if (keyQuotaCents === null) errors.keyQuotaCents = [text.amount];
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return {
    ok: true,
    body: {
      ...(id == null ? {} : { id }),
      name,
      qps: qps ?? null,
      rpm: rpm ?? null,
      tpm: tpm ?? null,
      keyQuotaCents: keyQuotaCents ?? 0,
      selfService: draft.selfService,
    },
  };
}
