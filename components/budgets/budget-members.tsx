"use client";

import type { Budget, BudgetMember } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { List, useListSource } from "../lists/list-page";
import { useLocalPages } from "../lists/list-state";
import { RowMenu } from "../lists/row-menu";
import { Button } from "../ui/button";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { TextLink } from "../ui/link";
import { MenuItem, MenuSeparator } from "../ui/menu";
import { BudgetUse } from "./budget-bar";
import { type BudgetTask, fifthOf } from "./budget-menu";
import { useBudgetSpace } from "./budget-space";
import { useGiveMore } from "./more-dialog";
import { useBudgetWords } from "./use-budget-words";

const ROWS = 10;

/** The counters of a budget with one for each, the fullest first, and the limits that single ones have. */
export function BudgetMembers(props: {
  budget: Budget;
  onTask: (task: BudgetTask) => void;
  onPeriods: (member: BudgetMember) => void;
}) {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const { budget, onTask, onPeriods } = props;
  const pages = useLocalPages();
  const query = { page: pages.page, pageSize: ROWS };
  const members = useRead(`GET ${space}/budgets/{id}/members`, { params: { id: budget.id }, query });
  const columns = useColumns(budget, onPeriods);
  return (
    <div className="grid gap-4">
      <List
        state={pages}
        pageSize={ROWS}
        byTime={false}
        source={useListSource(members)}
        empty={text.noMember}
      >
        {(rows) => (
          <DataTable
            caption={text.drawer.membersCaption}
            columns={columns}
            rows={rows}
            rowId={({ member }) => member}
            actions={
              budget.mayChange
                ? (member) => <MemberMenu budget={budget} member={member} onTask={onTask} />
                : undefined
            }
          />
        )}
      </List>
      {budget.mayChange && <Exceptions budget={budget} onTask={onTask} />}
    </div>
  );
}

function useColumns(budget: Budget, onPeriods: (member: BudgetMember) => void): Column<BudgetMember>[] {
  const text = useMessages("budgets");
  return [
    {
      id: "member",
      head: text.drawer.member,
      cell: (member) => (
        <div className="grid justify-items-start gap-1">
          <MemberName budget={budget} member={member} />
          <Button
            size="sm"
            variant="ghost"
            className="-ml-3"
            aria-label={fill(text.drawer.windowsOf, { name: member.memberName ?? text.unknownMember })}
            onClick={() => onPeriods(member)}
          >
            {text.drawer.showPeriods}
          </Button>
        </div>
      ),
    },
    {
      id: "use",
      head: text.columns.use,
      card: "wide",
      cell: (member) => (
        <BudgetUse counter={member} budget={{ ...budget, name: member.memberName ?? budget.name }} />
      ),
    },
  ];
}

function MemberName(props: {
  budget: Pick<Budget, "each">;
  member: Pick<BudgetMember, "member" | "memberName">;
}) {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const { member, memberName } = props.member;
  if (memberName === null) return <span className="text-muted">{text.unknownMember}</span>;
  if (space === "/api/user" || props.budget.each !== "account")
    return <span className="wrap-anywhere">{memberName}</span>;
  return (
    <TextLink href={`/admin/users/${member}`} className="wrap-anywhere">
      {memberName}
    </TextLink>
  );
}

function MemberMenu(props: { budget: Budget; member: BudgetMember; onTask: (task: BudgetTask) => void }) {
  const text = useMessages("budgets");
  const words = useBudgetWords();
  const give = useGiveMore();
  const { budget, member, onTask } = props;
  const fifth = fifthOf(budget);
  return (
    <RowMenu name={member.memberName ?? text.unknownMember}>
      {fifth > 0 && (
        <MenuItem onClick={() => give({ budget, member, amount: fifth })}>
          {fill(text.more.quick, { amount: words.amount(budget.unit, fifth) })}
        </MenuItem>
      )}
      <MenuItem onClick={() => onTask({ kind: "more", budget, member })}>{text.more.action}</MenuItem>
      <MenuSeparator />
      <MenuItem onClick={() => onTask({ kind: "exception", budget, member })}>
        {text.exception.action}
      </MenuItem>
    </RowMenu>
  );
}

/** The members with another limit. */
function Exceptions({ budget, onTask }: { budget: Budget; onTask: (task: BudgetTask) => void }) {
  const text = useMessages("budgets");
  const common = useMessages("common");
  const words = useBudgetWords();
  const { exceptions, unit } = budget;
  return (
    <div className="grid gap-1 text-sm">
      <h4 className="font-medium">{text.drawer.exceptions}</h4>
      {exceptions.length === 0 && <p className="text-muted">{text.drawer.noExceptions}</p>}
      <ul className="grid gap-1">
        {exceptions.map((exception) => (
          <li key={exception.member} className="flex flex-wrap items-center justify-between gap-2">
            <MemberName budget={budget} member={exception} />
            <span className="flex items-center gap-2">
              <span className="tabular">
                {exception.limit === null ? text.noLimit : words.amount(unit, exception.limit)}
              </span>
              <Button
                size="sm"
                aria-label={fill(common.labelled, {
                  label: text.edit,
                  value: exception.memberName ?? text.unknownMember,
                })}
                onClick={() => onTask({ kind: "exception", budget, member: exception })}
              >
                {text.edit}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
