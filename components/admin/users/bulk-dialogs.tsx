"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { countOverdrawn, countShort } from "@/lib/shared/balance";
import type { AdminUser } from "../../api/admin/types";
import { ErrorPanel } from "../../api/error-panel";
import { useShell } from "../../api/shell-facts";
import { useRead } from "../../api/use-read";
import { MoneyField, SelectField, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Dialog } from "../../ui/dialog";
import type { BulkProps } from "../bulk/bulk-bar";
import { Names } from "../bulk/names";
import { usePlanLimits } from "../plans/plan-words";
import type { BulkBody } from "./bulk-done";
import {
  DirectionField,
  type GrantDraft,
  GrantLabel,
  grantBody,
  grantOf,
  noGrant,
  useCents,
} from "./grant-dialog";
import { useBulk } from "./use-bulk";
import { noReason, SuspensionReason, suspensionBody } from "./user-dialogs";

type Props = BulkProps<AdminUser, BulkBody>;

function UserNames({ users }: { users: AdminUser[] }) {
  const words = useMessages("adminUsers").bulk;
  return <Names names={users.map(({ username }) => username)} words={words} />;
}

/** Adds to or takes from the quota of every ticked account. */
export function BulkGrant({ rows: users, onDone, onClose }: Props) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const bulk = useBulk();
  return (
    <Dialog
      open
      onClose={onClose}
      title={plural(text.bulk.grantTitle, users.length, format.locale)}
      size="sm"
    >
      <RecordForm
        operation="POST /api/admin/users/{id}/grants"
        send={(body) => bulk.grant(users, body)}
        initial={noGrant}
        toBody={grantBody}
        onSent={onDone}
        submitLabel={<GrantLabel each />}
        onCancel={onClose}
        cannotSend={({ direction, amount }) =>
          countShort(users, grantOf({ direction, amount })) === users.length
        }
      >
        <UserNames users={users} />
        <DirectionField />
        <MoneyField<GrantDraft> name="amount" label={text.amount} />
        <TextField<GrantDraft> name="reason" label={text.reason} hint={text.reasonHint} />
        <GrantSum users={users} />
      </RecordForm>
    </Dialog>
  );
}

/** What all of them get together, and how many would have less than nothing left. */
function GrantSum({ users }: { users: AdminUser[] }) {
  const text = useMessages("adminUsers").bulk;
  const format = useFormat();
  const grant = useCents();
  const { direction, cents } = grant;
  const overdrawn = direction === "take" ? countOverdrawn(users, grant) : 0;
  const short = countShort(users, grant);
  return (
    <div className="tabular grid gap-1 text-sm" aria-live="polite">
      <p>
        {fill(direction === "give" ? text.grantSum : text.takeSum, {
          each: format.money(cents),
          sum: format.money(cents * (users.length - short)),
        })}
      </p>
      {short > 0 && <p className="text-danger">{plural(text.short, short, format.locale)}</p>}
      {overdrawn > 0 && <p className="text-warning">{plural(text.overdrawn, overdrawn, format.locale)}</p>}
    </div>
  );
}

interface PlanDraft {
  planId: string;
}

/** Gives every ticked account another plan. */
export function BulkPlan({ rows: users, onDone, onClose }: Props) {
  const text = useMessages("adminUsers").bulk;
  const format = useFormat();
  const bulk = useBulk();
  return (
    <Dialog open onClose={onClose} title={plural(text.planTitle, users.length, format.locale)} size="sm">
      <RecordForm
        operation="PATCH /api/admin/users/{id}"
        send={(body) => bulk.change(users, body)}
        initial={noPlan}
        toBody={planBody}
        onSent={onDone}
        submitLabel={text.plan}
        onCancel={onClose}
      >
        <UserNames users={users} />
        <PlanChoice users={users} />
      </RecordForm>
    </Dialog>
  );
}

const noPlan: PlanDraft = { planId: "" };

function planBody({ planId }: PlanDraft) {
  return { planId: planId === "" ? undefined : Number(planId) };
}

