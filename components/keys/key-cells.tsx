"use client";

import { ratio } from "@/lib/shared/decimal";
import { keyState, stateTones } from "../api/key-state";
import type { KeyRecord } from "../api/types";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Meter } from "../ui/meter";
import { Status } from "../ui/status";
import { Tooltip } from "../ui/tooltip";

/** The state of a key. */
export function KeyStatus(props: { apiKey: KeyRecord }) {
  const text = useMessages("keys");
  const format = useFormat();
  const state = keyState(props.apiKey);
  const { expiresAt } = props.apiKey;
  return (
    <Status tone={stateTones[state]}>
      {state === "expired" && expiresAt !== null
        ? fill(text.expiredAgo, { ago: format.relative(expiresAt) })
        : props.apiKey.blocked
          ? text.blocked
          : text.states[state]}
    </Status>
  );
}

/** The used quota as text and as a bar. */
export function KeyUse(props: { apiKey: KeyRecord }) {
  const text = useMessages("keys");
  const format = useFormat();
  const { usedQuota, quota, held } = props.apiKey;
  const words = fill(text.usedOf, format.spent(usedQuota, quota));
  return (
    <div className="grid min-w-36 gap-1 max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:*:last:flex-1">
      <span
        className="tabular whitespace-nowrap"
        title={held > 0 ? fill(text.heldHint, { held: format.money(held) }) : undefined}
      >
        {words}
      </span>
      <Meter share={quota === 0 ? 1 : ratio(usedQuota, quota)} label={text.columns.usage} text={words} />
    </div>
  );
}

/** All models, or their number with the names in a tooltip. */
export function KeyModels(props: { models: string[] | null }) {
  const text = useMessages("keys");
  const format = useFormat();
  if (props.models === null) return text.allModels;
  return (
    <Tooltip note={format.list(props.models)}>
      {plural(text.someModels, props.models.length, format.locale)}
    </Tooltip>
  );
}

/** A relative time with the exact time in a tooltip. */
export function Moment(props: { iso: string | null; none: string }) {
  const format = useFormat();
  if (props.iso === null) return <span className="text-muted">{props.none}</span>;
  return (
    <time dateTime={props.iso} title={format.dateTime(props.iso)}>
      {format.relative(props.iso)}
    </time>
  );
}
