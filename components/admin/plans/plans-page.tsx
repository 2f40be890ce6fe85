"use client";

import { parseAsInteger, useQueryState } from "nuqs";
import { useState } from "react";
import type { AdminPlan } from "../../api/admin/types";
import { useShell } from "../../api/shell-facts";
import { useRead } from "../../api/use-read";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { ListPage, useListSource } from "../../lists/list-page";
import { RowMenu } from "../../lists/row-menu";
import type { Sorting } from "../../lists/row-order";
import { SortedTable } from "../../lists/sorted-table";
import { useCreating, useWriting } from "../../lists/use-creating";
import type { Column } from "../../ui/columns";
import { Drawer } from "../../ui/drawer";
import { TextLink } from "../../ui/link";
import { MenuItem, MenuSeparator } from "../../ui/menu";
import { rowNameClass } from "../../ui/table";
import { ConfirmedCall } from "../confirmed-call";
import { ManagedBadge, ManagedNote } from "../managed-note";
import { PlanBudgets } from "./plan-budgets";
import { PlanForm } from "./plan-form";
import { PlanWords } from "./plan-words";

type Task = { kind: "open" | "delete"; plan: AdminPlan };

/** No limit is more than any limit. */
const limitOf = (limit: number | null) => limit ?? Number.POSITIVE_INFINITY;

/** The highest limits and the most used begin. */
const sortings: Record<string, Sorting<AdminPlan>> = {
  name: { first: "asc", by: ({ name }) => name },
  qps: { first: "desc", by: ({ qps }) => limitOf(qps) },
  rpm: { first: "desc", by: ({ rpm }) => limitOf(rpm) },
  tpm: { first: "desc", by: ({ tpm }) => limitOf(tpm) },
  quota: { first: "desc", by: ({ keyQuotaCents }) => keyQuotaCents },
  self: { first: "desc", by: ({ selfService }) => Number(selfService) },
  users: { first: "desc", by: ({ currentUserCount }) => currentUserCount },
};

/** The rate-limit tiers. */
export function PlansPage() {
  const text = useMessages("admin").plans;
  const plans = useRead("GET /api/admin/plans");
  const [opened, setOpened] = useQueryState("plan", parseAsInteger);
  const [opening, open] = useWriting();
  const [creating, setCreating] = useCreating("plan ");
  const [doomed, setDoomed] = useState<AdminPlan | null>(null);
  const mayChange = useShell().admin;
  const plan = mayChange ? plans.data?.data.find(({ id }) => id === opened) : undefined;
  return (
    <>
      <ListPage
        title={text.title}
        lead={text.lead}
        primary={mayChange ? { label: text.create, onClick: () => setCreating(true) } : undefined}
        source={useListSource(plans)}
        empty={text.empty}
      >
        {(list) => (
          <PlanList
            plans={list}
            onTask={({ kind, plan }) => (kind === "open" ? open(setOpened(plan.id)) : setDoomed(plan))}
          />
        )}
      </ListPage>
      {plan !== undefined && !opening && (
        <PlanSheet key={plan.id} plan={plan} onClose={() => void setOpened(null)} />
      )}
      {creating && mayChange && <PlanSheet plan={null} onClose={() => setCreating(false)} />}
      {doomed !== null && <DeletePlan plan={doomed} onClose={() => setDoomed(null)} />}
    </>
  );
}

function PlanList(props: { plans: AdminPlan[]; onTask: (task: Task) => void }) {
  const text = useMessages("admin").plans;
  const mayChange = useShell().admin;
  return (
    <SortedTable
      opens={mayChange}
      list="plans"
      sortings={sortings}
      nameOf={({ name }) => name}
      caption={text.caption}
      columns={usePlanColumns(mayChange ? (plan) => props.onTask({ kind: "open", plan }) : null)}
      rows={props.plans}
      rowId={(plan) => String(plan.id)}
      edit={(plan) => (mayChange ? () => props.onTask({ kind: "open", plan }) : undefined)}
      actions={
        mayChange
          ? (plan) => (plan.managedByFile ? null : <PlanMenu plan={plan} onTask={props.onTask} />)
          : undefined
      }
    />
  );
}

