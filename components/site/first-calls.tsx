"use client";

import { type ReactNode, useState } from "react";
import { Segmented } from "../ui/segmented";

/** The first call of one of several clients. Has room for the longest, so a choice moves nothing below. */
export function FirstCalls<T extends string>(props: {
  label: string;
  calls: Array<{ value: T; label: string; content: ReactNode }>;
}) {
  const [chosen, choose] = useState(props.calls[0]?.value);
  if (chosen === undefined) return null;
  return (
    <div className="grid min-h-75 min-w-0 content-start justify-items-start gap-2">
      <p aria-hidden className="text-sm text-muted">
        {props.label}
      </p>
      <Segmented label={props.label} value={chosen} onChange={choose} options={props.calls} />
      <div className="w-full min-w-0">{props.calls.find(({ value }) => value === chosen)?.content}</div>
    </div>
  );
}
