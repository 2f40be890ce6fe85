"use client";

import type { ReactNode } from "react";
import { remainingOf } from "@/lib/shared/balance";
import { AccountLink } from "../../api/admin/account-link";
import type { AdminPlan, AdminUser } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Moment } from "../../keys/key-cells";
import { daysLeft, daysLeftText } from "../../overview/days-left";
import { Card, Facts } from "../../ui/card";
import { limitNames } from "./own-limits";
import { UsedMeter } from "./used-meter";
import { UserStatus } from "./user-list";

/** Who the account is, and what it has left. */
export function UserSummary({ user }: { user: AdminUser }) {
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-2">
      <Balance user={user} />
      <Account user={user} />
    </div>
  );
}

/** What is left, with every digit, and for how long it lasts. */
function Balance({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers");
  const { exactly } = useMessages("billing");
  const format = useFormat();
  const { quota, usedExact, heldExact } = user;
  const remaining = remainingOf(user);
  const left = format.left(remaining);
  const exact = format.moneyExact(remaining);
  return (
    <Card title={text.page.balance}>
      <div className="grid gap-4">
        <div className="grid gap-2">
          <p className="tabular text-2xl font-semibold wrap-anywhere" title={exact}>
            {left} <span className="text-sm font-normal text-muted">{text.page.remaining}</span>
          </p>
          {exact !== left && (
            <p className="tabular text-xs wrap-anywhere text-muted">{fill(exactly, { amount: exact })}</p>
          )}
          <UsedMeter user={user} />
          <DaysLeft user={user} />
        </div>
        <Facts
          className="tabular"
          rows={[
            [text.page.used, format.moneyExact(usedExact)],
            [text.page.held, format.moneyExact(heldExact)],
            [text.page.quota, format.moneyExact(quota)],
          ]}
        />
      </div>
    </Card>
  );
}

/** For how long the balance lasts at the rate of the last week. */
function DaysLeft({ user }: { user: AdminUser }) {
  const text = useMessages("overview");
  const format = useFormat();
  const stats = useRead("GET /api/admin/stats", {
    query: { period: "7d", tz: format.timeZone, userId: user.id },
  }).data;
  if (stats === undefined) return <p className="h-5 text-sm" />;
  return (
    <p className="text-sm text-muted">
      {daysLeftText(daysLeft(remainingOf(user), stats, user), text, format.locale)}
    </p>
  );
}

function Account({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const plan = useRead("GET /api/admin/plans").data?.data.find(({ id }) => id === user.planId);
  return (
    <Card title={text.page.account}>
      <Facts
        rows={[
          [text.status, <UserStatus key="status" user={user} />],
          [text.role, text.roles[user.role]],
          [text.plan, plan?.name ?? user.planId],
          ...limitRows(user, plan, useLimitWords()),
          ...(user.costCentre === "" ? [] : [[text.costCentre, user.costCentre] as [ReactNode, ReactNode]]),
          [text.requests, format.countFull(Number(user.requestCount))],
          [text.lastActive, <Moment key="active" iso={user.lastActiveAt} none={text.neverActive} />],
          [text.page.created, format.dateTime(user.createdAt)],
          ...(user.invitedBy === null
            ? []
            : [
                [text.page.invited, <AccountLink key="inviter" id={user.invitedBy} />] as [
                  ReactNode,
                  ReactNode,
                ],
              ]),
        ]}
      />
    </Card>
  );
}

type LimitName = (typeof limitNames)[number];

interface LimitWords {
  names: Record<LimitName, string>;
  own: string;
  allKeys: string;
  eachKey: string;
  show: (limit: number | null) => string;
  keysOf: (count: number, limit: number) => string;
}

function useLimitWords(): LimitWords {
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const format = useFormat();
  return {
    names: { qps: text.qps, rpm: text.rpm, tpm: text.tpm, concurrent: text.concurrent, keys: text.keys },
    own: text.page.custom,
    allKeys: text.page.allKeys,
    eachKey: text.page.eachKey,
    show: (limit) => (limit === null ? common.unlimited : format.countFull(limit)),
    keysOf: (count, limit) =>
      fill(text.page.keysOf, { count: format.countFull(count), limit: format.countFull(limit) }),
  };
}

/** The limits in force: of the account, its own or those of its plan; without one what each key on its plan may do. */
function limitRows(
  user: AdminUser,
  plan: AdminPlan | undefined,
  words: LimitWords,
): [ReactNode, ReactNode][] {
  return limitNames.map((name) => {
    const own = user.limitOverrides?.[name];
    const limit = user.accountLimits[name];
    const ofKey = name === "keys" ? null : (plan?.[name] ?? null);
    const isOfAccount = own !== undefined || limit !== null;
    const whose = own !== undefined ? words.own : isOfAccount ? words.allKeys : words.eachKey;
    const shown = isOfAccount ? limit : ofKey;
    const value = name === "keys" && limit !== null ? words.keysOf(user.keyCount, limit) : words.show(shown);
    const hasValue = own !== undefined || shown !== null;
    return [
      words.names[name],
      <span key={name} className="tabular">
        {value}
        {hasValue && <span className="text-muted"> ({whose})</span>}
      </span>,
    ];
  });
}
