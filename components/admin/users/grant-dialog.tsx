"use client";

import { useController, useWatch } from "react-hook-form";
import { balanceAfter, type Grant, isBelowZero } from "@/lib/shared/balance";
import { yuanToCents } from "@/lib/shared/decimal";
import { typedText, typedYuan } from "@/lib/shared/typed";
import type { AdminUser } from "../../api/admin/types";
import { isOutcomeUnknown } from "../../api/client";
import { MoneyField, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { cn } from "../../ui/cn";
import { Dialog } from "../../ui/dialog";
import { Segmented } from "../../ui/segmented";
import { toast } from "../../ui/toast";
import { useAdminCall, useUndo } from "../use-admin-change";

const operation = "POST /api/admin/users/{id}/grants";

export interface GrantDraft {
  direction: Grant["direction"];
  amount: string;
  reason: string;
}

/** A grant of which nothing is typed yet. */
export const noGrant: GrantDraft = { direction: "give", amount: "", reason: "" };

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
  const format = useFormat();
  const call = useAdminCall();
  const undoing = useUndo();
  const { user, onClose } = props;
  const params = { id: user.id };
  return (
    <RecordForm
      operation={operation}
      send={async (body) => {
        try {
          return await call(operation, { params, body });
        } catch (error) {
          throw isOutcomeUnknown(error) ? error.told(text.grantUnknown) : error;
        }
      }}
      initial={noGrant}
      toBody={grantBody}
      onSent={(answer) => {
        const back = { amount: -Number(answer.grant.amount), reason: text.grantTakenBack };
        onClose();
        toast.done(fill(text.granted, { name: user.username, amount: format.money(answer.user.quota) }), {
          record: user.id,
          action: undoing({
            record: user.id,
            send: (again) => again(operation, { params, body: back }),
            done: fill(text.grantUndone, { name: user.username }),
          }),
        });
      }}
      submitLabel={<GrantLabel />}
      onCancel={onClose}
      cannotSend={({ direction, amount }) =>
        isBelowZero(balanceAfter(user, grantOf({ direction, amount })).quota)
      }
    >
      <DirectionField />
      <MoneyField<GrantDraft>
        name="amount"
        label={text.amount}
        hint={(typed) => format.typedMoney(typed, text.amountHint)}
      />
      <TextField<GrantDraft> name="reason" label={text.reason} hint={text.reasonHint} />
      <QuotaAfter user={user} />
    </RecordForm>
  );
}

/** Whether quota is given or taken away. */
export function DirectionField() {
  const text = useMessages("adminUsers");
  const { field } = useController<GrantDraft, "direction">({ name: "direction" });
  return (
    <Segmented
      label={text.direction}
      value={field.value}
      onChange={field.onChange}
      options={[
        { value: "give", label: text.give },
        { value: "take", label: text.take },
      ]}
    />
  );
}

/** The typed amount in cents; 0 while it is none. */
export function grantOf({ direction, amount }: Pick<GrantDraft, "direction" | "amount">): Grant {
  return { direction, cents: yuanToCents(amount) ?? 0 };
}

/** The grant that is typed now. */
export function useCents(): Grant {
  const [direction, amount] = useWatch<GrantDraft, ["direction", "amount"]>({
    name: ["direction", "amount"],
  });
  return grantOf({ direction, amount });
}

/** What the button of the form does, of several accounts for each; without an amount that can be read it names none. */
export function GrantLabel({ each = false }: { each?: boolean }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const { direction, cents } = useCents();
  if (cents === 0) return direction === "give" ? text.grantNothing : text.take;
  const [give, take] = each ? [text.bulk.giveEach, text.bulk.takeEach] : [text.grantAction, text.takeAction];
  return fill(direction === "give" ? give : take, { amount: format.money(cents) });
}

/** The quota afterwards, and what is left of it. */
function QuotaAfter({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const { quota, left } = balanceAfter(user, useCents());
  return (
    <div className="tabular grid gap-1 text-sm" aria-live="polite">
      {isBelowZero(quota) ? (
        <p className="text-danger">{fill(text.tooMuch, { quota: format.money(user.quota) })}</p>
      ) : (
        <>
          <p>{fill(text.after, { amount: format.money(quota) })}</p>
          <p className={cn(isBelowZero(left) && "text-warning")} title={format.moneyExact(left)}>
            {fill(text.leftAfter, { amount: format.left(left) })} {isBelowZero(left) && text.overdrawn}
          </p>
        </>
      )}
    </div>
  );
}

/** A grant as the API takes it: taking is negative. */
export function grantBody(draft: GrantDraft) {
  const cents = typedYuan(draft.amount);
  return {
    amount: typeof cents === "number" && draft.direction === "take" ? -cents : cents,
    reason: typedText(draft.reason),
  };
}
