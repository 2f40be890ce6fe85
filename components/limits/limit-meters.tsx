"use client";

import type { KeyLimits, LimitState } from "../api/types";
import { ratio } from "../i18n/decimal";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Meter } from "../ui/meter";

/** The three limits of a key with their live use. */
export function LimitMeters(props: { limits: KeyLimits }) {
  const text = useMessages("limits");
  return (
    <div className="grid gap-4">
      {(["qps", "rpm", "tpm"] as const).map((name) => (
        <LimitMeter key={name} label={text[name]} state={props.limits[name]} />
      ))}
    </div>
  );
}

function LimitMeter(props: { label: string; state: LimitState }) {
  const text = useMessages("limits");
  const format = useFormat();
  const { limit, used, resetMs } = props.state;
  const shown = format.countFull(Math.round(used));
  const words =
    limit === null
      ? fill(text.unlimited, { used: shown })
      : fill(text.usedOf, { used: shown, limit: format.countFull(limit) });
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span>{props.label}</span>
        <span className="tabular font-medium">{words}</span>
      </div>
      <Meter
        share={limit === null ? 0 : limit === 0 ? 1 : ratio(used, limit)}
        label={props.label}
        text={words}
      />
      <p className="tabular text-xs text-muted">
        {used > 0 ? fill(text.resets, { time: format.duration(Math.max(0, resetMs)) }) : text.free}
      </p>
    </div>
  );
}
