"use client";

import type { ReactNode } from "react";
import type { BudgetWindow } from "../api/types";
import { stripesOf } from "../charts/chart-model";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { Status, type StatusTone } from "../ui/status";
import { stateOfUse, type UseState } from "./budget-use";
import { useBudgetWords } from "./use-budget-words";

const colors: Record<UseState, string> = {
  normal: "var(--primary)",
  near: "var(--warning)",
  reserved: "var(--warning)",
  over: "var(--warning)",
  usedUp: "var(--danger)",
};

const tones: Record<UseState, StatusTone> = {
  normal: "normal",
  near: "warning",
  reserved: "warning",
  over: "warning",
  usedUp: "danger",
};

interface Amounts {
  used: number;
  held: number;
  limit: number;
}

/** Used is solid, reserved by running requests is hatched, and a line marks the limit, which both together may pass. */
export function BudgetBar(props: Amounts & { state: UseState; label: string; text: string; off?: boolean }) {
  const { used, held, limit, state } = props;
  const whole = Math.max(limit, used + held, Number.MIN_VALUE);
  const percent = (part: number) => `${Math.min(100, (100 * part) / whole)}%`;
  const color = props.off === true ? "var(--control)" : colors[state];
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled alike in every browser
    <div
      role="meter"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={limit === 0 ? 100 : Math.min(100, Math.round((100 * used) / limit))}
      aria-valuetext={props.text}
      className="relative h-3 w-full"
    >
      <div className="meter-track absolute inset-x-0 top-1/2 flex h-1.5 -translate-y-1/2 overflow-hidden rounded-full bg-line">
        <div className="meter-bar h-full" style={{ width: percent(used), background: color }} />
        <div className="h-full" style={{ width: percent(held), background: stripesOf(color) }} />
      </div>
      <div
        aria-hidden
        className="absolute inset-y-0 w-0.5 -translate-x-full bg-fg"
        style={{ left: percent(limit) }}
      />
    </div>
  );
}

/** A counter: what is used of its limit, as words and as a bar, and its state where it is not normal. */
export function BudgetUse(props: {
  counter: BudgetWindow;
  budget: {
    name: string;
    unit: "money" | "tokens" | "requests";
    mode: "stop" | "hard" | "warn";
    enabled: boolean;
  };
  /** Beside the words. */
  note?: ReactNode;
  /** Leaves out what reads like a column beside it. */
  quiet?: boolean;
}) {
  const text = useMessages("budgets");
  const words = useBudgetWords();
  const { counter, budget } = props;
  const { unit, enabled } = budget;
  const state = stateOfUse(counter, budget.mode);
  const used = words.used(unit, counter);
  const held = counter.held > 0 ? fill(text.held, { amount: words.amount(unit, counter.held) }) : null;
  const meterText = fill(text.meterText, { share: words.share(counter), words: used });
  return (
    <div className="grid min-w-44 gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="tabular" title={held ?? undefined}>
          {used}
        </span>
        {props.note !== undefined && <span className="text-xs wrap-anywhere text-muted">{props.note}</span>}
      </div>
      {counter.limit !== null && (
        <BudgetBar
          used={counter.used}
          held={counter.held}
          limit={counter.limit}
          state={state}
          off={!enabled}
          label={fill(text.meter, { name: budget.name })}
          text={held === null ? meterText : `${meterText} · ${held}`}
        />
      )}
      {enabled && props.quiet !== true && <UseStatus counter={counter} state={state} />}
    </div>
  );
}

/** The state of a counter where it is not normal. */
function UseStatus({ counter, state }: { counter: BudgetWindow; state: UseState }) {
  const text = useMessages("budgets").states;
  const format = useFormat();
  if (state === "normal") return null;
  const { endsAt } = counter;
  const until = state === "usedUp" && endsAt !== null;
  return (
    <Status tone={tones[state]} className={cn("text-xs")}>
      {until ? fill(text.usedUpUntil, { time: format.minute(endsAt) }) : text[state]}
    </Status>
  );
}
