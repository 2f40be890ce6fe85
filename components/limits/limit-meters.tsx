"use client";

import { ratio } from "@/lib/shared/decimal";
import { keyState } from "../api/key-state";
import type { BudgetUse, KeyLimits, KeyRecord, LimitState } from "../api/types";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { Meter } from "../ui/meter";

export const limitNames = ["qps", "rpm", "tpm"] as const;

type LimitName = (typeof limitNames)[number];

/** What the next request may do, in words, and the three limits of a key with their live use. */
export function LimitMeters(props: {
  apiKey: KeyRecord;
  limits: KeyLimits;
  /** Side by side where there is room. */
  across?: boolean;
}) {
  const text = useMessages("limits");
  const state = keyState(props.apiKey);
  const isLimited = limitNames.some((name) => props.limits[name].limit !== null);
  return (
    <div className="grid gap-4">
      {state === "active" ? (
        <NextRequest limits={props.limits} />
      ) : (
        <p className="text-warning">{text.refused[state]}</p>
      )}
      {isLimited ? (
        <div className={cn("grid gap-4", props.across && "md:grid-cols-3 md:gap-6")}>
          {limitNames.map((name) => (
            <LimitMeter
              key={name}
              name={name}
              state={props.limits[name]}
              {...(props.across && { className: "md:flex-col" })}
            />
          ))}
          {props.limits.concurrent && <CountMeter name="concurrent" {...props.limits.concurrent} />}
        </div>
      ) : props.limits.concurrent ? (
        <CountMeter name="concurrent" {...props.limits.concurrent} />
      ) : (
        <p className="text-sm text-muted">{text.ofPlan.fast}</p>
      )}
    </div>
  );
}

/** A limit with its use; what has no limit is told in words, without a bar. */
export function LimitMeter(props: { name: LimitName; state: LimitState; className?: string }) {
  const text = useMessages("limits");
  const format = useFormat();
  const { limit, used, resetMs } = props.state;
  const label = text[props.name];
  const shown = format.countFull(Math.round(used));
  if (limit === null)
    return (
      <p className="text-sm">
        {text.unlimited[props.name]}
        {used > 0 && <span className="text-muted"> · {fill(text.used, { used: shown })}</span>}
      </p>
    );
  const words = fill(text.usedOf, { used: shown, limit: format.countFull(limit) });
  return (
    <div className="grid gap-1">
      <div className={cn("flex flex-wrap justify-between gap-x-4 text-sm", props.className)}>
        <span>{label}</span>
        <span className="tabular font-medium">
          {used > 0 && (
            <span className="font-normal text-muted">
              <span>{fill(text.resets, { time: format.roundDuration(Math.max(0, resetMs)) })}</span>
              {" · "}
            </span>
          )}
          {words}
        </span>
      </div>
      <Meter share={limit === 0 ? 1 : ratio(used, limit)} label={label} text={words} />
    </div>
  );
}

/** How many there are of what is limited in number. */
export function CountMeter(props: { name: "concurrent" | "keys"; limit: number; used: number }) {
  const text = useMessages("limits");
  const format = useFormat();
  const { name, limit, used } = props;
  const words = fill(text.usedOf, { used: format.countFull(used), limit: format.countFull(limit) });
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span>{text[name]}</span>
        <span className="tabular font-medium">{words}</span>
      </div>
      <Meter share={limit === 0 ? 1 : Math.min(1, ratio(used, limit))} label={text[name]} text={words} />
    </div>
  );
}

function NextRequest(props: { limits: KeyLimits }) {
  const text = useMessages("limits");
  const format = useFormat();
  const { account } = props.limits;
  const [rpm, tpm] = [tighterOf(props.limits.rpm, account?.rpm), tighterOf(props.limits.tpm, account?.tpm)];
  const left = ({ limit, used }: LimitState) =>
    limit === null ? null : Math.max(0, Math.floor(limit - used));
  const full = limitNames
    .filter((name) => left(props.limits[name]) === 0)
    .sort((a, b) => props.limits[b].resetMs - props.limits[a].resetMs)[0];
  if (full !== undefined) {
    const time = format.roundDuration(Math.max(0, props.limits[full].resetMs));
    return <p className="text-warning">{fill(text.next.wait, { time, limit: text[full] })}</p>;
  }
  const fullAccount = limitNames
    .flatMap((name) => {
      const use = account?.[name];
      return use !== undefined && left(use) === 0 ? [{ name, resetMs: use.resetMs }] : [];
    })
    .sort((a, b) => b.resetMs - a.resetMs)[0];
  if (fullAccount !== undefined) {
    const time = format.roundDuration(Math.max(0, fullAccount.resetMs));
    return (
      <p className="text-warning">{fill(text.next.waitAccount, { time, limit: text[fullAccount.name] })}</p>
    );
  }
  const spent = props.limits.budgets.find(isUsedUp);
  if (spent !== undefined)
    return <p className="text-warning">{fill(text.budgets.full, { name: spent.name })}</p>;
  if (
    [props.limits.concurrent, account?.concurrent].some((use) => use !== undefined && use.used >= use.limit)
  )
    return <p className="text-warning">{text.next.busy}</p>;
  const [requests, tokens] = [left(rpm), left(tpm)];
  const sentences = [
    text.next.now,
    tokens === null ? "" : fill(text.next.tokens, { count: format.countFull(tokens) }),
    requests === null ? "" : plural(text.next.further, requests - 1, format.locale),
  ];
  return <p>{sentences.filter(Boolean).join(format.locale === "zh-CN" ? "" : " ")}</p>;
}

/** A rule that refuses, and has no room: only where it is told. */
function isUsedUp({ mode, remaining }: BudgetUse): boolean {
  return mode !== "warn" && remaining != null && remaining <= 0;
}

/** Of a limit of a key and that of its account the one that leaves less. */
function tighterOf(key: LimitState, account: LimitState | undefined): LimitState {
  if (account === undefined || account.limit === null) return key;
  return key.limit === null || account.limit - account.used < key.limit - key.used ? account : key;
}
