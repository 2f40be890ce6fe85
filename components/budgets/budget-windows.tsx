"use client";

import { DAY_MS } from "@/lib/kernel/durations";
import type { Budget, BudgetWindow } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { rangeText } from "../i18n/format";
import { useFormat, useMessages } from "../i18n/provider";
import { List, useListSource } from "../lists/list-page";
import { useLocalPages } from "../lists/list-state";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { BudgetBar } from "./budget-bar";
import { useBudgetSpace } from "./budget-space";
import { stateOfUse } from "./budget-use";
import { useBudgetWords } from "./use-budget-words";

const ROWS = 12;

/** The periods of a counter, the newest first: each with a bar and what it allowed. */
export function BudgetWindows(props: { budget: Budget; member: string | undefined }) {
  const text = useMessages("budgets").drawer;
  const space = useBudgetSpace();
  const { budget, member } = props;
  const pages = useLocalPages();
  const query = { member, page: pages.page, pageSize: ROWS };
  const windows = useRead(`GET ${space}/budgets/{id}/windows`, { params: { id: budget.id }, query });
  const columns = useColumns(budget);
  return (
    <List state={pages} pageSize={ROWS} source={useListSource(windows)} empty={text.noWindows}>
      {(rows) => (
        <DataTable
          caption={text.windowsCaption}
          columns={columns}
          rows={rows}
          rowId={({ startsAt }) => startsAt ?? "total"}
        />
      )}
    </List>
  );
}

function useColumns(budget: Budget): Column<BudgetWindow>[] {
  const text = useMessages("budgets");
  const format = useFormat();
  const words = useBudgetWords();
  const periodOf = usePeriodWords(budget);
  const isRunning = ({ endsAt }: BudgetWindow) => endsAt === null || Date.parse(endsAt) > format.now();
  return [
    {
      id: "period",
      head: text.drawer.period,
      cell: (window) => (
        <span className="grid">
          {periodOf(window)}
          {isRunning(window) && <span className="text-xs text-muted">{text.drawer.running}</span>}
        </span>
      ),
    },
    {
      id: "use",
      head: text.columns.use,
      card: "wide",
      cell: (window) => (
        <div className="grid min-w-32 gap-1">
          <span className="tabular whitespace-nowrap">{words.used(budget.unit, window)}</span>
          {window.limit !== null && (
            <BudgetBar
              used={window.used}
              held={window.held}
              limit={window.limit}
              state={stateOfUse(window, budget.mode)}
              label={periodOf(window)}
              text={fill(text.meterText, {
                share: words.share(window),
                words: words.used(budget.unit, window),
              })}
            />
          )}
        </div>
      ),
    },
    { id: "share", head: "%", end: true, card: "corner", cell: (window) => words.share(window) },
  ];
}

/** The days of a period, by the budget's own calendar. */
function usePeriodWords({ timeZone, period }: Budget): (window: BudgetWindow) => string {
  const text = useMessages("budgets").periods;
  const { locale } = useFormat();
  const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone });
  return ({ startsAt, endsAt }) => {
    if (startsAt === null || endsAt === null) return text.total;
    const first = new Date(startsAt);
    if (period === "day") return days.format(first);
    // Its last day: the end is a midnight.
    return rangeText(days, first, new Date(Date.parse(endsAt) - DAY_MS / 2), locale);
  };
}
