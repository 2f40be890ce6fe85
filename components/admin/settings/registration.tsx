"use client";

import { Info } from "lucide-react";
import { centsToYuan } from "@/lib/shared/decimal";
import { typedYuan } from "@/lib/shared/typed";
import type { AdminSettings } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { MoneyField, SelectField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { Note } from "../../ui/states";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";

const choices = ["open", "invited", "invitation", "closed"] as const;

/** Who may register, what a new account may spend, and what its inviter gets. */
export function Registration() {
  const text = useMessages("adminSettings").registration;
  const settings = useRead("GET /api/admin/settings");
  return (
    <Card title={text.title}>
      <QueryRegion query={settings}>
        {(stored) => <RegistrationForm key={JSON.stringify(draftOf(stored))} stored={stored} />}
      </QueryRegion>
    </Card>
  );
}

type Draft = ReturnType<typeof draftOf>;

function RegistrationForm({ stored }: { stored: AdminSettings }) {
  const text = useMessages("adminSettings").registration;
  const common = useMessages("common");
  const call = useAdminCall();
  return (
    <div className="max-w-lg">
      <RecordForm
        operation="PATCH /api/admin/settings"
        record={stored}
        call={call}
        initial={draftOf(stored)}
        toBody={({ registration, newAccountQuotaCents, newAccountPlanId, inviteRewardCents }) => ({
          registration,
          newAccountQuotaCents: typedYuan(newAccountQuotaCents),
          newAccountPlanId: newAccountPlanId === "" ? null : Number(newAccountPlanId),
          inviteRewardCents: typedYuan(inviteRewardCents),
        })}
        onSent={() => toast.done(text.saved)}
        submitLabel={common.save}
      >
        <RegistrationFields atStart={stored.setAtStart} />
      </RecordForm>
    </div>
  );
}

function RegistrationFields({ atStart }: { atStart: AdminSettings["setAtStart"] }) {
  const text = useMessages("adminSettings").registration;
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const first = plans.find(({ selfService }) => selfService);
  const firstPlan = first === undefined ? text.anyFirstPlan : fill(text.firstPlan, { name: first.name });
  const asSetAtStart = fill(text.quotaEmpty, { amount: format.moneyExact(atStart.signupQuotaCents) });
  return (
    <>
      {!atStart.allowRegistration && (
        <Note tone="info" icon={Info}>
          {text.closedAtStart}
        </Note>
      )}
      <SelectField<Draft>
        name="registration"
        label={text.who}
        options={choices.map((value) => ({ value, label: text.choices[value] }))}
        hint={(typed) => text.hints[choices.find((choice) => choice === typed) ?? "open"]}
      />
      <MoneyField<Draft>
        name="newAccountQuotaCents"
        label={text.quota}
        optional
        placeholder={centsToYuan(atStart.signupQuotaCents)}
        hint={(typed) => (typed.trim() === "" ? asSetAtStart : format.typedMoney(typed, text.quotaHint))}
      />
      <SelectField<Draft>
        name="newAccountPlanId"
        label={text.plan}
        options={[
          { value: "", label: firstPlan },
          ...plans.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        hint={text.planHint}
      />
      <MoneyField<Draft>
        name="inviteRewardCents"
        label={text.reward}
        hint={(typed) => format.typedMoney(typed, text.rewardHint)}
      />
    </>
  );
}

function draftOf(stored: AdminSettings) {
  const { newAccountQuotaCents: quota, newAccountPlanId: plan } = stored;
  return {
    registration: stored.registration,
    newAccountQuotaCents: quota === null ? "" : centsToYuan(quota),
    newAccountPlanId: plan === null ? "" : String(plan),
    inviteRewardCents: centsToYuan(stored.inviteRewardCents),
  };
}
