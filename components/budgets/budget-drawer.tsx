"use client";

import { Lock, Pencil, Power } from "lucide-react";
import { useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import { QueryRegion } from "../api/query-region";
import type { Budget, BudgetMember } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Facts } from "../ui/card";
import { Drawer } from "../ui/drawer";
import { Note } from "../ui/states";
import { BudgetUse } from "./budget-bar";
import { BudgetMembers } from "./budget-members";
import { BudgetMenu, type BudgetTask, useToggle } from "./budget-menu";
import { useBudgetSpace } from "./budget-space";
import { paceOf } from "./budget-use";
import { BudgetWindows } from "./budget-windows";
import { Part } from "./part";
import { useBudgetWords } from "./use-budget-words";

/** A budget with its running period, its members, its exceptions and its past periods. */
export function BudgetDrawer(props: { id: string; onTask: (task: BudgetTask) => void; onClose: () => void }) {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const { id, onTask, onClose } = props;
  const found = useRead(`GET ${space}/budgets/{id}`, { params: { id } });
  const budget = found.data;
  const missing = found.isError && budget === undefined;
  return (
    <Drawer
      forReading
      inHistory
      onClose={onClose}
      title={budget?.name ?? text.title}
      footer={budget?.mayChange === true && <Actions budget={budget} onTask={onTask} />}
    >
      {missing ? (
        <div className="grid gap-3">
          <Note tone="warning">{text.gone}</Note>
          <ErrorPanel error={found.error} onRetry={() => found.refetch()} />
        </div>
      ) : (
        <QueryRegion query={found}>{(shown) => <Content budget={shown} onTask={onTask} />}</QueryRegion>
      )}
    </Drawer>
  );
}

function Actions({ budget, onTask }: { budget: Budget; onTask: (task: BudgetTask) => void }) {
  const text = useMessages("budgets");
  const toggle = useToggle();
  return (
    <>
      {budget.each === "none" && (
        <Button variant="primary" onClick={() => onTask({ kind: "more", budget, member: null })}>
          {text.more.action}
        </Button>
      )}
      <Button onClick={() => onTask({ kind: "edit", budget })}>
        <Pencil aria-hidden className="size-4" />
        {text.edit}
      </Button>
      <Button onClick={() => toggle(budget)}>
        <Power aria-hidden className="size-4" />
        {budget.enabled ? text.switchOff : text.switchOn}
      </Button>
      <BudgetMenu budget={budget} onTask={onTask} variant="secondary" />
    </>
  );
}

function Content({ budget, onTask }: { budget: Budget; onTask: (task: BudgetTask) => void }) {
  const text = useMessages("budgets").drawer;
  const [member, setMember] = useState<BudgetMember | null>(null);
  const hasMembers = budget.each !== "none";
  // A budget with a counter for each account shows each reader its own, and an admin the one that is chosen.
  const isChosen = member !== null;
  const name = member?.memberName ?? "";
  const hasWindows = isChosen || (budget.window !== null && !(hasMembers && budget.mayChange));
  return (
    <div className="grid gap-6">
      <Notes budget={budget} />
      {!hasMembers && <Now budget={budget} />}
      {hasMembers && !budget.mayChange && budget.window !== null && <Now budget={budget} />}
      <Part title={text.facts}>
        <Rule budget={budget} />
      </Part>
      {hasMembers && (
        <Part title={text.members}>
          <BudgetMembers budget={budget} onTask={onTask} onPeriods={setMember} />
        </Part>
      )}
      {hasWindows && (
        <Part title={isChosen ? fill(text.windowsOf, { name }) : text.windows}>
          <BudgetWindows key={member?.member} budget={budget} member={member?.member} />
        </Part>
      )}
    </div>
  );
}

/** Why it is off, and why the reader cannot change it. */
function Notes({ budget }: { budget: Budget }) {
  const text = useMessages("budgets");
  const { enabled, endedAt, mayChange, managedByFile, locked } = budget;
  const fixed = managedByFile ? text.managedByFile : locked ? text.locked : text.notYours[budget.scope];
  return (
    <div className="grid gap-2 empty:hidden">
      {endedAt !== null && <Note tone="info">{text.endedNote}</Note>}
      {endedAt === null && !enabled && <Note tone="warning">{text.offNote}</Note>}
      {endedAt === null && !mayChange && (
        <Note tone="info" icon={Lock}>
          {fixed}
        </Note>
      )}
    </div>
  );
}

/** The running period: what is used, what is left, and for how long at this rate. */
function Now({ budget }: { budget: Budget }) {
  const text = useMessages("budgets");
  const words = useBudgetWords();
  const { window, unit } = budget;
  return (
    <Part title={text.drawer.now}>
      {window === null ? (
        <p className="text-sm text-muted">
          {fill(text.sharedUse, { limit: words.amount(unit, budget.limit) })}
        </p>
      ) : (
        <div className="grid gap-2">
          <p className="tabular text-2xl font-semibold">
            {words.left(unit, window)}{" "}
            {window.limit !== null && <span className="text-sm font-normal text-muted">{text.left}</span>}
          </p>
          <BudgetUse counter={window} budget={budget} />
          {window.held > 0 && (
            <p className="text-sm text-muted">
              {fill(text.held, { amount: words.amount(unit, window.held) })}
            </p>
          )}
          <Pace budget={budget} />
        </div>
      )}
    </Part>
  );
}

/** When it is used up if its use goes on like this; nothing while it is too early to say. */
function Pace({ budget }: { budget: Budget }) {
  const { pace } = useMessages("budgets");
  const format = useFormat();
  const { window, enabled } = budget;
  const found = window === null || !enabled ? null : paceOf(window, budget, format.now());
  if (found === null) return null;
  return (
    <p className="text-sm text-muted">
      {found === "lasts" ? pace.lasts : fill(pace.usedUp, { time: format.weekdayMinute(new Date(found)) })}
    </p>
  );
}

/** What the budget counts and allows. */
function Rule({ budget }: { budget: Budget }) {
  const text = useMessages("budgets");
  const format = useFormat();
  const words = useBudgetWords();
  const { drawer } = text;
  const { window, unit, models } = budget;
  const resetsAt = budget.resetsAt;
  const extra = budget.each === "none" ? (window?.extra ?? 0) : 0;
  return (
    <Facts
      rows={[
        [drawer.forWhom, words.subject(budget)],
        [drawer.limit, words.per(budget, budget.limit)],
        ...(extra > 0 ? [[drawer.extra, words.amount(unit, extra)] as [string, string]] : []),
        [
          drawer.counts,
          fill(drawer.countsOf, {
            unit: text.units[unit],
            models: models === null ? drawer.allModels : format.list(models),
          }),
        ],
        [
          drawer.resets,
          resetsAt === null ? text.never : `${words.resetsIn(resetsAt)} · ${format.minute(resetsAt)}`,
        ],
        [drawer.calendar, format.zoneLabel(budget.timeZone)],
        [drawer.atEnd, text.modes[budget.mode]],
        [drawer.made, format.date(budget.createdAt)],
      ]}
    />
  );
}