/** `onOpen`: null where plans are only read. */
function usePlanColumns(onOpen: ((plan: AdminPlan) => void) | null): Column<AdminPlan>[] {
  const text = useMessages("admin").plans;
  const format = useFormat();
  const refusals = useRead("GET /api/admin/plans/refusals").data?.data;
  const limit = (value: number | null) => (value === null ? text.unlimited : format.countFull(value));
  return [
    {
      id: "name",
      head: text.name,
      className: "min-w-32",
      cell: (plan) => (
        <div className="flex flex-wrap items-center gap-2">
          <PlanName plan={plan} onOpen={onOpen} />
          <span className="text-xs text-muted">#{plan.id}</span>
          {plan.managedByFile && <ManagedBadge />}
        </div>
      ),
    },
    { id: "qps", head: text.qps, end: true, cell: (plan) => limit(plan.qps) },
    { id: "rpm", head: text.rpm, end: true, cell: (plan) => limit(plan.rpm) },
    { id: "tpm", head: text.tpm, end: true, cell: (plan) => limit(plan.tpm) },
    { id: "quota", head: text.keyQuota, from: "2xl", kind: "sum", listed: (plan) => plan.keyQuotaCents },
    {
      id: "self",
      head: text.selfService,
      from: "lg",
      className: "min-w-32",
      cell: (plan) => (plan.selfService ? text.everyAccount : text.ownAccounts),
    },
    {
      id: "users",
      head: text.users,
      from: "lg",
      end: true,
      cell: (plan) => (
        <span className="grid max-md:inline-flex max-md:items-baseline max-md:gap-1.5">
          <AccountsOf plan={plan}>{format.count(plan.currentUserCount)}</AccountsOf>
          <span className="text-xs text-muted">{plural(text.keyCount, plan.keyCount, format.locale)}</span>
        </span>
      ),
    },
    {
      id: "refused",
      head: text.refused,
      end: true,
      from: "xl",
      cell: ({ id }) => (
        <span title={text.refusedHint}>
          <Refused
            count={
              refusals === undefined
                ? null
                : (refusals.find(({ planId }) => planId === id)?.refusedUserCount ?? 0)
            }
          />
        </span>
      ),
    },
  ];
}

/** The name of a plan, which opens it where it may be changed. */
function PlanName({ plan, onOpen }: { plan: AdminPlan; onOpen: ((plan: AdminPlan) => void) | null }) {
  const text = useMessages("admin").plans;
  if (onOpen === null) return plan.name;
  return (
    <button
      type="button"
      aria-label={fill(plan.managedByFile ? text.showTitle : text.editTitle, { name: plan.name })}
      onClick={() => onOpen(plan)}
      className={rowNameClass}
    >
      {plan.name}
    </button>
  );
}

/** How many accounts met the limits of the plan; a dash while that is not known. */
function Refused({ count }: { count: number | null }) {
  const text = useMessages("admin").plans;
  const format = useFormat();
  if (count === null) return "–";
  const words = plural(text.accountCount, count, format.locale);
  return <span className={count > 0 ? "font-medium text-warning" : undefined}>{words}</span>;
}

/** Leads to the accounts on a plan, where there are some. */
function AccountsOf({ plan, children }: { plan: AdminPlan; children: string }) {
  if (plan.currentUserCount === 0) return children;
  return (
    <TextLink href={`/admin/users?plan=${plan.id}`} className="inline-block min-w-6">
      {children}
    </TextLink>
  );
}

function PlanMenu(props: { plan: AdminPlan; onTask: (task: Task) => void }) {
  const text = useMessages("admin").plans;
  const common = useMessages("common");
  const format = useFormat();
  const { plan } = props;
  const used = plan.keyCount + plan.userCount > 0;
  const usedBy = fill(text.usedBy, {
    keys: plural(text.keyCount, plan.keyCount, format.locale),
    accounts: plural(text.accountCount, plan.userCount, format.locale),
  });
  return (
    <RowMenu name={plan.name}>
      <MenuItem onClick={() => props.onTask({ kind: "open", plan })}>{common.edit}</MenuItem>
      <MenuSeparator />
      <MenuItem
        danger
        disabledBecause={used ? usedBy : undefined}
        onClick={() => props.onTask({ kind: "delete", plan })}
      >
        {common.delete}
      </MenuItem>
    </RowMenu>
  );
}

function PlanSheet(props: { plan: AdminPlan | null; onClose: () => void }) {
  const text = useMessages("admin").plans;
  const { plan, onClose } = props;
  if (plan === null)
    return (
      <Drawer onClose={onClose} title={text.createTitle}>
        <PlanForm plan={null} onClose={onClose} />
      </Drawer>
    );
  return (
    <Drawer
      forReading
      onClose={onClose}
      title={plan.managedByFile ? plan.name : fill(text.editTitle, { name: plan.name })}
    >
      <div className="grid gap-4">
        {plan.managedByFile && <ManagedNote />}
        <PlanWords plan={plan} />
        <PlanBudgets plan={plan} />
        {!plan.managedByFile && <PlanForm plan={plan} onClose={onClose} />}
      </div>
    </Drawer>
  );
}

function DeletePlan(props: { plan: AdminPlan; onClose: () => void }) {
  const text = useMessages("admin").plans;
  const { plan } = props;
  return (
    <ConfirmedCall
      title={fill(text.deleteTitle, { name: plan.name })}
      body={text.deleteBody}
      typed={plan.name}
      action={text.deleteAction}
      send={(call) => call("DELETE /api/admin/plans/{id}", { params: { id: plan.id } })}
      done={fill(text.deleted, { name: plan.name })}
      deletes={String(plan.id)}
      onClose={props.onClose}
    />
  );
}
