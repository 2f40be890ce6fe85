"use client";

import type { KeyLimits } from "../api/types";
import { useMessages } from "../i18n/provider";
import { CountMeter, LimitMeter, limitNames } from "./limit-meters";

/** The limits of the account over all its keys, with their live use; nothing where it has none. */
export function AccountLimits({ account }: { account: KeyLimits["account"] }) {
  const text = useMessages("limits");
  if (account === null) return null;
  return (
    <section aria-label={text.account} className="grid gap-4 border-t pt-4">
      <div className="grid gap-1">
        <h3 className="font-semibold">{text.account}</h3>
        <p className="text-sm text-muted">{text.accountLead}</p>
      </div>
      {limitNames.map((name) => {
        const state = account[name];
        return state === undefined ? null : <LimitMeter key={name} name={name} state={state} />;
      })}
      {account.concurrent && <CountMeter name="concurrent" {...account.concurrent} />}
      {account.keys && <CountMeter name="keys" {...account.keys} />}
    </section>
  );
}
