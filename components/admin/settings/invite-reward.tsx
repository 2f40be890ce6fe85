"use client";

import { MoneyField } from "@/components/forms/fields";
import { RecordForm } from "@/components/forms/record-form";
import { typedYuan } from "@/components/forms/typed";
import { centsToYuan } from "../../i18n/decimal";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { toast } from "../../ui/toast";
import { useAdminSettings } from "../queries";
import { QueryRegion } from "../query-region";
import type { AdminSettings } from "../types";
import { useAdminCall } from "../use-admin-change";

/** The reward of an account for a registration with its invite code. */
export function InviteReward() {
  const text = useMessages("admin").settings;
  const settings = useAdminSettings(true);
  return (
    <Card title={text.title}>
      <QueryRegion query={settings}>
        {(stored) => <RewardForm key={stored.inviteRewardCents} stored={stored} />}
      </QueryRegion>
    </Card>
  );
}

function RewardForm(props: { stored: AdminSettings }) {
  const format = useFormat();
  const text = useMessages("admin").settings;
  const common = useMessages("common");
  const call = useAdminCall();
  return (
    <div className="max-w-lg">
      <RecordForm
        operation="PATCH /api/admin/settings"
        record={props.stored}
        call={call}
        initial={{ inviteRewardCents: centsToYuan(props.stored.inviteRewardCents) }}
        toBody={({ inviteRewardCents }) => ({ inviteRewardCents: typedYuan(inviteRewardCents) })}
        onSent={() => toast.done(text.saved)}
        submitLabel={common.save}
      >
        <MoneyField
          name="inviteRewardCents"
          label={text.reward}
          hint={(typed) => format.typedMoney(typed, text.rewardHint)}
        />
      </RecordForm>
    </div>
  );
}
