"use client";

import type { Budget } from "../api/types";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { useHrefOf } from "../lists/list-state";
import { Badge } from "../ui/badge";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { Link } from "../ui/link";
import { Status } from "../ui/status";
import { rowNameClass } from "../ui/table";
import { BudgetUse } from "./budget-bar";
import { BudgetMenu, type BudgetTask } from "./budget-menu";
import { useBudgetSpace } from "./budget-space";
import { shownCounter } from "./budget-use";
import { useBudgetWords } from "./use-budget-words";

/** The budgets with what each has used, in the order of the server: the fullest first. */
export function BudgetList(props: {
  budgets: Budget[];
  onTask: (task: BudgetTask) => void;
  /** Where a budget is shown; beside this list unless said otherwise. */
  hrefOf?: (id: string) => string;
}) {
  const text = useMessages("budgets");
  const { onTask } = props;
  return (
    <DataTable
      opens
      list="budgets"
      caption={text.caption}
      columns={useBudgetColumns(props.hrefOf)}
      rows={props.budgets}
      rowId={({ id }) => id}
      edit={(budget) => (budget.mayChange ? () => onTask({ kind: "edit", budget }) : undefined)}
      actions={(budget) => (budget.mayChange ? <BudgetMenu budget={budget} onTask={onTask} /> : null)}
    />
  );
}

function useBudgetColumns(elsewhere?: (id: string) => string): Column<Budget>[] {
  const { columns, modes } = useMessages("budgets");
  const format = useFormat();
  const words = useBudgetWords();
  const beside = useHrefOf("budget");
  const hrefOf = elsewhere ?? beside;
  const ofAll = useBudgetSpace() === "/api/admin";
  return [
    {
      id: "name",
      head: columns.name,
      className: "max-w-64",
      cell: (budget) => <BudgetName budget={budget} href={hrefOf(budget.id)} />,
    },
    {
      id: "subject",
      head: columns.subject,
      className: "max-w-64",
      cell: (budget) => <span className="wrap-anywhere">{words.subject(budget)}</span>,
    },
    {
      id: "use",
      head: columns.use,
      card: "wide",
      cell: (budget) => <ListedUse budget={budget} ofAll={ofAll} />,
    },
    {
      id: "left",
      head: columns.left,
      end: true,
      cell: (budget) => {
        const counter = shownCounter(budget, ofAll);
        return (
          <span className="tabular">{counter === null ? "–" : words.left(budget.unit, counter, true)}</span>
        );
      },
    },
    {
      id: "resets",
      head: columns.resets,
      from: "lg",
      cell: ({ resetsAt }) => (
        <span className="whitespace-nowrap" title={resetsAt === null ? undefined : format.dateTime(resetsAt)}>
          {words.resetsIn(resetsAt)}
        </span>
      ),
    },
    { id: "mode", head: columns.mode, from: "xl", cell: ({ mode }) => modes[mode] },
  ];
}

function BudgetName({ budget, href }: { budget: Budget; href: string }) {
  const common = useMessages("common");
  const words = useBudgetWords();
  return (
    <div className="grid min-w-32 justify-items-start gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <Link href={href} scroll={false} className={rowNameClass}>
          {budget.name}
        </Link>
        {budget.managedByFile && <Badge tone="neutral">{common.managedByFile}</Badge>}
      </div>
      <span className="text-xs font-normal text-muted">{words.per(budget, budget.limit)}</span>
    </div>
  );
}

/** The counter of a budget; of one with a counter for each that of the fullest, or why there is none. */
function ListedUse({ budget, ofAll }: { budget: Budget; ofAll: boolean }) {
  const text = useMessages("budgets");
  const words = useBudgetWords();
  const counter = shownCounter(budget, ofAll);
  return (
    <div className="grid gap-1">
      {counter === null ? (
        <span className="text-muted">
          {budget.each === "none"
            ? fill(text.sharedUse, { limit: words.amount(budget.unit, budget.limit) })
            : text.noMember}
        </span>
      ) : (
        <BudgetUse counter={counter} budget={budget} note={<Fullest budget={budget} counter={counter} />} />
      )}
      {!budget.enabled && (
        <Status tone="off" className="text-xs">
          {text.states.off}
        </Status>
      )}
    </div>
  );
}

/** Whose counter is shown of several; nothing for the only one. */
function Fullest({ budget, counter }: { budget: Budget; counter: object }) {
  const text = useMessages("budgets");
  const format = useFormat();
  const member = budget.fullest.find((one) => one === counter);
  if (member === undefined) return null;
  const name = member.memberName ?? text.unknownMember;
  return plural(text.fullestOf, budget.memberCount, format.locale, { name });
}
