"use client";

import { FormFrame } from "@/components/forms/form-frame";
import { type FieldErrors, type ReadResult, useRecordForm } from "@/components/forms/use-record-form";
import type { ApiInput } from "@/lib/api/routes";
import { fromScaled, toScaled, yuanToCents } from "../../i18n/decimal";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Dialog } from "../../ui/dialog";
import { Field, Input } from "../../ui/field";
import { Segmented } from "../../ui/segmented";
import { toast } from "../../ui/toast";
import type { AdminUser } from "../types";
import { useAdminCall } from "../use-admin-change";

interface GrantDraft {
  direction: "give" | "take";
  amount: string;
  reason: string;
}

type GrantBody = ApiInput<"POST /api/admin/users/{id}/grants">["body"];

/** Adds to or subtracts from an account's quota, with a reason. */
export function GrantDialog(props: { user: AdminUser; onClose: () => void }) {
  const text = useMessages("adminUsers");
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={fill(text.grantTitle, { name: props.user.username })}
      size="sm"
    >
      <GrantForm {...props} />
    </Dialog>
  );
}

function GrantForm(props: { user: AdminUser; onClose: () => void }) {
  const text = useMessages("adminUsers");
  const admin = useMessages("admin");
  const format = useFormat();
  const call = useAdminCall();
  const { user } = props;
  const form = useRecordForm<GrantDraft, GrantBody>({
    initial: { direction: "give", amount: "", reason: "" },
    read: (draft) => readGrant(draft, text, admin),
    send: async (body) => {
      const answer = await call("POST /api/admin/users/{id}/grants", { params: { id: user.id }, body });
      props.onClose();
      toast.done(fill(text.granted, { name: user.username, amount: format.money(answer.user.quota) }));
    },
  });
  const { draft, change, errors } = form;
  const cents = yuanToCents(draft.amount) ?? 0;
  const signed = draft.direction === "give" ? cents : -cents;
  const after = fromScaled(toScaled(user.quota) + toScaled(signed));
  const label = draft.direction === "give" ? text.grantAction : text.takeAction;
  return (
    <FormFrame
      form={form}
      shown={["amount", "reason"]}
      submitLabel={fill(label, { amount: format.money(cents) })}
      danger={draft.direction === "take"}
      onCancel={props.onClose}
    >
      <Segmented
        label={text.direction}
        value={draft.direction}
        onChange={(direction) => change({ direction })}
        options={[
          { value: "give", label: text.give },
          { value: "take", label: text.take },
        ]}
      />
      <Field
        label={text.amount}
        hint={fill(text.amountHint, { amount: format.typedMoney(draft.amount) })}
        errors={errors.amount}
      >
        {(control) => (
          <Input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            value={draft.amount}
            onChange={(event) => change({ amount: event.target.value })}
          />
        )}
      </Field>
      <Field label={text.reason} hint={text.reasonHint} errors={errors.reason}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            value={draft.reason}
            onChange={(event) => change({ reason: event.target.value })}
          />
        )}
      </Field>
      <p className="tabular text-sm" aria-live="polite">
        {fill(text.after, { amount: format.money(after) })}
      </p>
    </FormFrame>
  );
}

function readGrant(
  draft: GrantDraft,
  text: Messages["adminUsers"],
  admin: Messages["admin"],
): ReadResult<GrantBody> {
  const errors: FieldErrors = {};
  const cents = yuanToCents(draft.amount);
  if (cents === null || cents === 0) errors.amount = [admin.amount];
  const reason = draft.reason.trim();
  if (reason === "" || [...reason].length > 200) errors.reason = [text.reasonRule];
  if (cents === null || Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, body: { amount: draft.direction === "give" ? cents : -cents, reason } };
}
