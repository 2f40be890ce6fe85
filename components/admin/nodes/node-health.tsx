"use client";

import {
  CircleCheck,
  CircleOff,
  CirclePause,
  CircleX,
  type LucideIcon,
  RotateCw,
  TriangleAlert,
} from "lucide-react";
import { useEffect, useState } from "react";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Badge, type Tone } from "../../ui/badge";
import type { NodeHealth } from "../types";

type State = NodeHealth["state"];

/** The icon of each state; its name is always next to it. */
export const stateStyles: Record<State, { tone: Tone; icon: LucideIcon }> = {
  healthy: { tone: "success", icon: CircleCheck },
  degraded: { tone: "warning", icon: TriangleAlert },
  ejected: { tone: "danger", icon: CircleX },
  "half-open": { tone: "warning", icon: RotateCw },
  cooling: { tone: "warning", icon: CirclePause },
  disabled: { tone: "neutral", icon: CircleOff },
};

/** The state of a node or of one of its circuits, with the seconds until it is tried again. */
export function StateBadge(props: {
  state: State;
  cause: string | null;
  returnsInMs: number;
  /** When the response with the countdown arrived. */
  asOf: number;
}) {
  const text = useMessages("adminNodes");
  const seconds = useSecondsUntil(props.asOf + props.returnsInMs);
  const { tone, icon } = stateStyles[props.state];
  const word = text.states[props.state];
  const counting = props.returnsInMs > 0 && seconds > 0;
  return (
    <span className="inline-grid gap-0.5">
      <Badge tone={tone} icon={icon} className="tabular w-fit">
        {counting ? fill(text.retryIn, { state: word, seconds }) : word}
      </Badge>
      {props.cause !== null && (
        <span className="text-xs whitespace-normal text-muted">{causeText(props.cause, text)}</span>
      )}
    </span>
  );
}

function causeText(cause: string, text: Messages["adminNodes"]): string {
  return Object.entries(text.causes).find(([name]) => name === cause)?.[1] ?? cause;
}

/** Whole remaining seconds, counted down locally between responses. */
function useSecondsUntil(atMs: number): number {
  const remainingSeconds = () => Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(remainingSeconds);
  useEffect(() => {
    const tick = () => setSeconds(Math.max(0, Math.ceil((atMs - Date.now()) / 1000)));
    tick();
    if (atMs <= Date.now()) return;
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [atMs]);
  return seconds;
}

/** A failure as text: kind, status and age. */
export function ErrorText(props: { error: NodeHealth["recentErrors"][number]; long?: boolean }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { error } = props;
  const kind = Object.entries(text.kinds).find(([name]) => name === error.kind)?.[1] ?? error.kind;
  return (
    <span className="grid min-w-0 gap-0.5">
      <span>
        {kind}
        {error.status !== null && <span className="tabular text-muted"> · {error.status}</span>}
        <span className="text-muted">
          {" · "}
          {fill(text.ago, { duration: format.duration(roundAge(error.agoMs)) })}
        </span>
      </span>
      {props.long === true && error.message !== "" && (
        <span className="font-mono text-xs wrap-anywhere text-muted">{error.message}</span>
      )}
    </span>
  );
}

/** Whole seconds, so that the text does not flicker. */
function roundAge(agoMs: number): number {
  return Math.max(1000, Math.round(agoMs / 1000) * 1000);
}