/** The plan that all get, which plans they have now, and what becomes of their limits. */
function PlanChoice({ users }: { users: AdminUser[] }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const limitsOf = usePlanLimits();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const planId: string = useWatch({ name: "planId" });
  const chosen = plans.find(({ id }) => String(id) === planId);
  const changed = users.filter((user) => user.planId !== chosen?.id);
  const same = users.length - changed.length;
  const custom = changed.filter(({ limitOverrides }) => limitOverrides !== null).length;
  const now = plans.flatMap(({ id, name }) => {
    const count = changed.filter((user) => user.planId === id).length;
    return count === 0 ? [] : [fill(text.bulk.planCount, { count: format.countFull(count), name })];
  });
  return (
    <>
      <SelectField<PlanDraft>
        name="planId"
        label={text.plan}
        options={[
          { value: "", label: "–" },
          ...plans.map((plan) => ({ value: String(plan.id), label: plan.name })),
        ]}
      />
      <div className="grid gap-1 text-sm" aria-live="polite">
        {now.length > 0 && (
          <p className="tabular font-medium wrap-anywhere">
            {chosen === undefined
              ? fill(text.bulk.planNow, { plans: format.list(now) })
              : plural(text.bulk.planBecome, changed.length, format.locale, {
                  plans: format.list(now),
                  name: chosen.name,
                })}
          </p>
        )}
        {same > 0 && <p>{plural(text.bulk.planSame, same, format.locale)}</p>}
        <p>{text.bulk.planBody}</p>
        {chosen !== undefined && <p>{limitsOf(chosen)}</p>}
        {custom > 0 && <p>{plural(text.bulk.planCustom, custom, format.locale)}</p>}
      </div>
    </>
  );
}

/** To suspend more accounts than this their number has to be typed. */
const MOST_UNTYPED = 10;

/** Suspends every ticked account but the admin's own with one reason. */
export function BulkSuspend({ rows: ticked, onDone, onClose }: Props) {
  const text = useMessages("adminUsers").bulk;
  const format = useFormat();
  const { username } = useShell();
  const users = ticked.filter((user) => user.username !== username);
  const { typeToConfirm } = useMessages("common");
  const isMany = users.length > MOST_UNTYPED;
  const typed = String(users.length);
  const bulk = useBulk();
  return (
    <Dialog
      open
      onClose={onClose}
      title={plural(text.suspendTitle, users.length, format.locale)}
      size="sm"
      role="alertdialog"
    >
      <RecordForm
        acts
        operation="PATCH /api/admin/users/{id}"
        send={(body) => bulk.change(users, body)}
        initial={{ ...noReason, count: "" }}
        toBody={suspensionBody}
        onSent={onDone}
        submitLabel={text.suspend}
        onCancel={onClose}
        cannotSend={({ count }) => isMany && count.trim() !== typed}
      >
        <UserNames users={users} />
        {users.length < ticked.length && <p className="text-sm">{text.withoutSelf}</p>}
        <p className="text-sm">{text.suspendBody}</p>
        <SuspensionReason />
        {isMany && (
          <TextField<{ count: string }>
            name="count"
            label={fill(typeToConfirm, { name: typed })}
            inputMode="numeric"
          />
        )}
      </RecordForm>
    </Dialog>
  );
}

/** Lifts the suspension of every ticked account that has one. */
export function BulkReactivate({ rows: users, onDone, onClose }: Props) {
  const text = useMessages("adminUsers").bulk;
  const format = useFormat();
  const suspended = users.filter((user) => user.status === "suspended");
  const bulk = useBulk();
  const lift = useMutation({
    mutationFn: () => bulk.change(suspended, { status: "active" }),
    onSuccess: onDone,
  });
  return (
    <ConfirmDialog
      open
      tone="primary"
      onClose={onClose}
      onConfirm={() => lift.mutate()}
      title={plural(text.reactivateTitle, suspended.length, format.locale)}
      body={
        <>
          <UserNames users={suspended} />
          <p>{text.reactivateBody}</p>
        </>
      }
      action={text.reactivate}
      busy={lift.isPending}
      error={lift.error === null ? undefined : <ErrorPanel error={lift.error} />}
    />
  );
}
