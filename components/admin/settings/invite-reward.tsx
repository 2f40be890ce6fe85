"use client";

import { useRecordForm } from "@/components/forms/use-record-form";
import { centsToYuan, yuanToCents } from "../../i18n/decimal";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input } from "../../ui/field";
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
    <Card title={text.title} className="mt-6">
      <QueryRegion query={settings}>
        {(stored) => <RewardForm key={stored.inviteRewardCents} stored={stored} />}
      </QueryRegion>
    </Card>
  );
}

function RewardForm(props: { stored: AdminSettings }) {
  const format = useFormat();
  const text = useMessages("admin").settings;
  const admin = useMessages("admin");
  const common = useMessages("common");
  const call = useAdminCall();
  const form = useRecordForm<{ amount: string }, Pick<AdminSettings, "inviteRewardCents">>({
    initial: { amount: centsToYuan(props.stored.inviteRewardCents) },
    read: ({ amount }) => {
      const inviteRewardCents = yuanToCents(amount);
      if (inviteRewardCents === null) return { ok: false, errors: { inviteRewardCents: [admin.amount] } };
      return { ok: true, body: { inviteRewardCents } };
    },
    send: async (body) => {
      await call("PATCH /api/admin/settings", { body });
      toast.done(text.saved);
    },
  });
  const failed =
    form.errors.inviteRewardCents ?? (form.failure === null ? undefined : [form.failure.message]);
  return (
    <form noValidate onSubmit={form.submit} className="grid max-w-lg gap-3">
      <div ref={form.summary} tabIndex={-1} className="sr-only" />
      <Field
        label={text.reward}
        hint={fill(text.rewardHint, { amount: format.typedMoney(form.draft.amount) })}
        errors={failed}
      >
        {(control) => (
          <Input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            className="sm:w-40"
            value={form.draft.amount}
            onChange={(event) => form.change({ amount: event.target.value })}
          />
        )}
      </Field>
      <Button type="submit" className="w-fit" disabled={form.sending || !form.changed}>
        {form.sending ? common.saving : common.save}
      </Button>
    </form>
  );
}
