"use client";

import { useEffect, useState } from "react";
import type { NodeHealth } from "../../api/admin/types";
import { fill, plural } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Status, type StatusTone } from "../../ui/status";

/** A node is idle when nothing is wrong with it and it got no call in the last five minutes: nobody knows how it is. */
export type ShownState = NodeHealth["state"] | "idle";

/** The states of a node, the gravest first. */
export const statesByGravity: readonly ShownState[] = [
  "ejected",
  "cooling",
  "half-open",
  "degraded",
  "healthy",
  "idle",
  "disabled",
];

/** The state of a node, as the pages name it. */
export function shownState({ state, attempts }: Pick<NodeHealth, "state" | "attempts">): ShownState {
  return state === "healthy" && attempts === 0 ? "idle" : state;
}

/** Whether the circuit of a node that is switched on, or that of one of its models, is not closed. */
export function isFailing({ state }: Pick<NodeHealth, "state">): boolean {
  return state !== "healthy" && state !== "disabled";
}

/** How far each state is from normal; its name is always there. */
export const stateTones: Record<ShownState, StatusTone> = {
  healthy: "normal",
  idle: "off",
  degraded: "warning",
  ejected: "danger",
  "half-open": "warning",
  cooling: "warning",
  disabled: "off",
};

/** The state of a node or of one of its circuits, with the seconds until it is tried again. */
export function StateBadge(props: {
  state: NodeHealth["state"];
  /** Of a node: how many calls it got in the last five minutes. */
  attempts?: number;
  cause: string | null;
  returnsInMs: number;
  /** When the response with the countdown arrived. */
  asOf: number;
}) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const seconds = useSecondsUntil(props.asOf + props.returnsInMs);
  const state = shownState({ state: props.state, attempts: props.attempts ?? 1 });
  const word = text.states[state];
  const counting = props.returnsInMs > 0 && seconds > 0;
  return (
    <span className="inline-grid gap-0.5">
      <Status tone={stateTones[state]}>{word}</Status>
      {counting && (
        <span className="tabular text-xs text-muted">
          {fill(text.retryIn, { time: format.roundDuration(seconds * 1_000) })}
        </span>
      )}
      {props.cause !== null && (
        <span className="text-xs whitespace-normal text-muted">{causeText(props.cause, text)}</span>
      )}
    </span>
  );
}

/** The state of a node; where it is degraded, with the upstream models of it that fail. */
export function NodeState(props: { health: NodeHealth; asOf: number }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { health, asOf } = props;
  const failing = failingModels(health);
  return (
    <span className="inline-grid gap-0.5">
      <StateBadge {...health} asOf={asOf} />
      {failing.length > 0 && (
        <span className="text-xs wrap-anywhere whitespace-normal text-muted">
          {plural(text.failingModels, failing.length, format.locale, { models: format.list(failing) })}
        </span>
      )}
    </span>
  );
}

/** The upstream models that a node does not serve while it serves others. */
export function failingModels({ state, models }: Pick<NodeHealth, "state" | "models">): string[] {
  if (state !== "degraded") return [];
  return models.filter((model) => model.state !== "healthy").map(({ upstreamModel }) => upstreamModel);
}

function causeText(cause: string, text: Messages["adminNodes"]): string {
  return Object.entries(text.causes).find(([name]) => name === cause)?.[1] ?? cause;
}

/** Whole remaining seconds, counted down locally between responses. */
function useSecondsUntil(atMs: number): number {
  const { now } = useFormat();
  const remainingSeconds = () => Math.max(0, Math.ceil((atMs - now()) / 1000));
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

/** Failures without an answer: the message is the gateway's own, and says what the kind says. */
const OWN_WORDS: ReadonlySet<string> = new Set(["connect", "timeout"]);

/** A failure as text: kind, status and age; the node's message below, or in the tooltip of one line. */
export function ErrorText(props: { error: NodeHealth["recentErrors"][number]; long?: boolean }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { error } = props;
  const kind = Object.entries(text.kinds).find(([name]) => name === error.kind)?.[1] ?? error.kind;
  const message = OWN_WORDS.has(error.kind) ? "" : error.message;
  const more = [
    ...(error.status === null ? [] : [String(error.status)]),
    fill(text.ago, { duration: format.roundDuration(roundAge(error.agoMs)) }),
  ].join(" · ");
  const line = (
    <>
      {kind} <span className="tabular text-muted">· {more}</span>
    </>
  );
  if (props.long !== true)
    return (
      <span title={[`${kind} · ${more}`, message].filter((part) => part !== "").join("\n")}>{line}</span>
    );
  return (
    <span className="grid min-w-0 gap-0.5">
      <span>{line}</span>
      {message !== "" && <span className="font-mono text-xs wrap-anywhere text-muted">{message}</span>}
    </span>
  );
}

/** Whole seconds, so that the text does not flicker. */
function roundAge(agoMs: number): number {
  return Math.max(1000, Math.round(agoMs / 1000) * 1000);
}
